"""Opening a picture to draw into: a window, or an off-screen surface, or neither, with the reason in one line.

It also reads the drawn picture.

pyglet decides between window and off-screen when its window module is first imported, so that this module imports
it late, and only once per process.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import uint8
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pyglet.window import Window

WIDTH, HEIGHT = 1280, 720


class NoOpenGLError(Exception):
    """No OpenGL 3.3 picture can be opened; the message says in one line why."""


def missing_display() -> str | None:
    """What a window on this machine lacks, None where nothing is known to be missing.

    Only X11 can be asked beforehand; elsewhere opening the window tells.
    """
    if not sys.platform.startswith("linux"):
        return None
    if not os.environ.get("DISPLAY"):
        return "no display (the environment variable DISPLAY is not set)"
    if find_spec("pyglet") is None:
        return "pyglet is missing; install it with: pip install 'ecsphys[demo]'"
    try:
        from pyglet.libs.x11 import xlib
    except ImportError as error:
        return f"no X11 client library ({error})"
    connection = xlib.XOpenDisplay(None)
    if not connection:
        return f"no display (the X server {os.environ['DISPLAY']!r} does not answer)"
    xlib.XCloseDisplay(connection)
    return None


def open_picture(headless: bool, width: int = WIDTH, height: int = HEIGHT) -> Window:
    """Open a window of the given size in pixels, or an off-screen surface.

    Raises NoOpenGLError, whatever the reason: the libraries, drivers and exceptions differ from machine to machine.
    """
    try:
        import pyglet
    except ImportError as error:
        raise NoOpenGLError(f"pyglet is missing ({error}); install it with: pip install 'ecsphys[demo]'") from error

    if "pyglet.window" in sys.modules and pyglet.options.headless != headless:
        raise NoOpenGLError("pyglet was already started " + ("with a display" if headless else "without a display"))
    pyglet.options.headless = headless
    # Or pyglet asks after every OpenGL call whether it has failed, which takes longer than the calls.
    pyglet.options.debug_gl = False
    # The window's own context serves; a hidden second one would only be another thing to fail.
    pyglet.options.shadow_window = False
    try:
        with warnings.catch_warnings():
            # Without an EGL device pyglet warns and tries the default display, which is all right.
            warnings.simplefilter("ignore")
            return _open(width, height, headless)
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise NoOpenGLError(f"OpenGL 3.3 is not available ({reason})") from error


def _open(width: int, height: int, headless: bool) -> Window:
    from pyglet import gl
    from pyglet.window import NoSuchConfigException, Window

    wishes: dict[str, Any] = {"double_buffer": True, "major_version": 3, "minor_version": 3}
    if headless:
        # An off-screen surface may otherwise come with five bits a channel; a window has what its screen has.
        wishes |= {"red_size": 8, "green_size": 8, "blue_size": 8, "alpha_size": 8}
    # Typed as an abstract class, but on every platform it is a concrete one.
    config = gl.Config(**wishes)  # type: ignore[abstract]
    try:
        window = Window(width, height, "ecsphys", resizable=True, config=config, visible=not headless, vsync=True)
    except NoSuchConfigException:
        window = Window(width, height, "ecsphys", resizable=True, visible=not headless, vsync=True)
    if not gl.gl_info.have_version(3, 3):
        version = gl.gl_info.get_version_string()
        window.close()
        raise NoOpenGLError(f"the driver offers OpenGL {version}")
    return window


def read_screen(size: tuple[int, int]) -> NDArray[uint8]:
    """The lower left corner (height, width, 3) of the drawn picture: red, green, blue, the top row first."""
    import pyglet

    screen: Any = pyglet.image.get_buffer_manager().get_color_buffer()
    data = screen.get_image_data()
    # As it is: pyglet takes a second to leave out the alpha.
    pixels = np.frombuffer(data.get_data("RGBA", 4 * data.width), uint8).reshape(data.height, data.width, 4)
    return pixels[: size[1], : size[0], :3][::-1].copy()

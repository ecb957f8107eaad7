"""What the demo's tests need of a picture: whether one can be made here, and how to look at one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from fresh_python import python
from numpy import uint8
from numpy.typing import NDArray
from pyglet.extlibs import png

if TYPE_CHECKING:
    from pyglet.window import Window

_PROBE = "from ecsphys.demo.display import open_picture; open_picture(headless=True, width=16, height=16).close()"


@lru_cache(maxsize=1)
def missing_opengl() -> str | None:
    """Why no off-screen OpenGL picture can be opened here; asked in a process of its own."""
    done = python("-c", _PROBE)
    return None if done.returncode == 0 else done.stderr.strip().rpartition("\n")[2]


def skip_without(missing: str | None) -> None:
    """Skip a test, naming what is missing; fail instead where ECSPHYS_REQUIRE_GL says that nothing may be missing."""
    if missing is None:
        return
    if os.environ.get("ECSPHYS_REQUIRE_GL"):
        pytest.fail(f"ECSPHYS_REQUIRE_GL is set, but {missing}")
    pytest.skip(missing)


@contextmanager
def off_screen(width: int, height: int) -> Iterator[Window]:
    """An off-screen window; skips the test where none can be opened.

    pyglet chooses its display when it is first imported, in whichever test that is: what needs more of it than
    ``pyglet.extlibs`` opens one of these first.
    """
    skip_without(missing_opengl())
    from ecsphys.demo.display import open_picture

    opened = open_picture(headless=True, width=width, height=height)
    try:
        yield opened
    finally:
        opened.close()


def read_pixels(size: tuple[int, int]) -> NDArray[uint8]:
    """What has been drawn into the window, (height, width, 4), the lowest row first."""
    import pyglet

    screen: Any = pyglet.image.get_buffer_manager().get_color_buffer()
    data = screen.get_image_data().get_data("RGBA", size[0] * 4)
    return np.frombuffer(data, uint8).reshape(size[1], size[0], 4)


def read_png(path: Path) -> NDArray[uint8]:
    """The pixels (height, width, channels) of an 8-bit picture, in colours where it has a palette."""
    reader: Any = png
    width, height, rows, _ = reader.Reader(bytes=path.read_bytes()).asDirect()
    return np.frombuffer(b"".join(bytes(row) for row in rows), uint8).reshape(height, width, -1)


def color_count(picture: NDArray[uint8]) -> int:
    """How many different colours a picture (height, width, channels) has; as numbers, as rows take a second to sort."""
    return len(np.unique(picture[:, :, :3] @ np.array((1 << 16, 1 << 8, 1), np.int32)))


def assert_shows_something(picture: NDArray[uint8]) -> None:
    """A blank picture, or one with only a background, has few colours; a scene has hundreds, and bright spots."""
    assert color_count(picture) > 200
    lit = picture[:, :, :3].max(axis=2) > 90
    assert 0.002 < lit.mean() < 0.9
    # Something is in each quarter of the picture.
    height, width = lit.shape
    for rows in (slice(0, height // 2), slice(height // 2, height)):
        for columns in (slice(0, width // 2), slice(width // 2, width)):
            assert lit[rows, columns].any()

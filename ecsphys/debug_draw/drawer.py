"""Draws a world over a game's own picture."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pyglet
from pyglet import gl
from pyglet.window import BaseWindow

from ecsphys.debug_draw.painter import Color, Painter
from ecsphys.debug_draw.view import View
from ecsphys.debug_draw.world_parts import paint_boxes, paint_cells, paint_contacts, paint_joints, paint_shapes
from ecsphys.systems.physics import Physics

# Circle, AABB, OBB, capsule, fan, polygon, chain.
COLLIDER_COLORS: tuple[Color, ...] = (
    (0.36, 0.78, 1.0),
    (0.55, 0.89, 0.55),
    (1.0, 0.82, 0.40),
    (0.76, 0.61, 1.0),
    (1.0, 0.56, 0.69),
    (0.31, 0.88, 0.77),
    (0.89, 0.75, 0.55),
)
_BOX_COLOR: Color = (1.0, 1.0, 1.0)
_CELL_COLOR: Color = (0.45, 0.6, 0.95)
_CONTACT_COLOR: Color = (1.0, 0.36, 0.36)
_JOINT_COLOR: Color = (0.84, 0.7, 0.0)


class DebugDraw:
    """Draws the colliders, joints and hits of a world, one call a frame::

        drawer = DebugDraw(physics)

        @window.event
        def on_draw():
            window.clear()
            drawer.draw()

    It draws over the current picture. It uses ``window.projection`` and ``window.view`` as they are at the call; both
    must be orthographic. Create it after the window, because it compiles a shader in the window's context.

    Parameters
    ----------
    physics
        The physics whose world is drawn, as after its last step. That world must be the current one.
    window
        The window to draw into. None is the window whose context is current at each call.
    shapes, boxes, cells, contacts, normals, joints
        Which parts are drawn: the colliders; their bounding boxes; the occupied cells of the broadphase's grid; the
        contact points; the contacts' normals; the joints. Attributes of the same names may be changed at any time.
    colors
        Red, green and blue from 0 to 1 for each of ``ecsphys.COLLIDER_CLASSES``.
    """

    def __init__(
        self,
        physics: Physics,
        window: BaseWindow | None = None,
        *,
        shapes: bool = True,
        boxes: bool = False,
        cells: bool = False,
        contacts: bool = True,
        normals: bool = True,
        joints: bool = True,
        colors: Sequence[Color] = COLLIDER_COLORS,
    ) -> None:
        self.physics = physics
        self.window = window
        self.shapes = shapes
        self.boxes = boxes
        self.cells = cells
        self.contacts = contacts
        self.normals = normals
        self.joints = joints
        self._colors = np.array([[*color, 1.0] for color in colors])
        self._painter = Painter()

    def draw(self) -> None:
        """Draw the world. OpenGL's blending and depth test keep their settings.

        Raises RuntimeError if there is no window whose context is current.
        """
        view = View.of_window(self.window or _current_window())
        with blending():
            self._painter.begin(view)
            self.paint(self._painter)
            self._painter.end()

    def paint(self, painter: Painter) -> None:
        """Add the same to a :class:`Painter` between its ``begin`` and ``end``."""
        if self.cells:
            paint_cells(painter, self.physics, _CELL_COLOR)
        if self.shapes:
            paint_shapes(painter, self.physics, self._colors[self.physics.debug.colliders.collider])
        if self.boxes:
            paint_boxes(painter, self.physics, _BOX_COLOR)
        if self.joints:
            paint_joints(painter, self.physics, _JOINT_COLOR)
        if self.contacts or self.normals:
            paint_contacts(painter, self.physics.hits, _CONTACT_COLOR, self.contacts, self.normals)


def _current_window() -> BaseWindow:
    window: BaseWindow
    for window in pyglet.app.windows:
        if window.context is gl.current_context:
            return window
    raise RuntimeError("DebugDraw found no window: open one first, or pass it as DebugDraw(physics, window)")


@contextmanager
def blending() -> Iterator[None]:
    """A context manager: blend premultiplied alpha without a depth test, then restore OpenGL's state."""
    switches = [(name, gl.glIsEnabled(name)) for name in (gl.GL_BLEND, gl.GL_DEPTH_TEST)]
    factors = [
        _integer(name)
        for name in (gl.GL_BLEND_SRC_RGB, gl.GL_BLEND_DST_RGB, gl.GL_BLEND_SRC_ALPHA, gl.GL_BLEND_DST_ALPHA)
    ]
    gl.glEnable(gl.GL_BLEND)
    gl.glDisable(gl.GL_DEPTH_TEST)
    gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
    try:
        yield
    finally:
        gl.glBlendFuncSeparate(*factors)
        for name, enabled in switches:
            (gl.glEnable if enabled else gl.glDisable)(name)


def _integer(name: int) -> int:
    value = gl.GLint()
    gl.glGetIntegerv(name, ctypes.byref(value))
    return value.value

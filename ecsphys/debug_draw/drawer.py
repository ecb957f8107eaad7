"""Draws a world over a game's own picture."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import esper
import numpy as np
import pyglet
from numpy import float64
from numpy.typing import NDArray
from pyglet import gl
from pyglet.window import BaseWindow

from ecsphys.components.motion.transform import Transform
from ecsphys.debug_draw.painter import Amount, Color, Painter, View
from ecsphys.systems.collision.phases import BroadphaseSystem
from ecsphys.systems.debug_lines.world_lines import contact_points, joint_lines
from ecsphys.systems.hits.hit_arrays import HitArrays
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
_MOST_CELLS = 20_000


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


def paint_shapes(
    painter: Painter, physics: Physics, colors: NDArray[float64], heat: Amount = 0.0, fill: Amount = 0.2
) -> None:
    """Every collider where it is now; ``colors`` (n, 4) of ``physics.debug.colliders``."""
    order = physics._state.tables.colliders.order
    physics._state.place()
    placed = physics._state.tables.colliders.placed
    painter.shapes(
        placed.positions[order],
        placed.shapes[order],
        placed.forms[order],
        placed.angles[order],
        colors,
        heat,
        fill,
    )


def paint_boxes(painter: Painter, physics: Physics, color: Color, alpha: float = 0.4) -> None:
    """The colliders' bounding boxes."""
    painter.boxes(physics.debug.colliders.boxes, color, alpha, line=1.0)


def paint_cells(painter: Painter, physics: Physics, color: Color, alpha: float = 0.3) -> None:
    """The cells of the broadphase's finest level in which it has filed a box: by the box's min corner.

    Nothing where the current world has no grid of ecsphys.
    """
    cells = occupied_cells(physics)
    painter.boxes(cells[:_MOST_CELLS], color, alpha, line=1.0, fill=0.12)


def occupied_cells(physics: Physics) -> NDArray[float64]:
    """The boxes (n, 4) of those cells: colliders that sleep have a grid of their own."""
    steps = physics.fixed_step
    broadphase = esper.get_processor(BroadphaseSystem) if steps is None else steps.get(BroadphaseSystem)
    size = broadphase.grid.cell_size if isinstance(broadphase, BroadphaseSystem) else 0.0
    boxes, sleeping = physics.debug.colliders.boxes, physics._state.sleeping
    sleeps = sleeping.places[physics._state.tables.colliders.order] >= 0
    return np.vstack((_cells(boxes[~sleeps], size), _cells(boxes[sleeps], sleeping.grid.cell_size)))


def _cells(boxes: NDArray[float64], size: float) -> NDArray[float64]:
    extents = boxes[:, 2:] - boxes[:, :2]
    filed = np.isfinite(boxes).all(axis=1) & (extents <= size).all(axis=1)
    if not size or not filed.any():
        return np.zeros((0, 4))
    low = size * np.unique(np.floor(boxes[filed, :2] / size), axis=0)
    return np.hstack((low, low + size))


def paint_contacts(painter: Painter, hits: HitArrays, color: Color, points: bool = True, normals: bool = True) -> None:
    """A dot at each contact point, and the normal from it as an arrow."""
    found = contact_points(hits)
    if normals:
        # At least 14 pixels long, so that shallow hits show as well.
        shortest = 14.0 * painter.pixel
        tips = found.places + found.normal * np.clip(found.depth, shortest, 2.0 * shortest)[:, None]
        across = np.column_stack((-found.normal[:, 1], found.normal[:, 0]))
        head = 4.5 * painter.pixel
        painter.strokes(found.places, tips, 1.8, color, 0.95)
        for side in (-0.7, 0.7):
            painter.strokes(tips, tips + head * (side * across - found.normal), 1.8, color, 0.95)
    if points:
        painter.circles(found.places, 2.6 * painter.pixel, color)


def paint_joints(painter: Painter, physics: Physics, color: Color) -> None:
    """For each joint a line from one entity over both anchors to the other."""
    physics._state.update()
    segments = joint_lines(Transform._columns.float64).segments
    painter.strokes(segments[:, 0], segments[:, 1], 1.8, color, 0.95)

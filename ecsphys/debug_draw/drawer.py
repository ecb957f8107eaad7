"""``Painter`` draws strokes, circles, boxes and placed shapes from arrays; ``DebugDraw`` draws a world with it."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import esper
import numpy as np
import pyglet
from numpy import float64, uint8
from numpy.typing import NDArray
from pyglet import gl
from pyglet.window import BaseWindow

from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.motion.transform import Transform
from ecsphys.debug_draw.quad_layer import QuadLayer
from ecsphys.engine.shapes.layout import BOX, CAPSULE, CIRCLE, CX, CY, HALF_X, RADIUS
from ecsphys.systems.collision.phases import BroadphaseSystem
from ecsphys.systems.diagnosis.debug_lines import contact_points, joint_lines
from ecsphys.systems.hits.hit_arrays import HitArrays
from ecsphys.systems.physics import Physics

Points = NDArray[float64]
Color = tuple[float, float, float]
Colors = Color | NDArray[float64]
Amount = NDArray[float64] | float

_X_AXIS = np.array([[1.0, 0.0]])


@dataclass(frozen=True)
class View:
    """An affine map from the world to clip space, where the picture runs from −1 to 1 on both axes.

    ``x`` and ``y`` are the world's point in the picture's middle, ``matrix`` the rows of the 2×2 matrix that maps an
    offset from it to clip space, ``pixel`` a pixel's side in world units. The offset is taken in double precision,
    so that a view far from the world's origin shows no jitter.
    """

    x: float
    y: float
    matrix: tuple[float, float, float, float]
    pixel: float

    @classmethod
    def of_window(cls, window: BaseWindow) -> View:
        """The view of ``window.projection`` and ``window.view``; ValueError unless they are orthographic."""
        m = tuple(window.projection @ window.view)
        if m[3] or m[7] or not m[15]:
            raise ValueError("DebugDraw needs an orthographic projection of the window")
        a, b, c, d = (m[i] / m[15] for i in (0, 4, 1, 5))
        shift_x, shift_y = m[12] / m[15], m[13] / m[15]
        determinant = a * d - b * c
        if not determinant:
            raise ValueError("window.projection and window.view flatten the world to a line")
        # The middle of the picture: A·p + shift = 0.
        x = (b * shift_y - d * shift_x) / determinant
        y = (c * shift_x - a * shift_y) / determinant
        viewport = (gl.GLint * 4)()
        gl.glGetIntegerv(gl.GL_VIEWPORT, ctypes.cast(viewport, ctypes.POINTER(gl.GLint)))
        # A unit square covers |det|/4 of the viewport.
        pixels = 0.25 * abs(determinant) * viewport[2] * viewport[3]
        return cls(x, y, (a, b, c, d), window.get_pixel_ratio() / math.sqrt(max(pixels, 1e-300)))


class Painter:
    """Draws into the current OpenGL context, between ``begin`` and ``end``, in the order of the calls.

    Points are (n, 2) in the world, colours red, green and blue from 0 to 1, one for all or (n, 3), alphas and widths
    one number or (n,), widths in pixels. Blending must be for premultiplied alpha:
    ``glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA)``.
    """

    def __init__(self) -> None:
        self._quads = QuadLayer()
        self._view = View(0.0, 0.0, (1.0, 0.0, 0.0, 1.0), 1.0)

    @property
    def pixel(self) -> float:
        """A pixel's side in world units."""
        return self._view.pixel

    def begin(self, view: View) -> None:
        """Start a picture, seen through a :class:`View`."""
        self._view = view
        self._quads.begin(view.matrix, view.pixel, VERTEX_POOL.data)

    def end(self) -> None:
        """Draw everything collected so far."""
        self._quads.draw()

    def relative(self, points: Points) -> Points:
        """Points as offsets from the middle of the picture."""
        return points - (self._view.x, self._view.y)

    def shapes(
        self,
        positions: Points,
        shapes: NDArray[float64],
        forms: NDArray[uint8],
        angles: NDArray[float64],
        colors: NDArray[float64],
        heat: Amount = 0.0,
        fill: Amount = 0.2,
    ) -> None:
        """Placed shapes (see ``ecsphys/engine/shapes/layout.py``), exact arcs included.

        ``angles`` (n,) show how circles turn, which have no axis; ``colors`` (n, 4) have an alpha; ``heat`` from 0 to
        1 makes a shape glow; ``fill`` is the alpha of its inside.
        """
        axis = shapes[:, 2:4].copy()
        round_ones = forms == CIRCLE
        axis[round_ones, 0] = np.cos(angles[round_ones])
        axis[round_ones, 1] = np.sin(angles[round_ones])
        dimensions = np.column_stack((shapes[:, HALF_X : RADIUS + 1], forms))
        look = np.empty((len(shapes), 3))
        look[:, 0] = heat
        look[:, 1] = fill
        look[:, 2] = 1.7
        self._quads.add(self.relative(positions) + shapes[:, CX : CY + 1], axis, dimensions, colors, look)

    def strokes(self, starts: Points, ends: Points, width: Amount, color: Colors, alpha: Amount = 1.0) -> None:
        """Lines with round ends from starts to ends."""
        along = ends - starts
        length = np.hypot(along[:, 0], along[:, 1])
        axis = np.where(length[:, None] > 0.0, along / np.where(length > 0.0, length, 1.0)[:, None], _X_AXIS)
        shape = np.zeros((len(starts), 4))
        shape[:, 0] = 0.5 * length
        shape[:, 2] = 0.5 * width * self.pixel
        shape[:, 3] = CAPSULE
        tints = _tints(color, alpha, len(starts))
        self._quads.add(self.relative(0.5 * (starts + ends)), axis, shape, tints, _look(fill=1.0))

    def circles(self, centers: Points, radius: Amount, color: Colors, alpha: Amount = 1.0, line: float = 0.0) -> None:
        """Discs of a radius in world units; rings if ``line``, their width in pixels, is not 0."""
        shape = np.zeros((len(centers), 4))
        shape[:, 2] = radius
        shape[:, 3] = CIRCLE
        look = _look(line=line) if line else _look(fill=1.0)
        self._quads.add(self.relative(centers), _X_AXIS, shape, _tints(color, alpha, len(centers)), look)

    def boxes(
        self, boxes: NDArray[float64], color: Colors, alpha: Amount = 1.0, line: float = 0.0, fill: float = 0.0
    ) -> None:
        """Axis-aligned rectangles (n, 4) of min_x, min_y, max_x, max_y, outlined, filled, or both."""
        shape = np.zeros((len(boxes), 4))
        shape[:, :2] = 0.5 * (boxes[:, 2:] - boxes[:, :2])
        shape[:, 3] = BOX
        center = self.relative(0.5 * (boxes[:, 2:] + boxes[:, :2]))
        self._quads.add(center, _X_AXIS, shape, _tints(color, alpha, len(boxes)), _look(fill, line))


def _tints(color: Colors, alpha: Amount, count: int) -> NDArray[float64]:
    tints = np.empty((count, 4))
    tints[:, :3] = color
    tints[:, 3] = alpha
    return tints


def _look(fill: float = 0.0, line: float = 0.0) -> NDArray[Any]:
    return np.array([[0.0, fill, line]])


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

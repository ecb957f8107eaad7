"""Draws a live scene: ground, guides, trails, colliders, contacts. Everything is written from arrays each frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import ShaderProgram

import ecsphys
from ecsphys import CircularTrajectory, HarmonicTrajectory, Orbit, Spring, Transform
from ecsphys.components.vertex_pool import VERTEX_POOL
from ecsphys.demo import palette
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.palette import Color
from ecsphys.demo.quad_layer import QuadLayer
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.shaders import ground_program
from ecsphys.engine.shapes import BOX, CAPSULE, CIRCLE, CX, CY, HALF_X, RADIUS

Points = NDArray[float64]

_X_AXIS = np.array([[1.0, 0.0]])
_COLORS = np.array([[*color, 1.0] for color in palette.COLLIDERS])


@dataclass(frozen=True)
class Camera:
    """Where the world is in the picture: ``scale`` pixels to a unit, the world's (x, y) at a pixel (0 is bottom)."""

    x: float
    y: float
    scale: float
    pixel_x: float
    pixel_y: float

    @classmethod
    def fit(cls, arena: Box, left: float, bottom: float, right: float, top: float) -> Camera:
        """Show the whole arena as large as possible, centred in a rectangle of the picture."""
        min_x, min_y, max_x, max_y = arena
        scale = max(min((right - left) / (max_x - min_x), (top - bottom) / (max_y - min_y)), 1e-6)
        return cls(0.5 * (min_x + max_x), 0.5 * (min_y + max_y), scale, 0.5 * (left + right), 0.5 * (bottom + top))

    def to_pixel(self, x: float, y: float) -> tuple[float, float]:
        return self.pixel_x + self.scale * (x - self.x), self.pixel_y + self.scale * (y - self.y)


class Renderer:
    """Draws into the current OpenGL context."""

    def __init__(self) -> None:
        gl.glClearColor(*palette.BACKGROUND, 1.0)
        self._quads = QuadLayer()
        self._ground: ShaderProgram = ground_program()
        corners = (-1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0)
        self._ground_quad: Any = self._ground.vertex_list(4, gl.GL_TRIANGLE_STRIP, batch=Batch(), corner=("f", corners))
        self._camera = Camera(0.0, 0.0, 1.0, 0.0, 0.0)
        self._held = (
            (Spring, "anchor", CachedJoin(Transform, Spring)),
            (Orbit, "center", CachedJoin(Transform, Orbit)),
        )
        self._circling = CachedJoin(CircularTrajectory)
        self._swinging = CachedJoin(HarmonicTrajectory)

    def draw(
        self,
        live: LiveScene,
        highlights: Highlights,
        camera: Camera,
        size: tuple[int, int],
        debug: bool = False,
        density: float = 1.0,
    ) -> None:
        """Draw a scene into a picture of ``size`` pixels. ``debug`` adds the bounding boxes.

        On some screens a window's pixel is ``density`` × ``density`` real ones.
        """
        self._camera = camera
        physics, layout = live.physics, live.layout
        view = (
            2.0 * camera.scale / size[0],
            2.0 * camera.scale / size[1],
            2.0 * camera.pixel_x / size[0] - 1.0,
            2.0 * camera.pixel_y / size[1] - 1.0,
        )
        gl.glDisable(gl.GL_DEPTH_TEST)
        self._draw_ground(layout.arena, layout.grid, view)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        # Nothing leaves the arena's frame, however large it is.
        low = camera.to_pixel(*layout.arena[:2])
        high = camera.to_pixel(*layout.arena[2:])
        gl.glEnable(gl.GL_SCISSOR_TEST)
        x, y, right, top = (round(density * edge) for edge in (*low, *high))
        gl.glScissor(x, y, right - x, top - y)
        self._quads.begin(view, 1.0 / camera.scale, VERTEX_POOL.data)
        self._add_guides()
        if layout.trails is not None:
            starts, ends, age = layout.trails.segments()
            self._add_strokes(starts, ends, 2.0, palette.GUIDE, 0.5 * (1.0 - age) ** 1.5)
        self._add_colliders(physics, highlights.heat)
        if layout.show_contacts:
            self._add_sparks(highlights.sparks)
            self._add_contacts(physics.hits)
        if debug:
            self._add_boxes(physics.placed.boxes)
        self._quads.draw()
        gl.glDisable(gl.GL_SCISSOR_TEST)

    @staticmethod
    def finish() -> None:
        """Wait until everything is drawn."""
        gl.glFinish()

    def _draw_ground(self, arena: Box, grid: float, view: tuple[float, float, float, float]) -> None:
        camera = self._camera
        min_x, min_y, max_x, max_y = arena
        program = self._ground
        program.use()
        program["view"] = view
        program["pixel"] = 1.0 / camera.scale
        program["arena"] = (min_x - camera.x, min_y - camera.y, max_x - camera.x, max_y - camera.y)
        program["spacing"] = grid
        program["background"] = palette.BACKGROUND
        program["floor_color"] = palette.ARENA
        program["grid_color"] = palette.GRID
        program["frame_color"] = palette.FRAME
        self._ground_quad.draw(gl.GL_TRIANGLE_STRIP)
        program.stop()

    def _relative(self, points: Points) -> Points:
        # In double precision, before the GPU gets to see it: a camera far from the origin shows no jitter.
        return points - (self._camera.x, self._camera.y)

    def _add_colliders(self, physics: ecsphys.Physics, heat: NDArray[float64]) -> None:
        proxies = physics.proxies
        count = len(proxies)
        # Drawn as the last step has placed them: exactly there the contacts were found.
        placed = physics.current_placed()
        shapes, forms = placed.shapes, placed.forms
        axis = shapes[:, 2:4].copy()
        # A circle has no axis; its entity's angle shows how it turns.
        round_ones = forms == CIRCLE
        angle = Transform.column("angle")[proxies.transform_row[round_ones]]
        axis[round_ones, 0] = np.cos(angle)
        axis[round_ones, 1] = np.sin(angle)
        dimensions = np.column_stack((shapes[:, HALF_X : RADIUS + 1], forms))
        look = np.column_stack((heat, np.full(count, 0.2), np.full(count, 1.7)))
        center = self._relative(placed.positions) + shapes[:, CX : CY + 1]
        self._quads.add(center, axis, dimensions, _COLORS[proxies.collider], look)

    def _add_strokes(
        self, starts: Points, ends: Points, width: float, color: Color, alpha: NDArray[float64] | float
    ) -> None:
        """Lines from starts to ends (n, 2), ``width`` in pixels."""
        along = ends - starts
        length = np.hypot(along[:, 0], along[:, 1])
        axis = np.where(length[:, None] > 0.0, along / np.where(length > 0.0, length, 1.0)[:, None], _X_AXIS)
        shape = np.zeros((len(starts), 4))
        shape[:, 0] = 0.5 * length
        shape[:, 2] = 0.5 * width / self._camera.scale
        shape[:, 3] = CAPSULE
        self._quads.add(
            self._relative(0.5 * (starts + ends)), axis, shape, _tints(color, alpha, len(starts)), _look(fill=1.0)
        )

    def _add_circles(
        self,
        centers: Points,
        radius: NDArray[float64] | float,
        color: Color,
        alpha: NDArray[float64] | float,
        line: float = 0.0,
    ) -> None:
        """Discs, or with ``line`` (in pixels) rings, of a radius in world units."""
        shape = np.zeros((len(centers), 4))
        shape[:, 2] = radius
        shape[:, 3] = CIRCLE
        look = _look(line=line) if line else _look(fill=1.0)
        self._quads.add(self._relative(centers), _X_AXIS, shape, _tints(color, alpha, len(centers)), look)

    def _add_guides(self) -> None:
        """What holds or leads a body: springs, centres and paths."""
        for component, name, held in self._held:
            _, transforms, rows = held()
            anchors = _points(component, f"{name}_x", f"{name}_y", rows)
            bodies = _points(Transform, "x", "y", transforms)
            self._add_strokes(anchors, bodies, 1.3, palette.GUIDE, 0.3)
            self._add_circles(anchors, 3.0 / self._camera.scale, palette.GUIDE, 0.6)
        _, rows = self._circling()
        if 0 < rows.size <= 100:  # paths of a crowd would only be a tangle
            centers = _points(CircularTrajectory, "center_x", "center_y", rows)
            paths = np.unique(np.column_stack((centers, CircularTrajectory.column("radius")[rows])), axis=0)
            self._add_circles(paths[:, :2], paths[:, 2], palette.GUIDE, 0.3, line=1.3)
        _, rows = self._swinging()
        centers = _points(HarmonicTrajectory, "center_x", "center_y", rows)
        reach = _points(HarmonicTrajectory, "amplitude_x", "amplitude_y", rows)
        self._add_strokes(centers - reach, centers + reach, 1.3, palette.GUIDE, 0.16)

    def _add_contacts(self, hits: ecsphys.HitArrays) -> None:
        """A dot at each contact point, and the normal from it as an arrow."""
        used = ~np.isnan(hits.points[:, :, 0])
        points = hits.points[used]
        normals = np.repeat(hits.normal[:, None, :], 2, axis=1)[used]
        # At least 14 pixels long, so that shallow hits show as well.
        shortest = 14.0 / self._camera.scale
        depth = np.repeat(hits.depth[:, None], 2, axis=1)[used]
        tips = points + normals * np.clip(depth, shortest, 2.0 * shortest)[:, None]
        across = np.column_stack((-normals[:, 1], normals[:, 0]))
        head = 4.5 / self._camera.scale
        self._add_strokes(points, tips, 1.8, palette.CONTACT, 0.95)
        for side in (-0.7, 0.7):
            self._add_strokes(tips, tips + head * (side * across - normals), 1.8, palette.CONTACT, 0.95)
        self._add_circles(points, 2.6 / self._camera.scale, palette.CONTACT, 1.0)

    def _add_sparks(self, sparks: Points) -> None:
        """Rings that spread where a hit has started."""
        age = sparks[:, 2]
        radius = (5.0 + 17.0 * np.sqrt(age)) / self._camera.scale
        self._add_circles(sparks[:, :2], radius, palette.STARTED, 0.8 * (1.0 - age), line=1.4)

    def _add_boxes(self, boxes: Points) -> None:
        shape = np.zeros((len(boxes), 4))
        shape[:, :2] = 0.5 * (boxes[:, 2:] - boxes[:, :2])
        shape[:, 3] = BOX
        center = self._relative(0.5 * (boxes[:, 2:] + boxes[:, :2]))
        self._quads.add(center, _X_AXIS, shape, _tints(palette.DEBUG_BOX, 0.4, len(boxes)), _look(line=1.0))


def _points(component: type[ecsphys.Component], x: str, y: str, rows: NDArray[Any]) -> Points:
    return np.column_stack((component.column(x)[rows], component.column(y)[rows]))


def _tints(color: Color, alpha: NDArray[float64] | float, count: int) -> NDArray[float64]:
    tints = np.empty((count, 4))
    tints[:, :3] = color
    tints[:, 3] = alpha
    return tints


def _look(fill: float = 0.0, line: float = 0.0) -> NDArray[float64]:
    return np.array([[0.0, fill, line]])

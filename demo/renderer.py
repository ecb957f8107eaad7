"""Draws a live scene: ground, guides, trails, colliders, contacts. Everything is written from arrays each frame."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import ShaderProgram

import ecsphys
from ecsphys import CircularTrajectory, Collider, CompoundCollider, HarmonicTrajectory, Orbit, Spring, Transform
from ecsphys.debug_draw import View, blending
from ecsphys.debug_draw.drawer import paint_contacts, paint_shapes
from ecsphys.demo import palette
from ecsphys.demo.canvas import Canvas
from ecsphys.demo.debug_layers import DebugLayers
from ecsphys.demo.effects.effects import Effects
from ecsphys.demo.effects.joint_loads import JointLoads
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.hud.measures import text_scale
from ecsphys.demo.layer_painter import LayerPainter
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.patterns.patterns import Patterns
from ecsphys.demo.scenes.scene import Box, Layout
from ecsphys.demo.shaders import ground_program
from ecsphys.geometry import outline

Points = NDArray[float64]

_COLORS = np.array([[*color, 1.0] for color in palette.COLLIDERS])


def view_through(camera: Camera, size: tuple[int, int]) -> View:
    """What a camera shows, for a painter, in a picture of ``size`` pixels; lines are wider in large pictures."""
    width = max(text_scale(size), 1.0)
    x, y = camera.to_world(0.5 * size[0], 0.5 * size[1])
    return View(x, y, (2.0 * camera.scale / size[0], 0.0, 0.0, 2.0 * camera.scale / size[1]), width / camera.scale)


class Renderer:
    """Draws into the current OpenGL context."""

    def __init__(self) -> None:
        gl.glClearColor(*palette.BACKGROUND, 1.0)
        self._canvas = Canvas()
        self._ground: ShaderProgram = ground_program()
        corners = (-1.0, -1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0)
        self._ground_quad: Any = self._ground.vertex_list(4, gl.GL_TRIANGLE_STRIP, batch=Batch(), corner=("f", corners))
        self._camera = Camera(0.0, 0.0, 1.0, 0.0, 0.0)
        self._held = (
            (Spring, "anchor", CachedJoin(Transform, Spring)),
            (Orbit, "center", CachedJoin(Transform, Orbit)),
        )
        self._layers = LayerPainter()
        self._patterns = Patterns()
        self._joint_loads = JointLoads()
        self._circling = CachedJoin(CircularTrajectory)
        self._swinging = CachedJoin(HarmonicTrajectory)

    def draw(
        self,
        live: LiveScene,
        highlights: Highlights,
        camera: Camera,
        size: tuple[int, int],
        layers: DebugLayers | None = None,
        density: float = 1.0,
        marked: int | None = None,
        effects: Effects | None = None,
    ) -> None:
        """Draw a scene into a picture of ``size`` pixels, with debug ``layers``, and a bright edge about one body.

        ``effects`` lie over the bodies, and shake the picture.

        On some screens a window's pixel is ``density`` × ``density`` real ones.
        """
        layers = layers or DebugLayers()
        if effects is not None:
            right, up = effects.shake
            camera = camera.panned(right * size[1], up * size[1])
        self._camera = camera
        physics, layout = live.physics, live.layout
        has_guides = layout.show_guides and not layout.paints_itself
        has_contacts = layout.show_contacts and not layout.paints_itself
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_BLEND)
        if layout.backdrop is None:
            self._draw_ground(layout, camera, size)
            self._clip(layout.arena, camera, density)
        else:
            gl.glDisable(gl.GL_SCISSOR_TEST)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        canvas = self._canvas
        with blending():
            canvas.begin(view_through(camera, size))
            if layout.backdrop is not None:
                layout.backdrop(canvas)
            if layout.paint_below is not None:
                layout.paint_below(canvas)
            if has_guides:
                self._add_guides()
            if layout.trails is not None:
                starts, ends, age = layout.trails.segments()
                canvas.strokes(starts, ends, 2.0, palette.GUIDE, 0.5 * (1.0 - age) ** 1.5)
            if not layout.paints_itself:
                self._add_shapes(live, highlights)
                self._joint_loads.paint(canvas)
            if has_contacts:
                self._add_sparks(highlights.sparks)
            if effects is not None:
                effects.paint(canvas)
            if layout.paint_above is not None:
                layout.paint_above(canvas)
            self._add_mark(marked)
            self._add_grip(live)
            if has_contacts:
                paint_contacts(canvas, physics.hits, palette.CONTACT)
            self._layers.paint(canvas, physics, layers)
            canvas.end()
        gl.glDisable(gl.GL_SCISSOR_TEST)

    @staticmethod
    def finish() -> None:
        """Wait until everything is drawn."""
        gl.glFinish()

    @staticmethod
    def _clip(arena: Box, camera: Camera, density: float) -> None:
        """Let nothing leave the arena's frame, however large it is."""
        low, high = camera.to_pixel(*arena[:2]), camera.to_pixel(*arena[2:])
        gl.glEnable(gl.GL_SCISSOR_TEST)
        x, y, right, top = (round(density * edge) for edge in (*low, *high))
        gl.glScissor(x, y, right - x, top - y)

    def _draw_ground(self, layout: Layout, camera: Camera, size: tuple[int, int]) -> None:
        min_x, min_y, max_x, max_y = layout.arena
        program = self._ground
        program.use()
        program["view"] = (
            2.0 * camera.scale / size[0],
            2.0 * camera.scale / size[1],
            2.0 * camera.pixel_x / size[0] - 1.0,
            2.0 * camera.pixel_y / size[1] - 1.0,
        )
        program["pixel"] = 1.0 / camera.scale
        program["arena"] = (min_x - camera.x, min_y - camera.y, max_x - camera.x, max_y - camera.y)
        program["spacing"] = layout.grid
        program["background"] = palette.BACKGROUND
        program["floor_color"] = palette.ARENA
        program["grid_color"] = palette.GRID
        program["frame_color"] = palette.FRAME
        self._ground_quad.draw(gl.GL_TRIANGLE_STRIP)
        program.stop()

    def _add_guides(self) -> None:
        """What holds or leads a body: springs, centres and paths."""
        for component, name, held in self._held:
            _, transforms, rows = held()
            anchors = _points(component, f"{name}_x", f"{name}_y", rows)
            bodies = _points(Transform, "x", "y", transforms)
            self._canvas.strokes(anchors, bodies, 1.3, palette.GUIDE, 0.3)
            self._canvas.circles(anchors, 3.0 / self._camera.scale, palette.GUIDE, 0.6)
        _, rows = self._circling()
        if 0 < rows.size <= 100:  # paths of a crowd would only be a tangle
            centers = _points(CircularTrajectory, "center_x", "center_y", rows)
            paths = np.unique(
                np.column_stack((centers, CircularTrajectory.column("radius", writable=False)[rows])), axis=0
            )
            self._canvas.circles(paths[:, :2], paths[:, 2], palette.GUIDE, 0.3, line=1.3)
        _, rows = self._swinging()
        centers = _points(HarmonicTrajectory, "center_x", "center_y", rows)
        reach = _points(HarmonicTrajectory, "amplitude_x", "amplitude_y", rows)
        self._canvas.strokes(centers - reach, centers + reach, 1.3, palette.GUIDE, 0.16)

    def _add_shapes(self, live: LiveScene, highlights: Highlights) -> None:
        physics, look = live.physics, live.layout.look
        if look is None:
            paint_shapes(self._canvas, physics, _COLORS[physics.debug.colliders.collider], highlights.heat)
        else:
            colors, fills = look.colors(physics), self._patterns.fills(physics, look.fill)
            paint_shapes(self._canvas, physics, colors, highlights.heat, fills)
            self._patterns.paint(self._canvas, physics, colors)

    def _add_grip(self, live: LiveScene) -> None:
        """What the mouse holds, and where it pulls it."""
        line = live.grip.line()
        if line is not None:
            ends = np.array(line)
            self._canvas.strokes(ends[:1], ends[1:], 2.0, palette.STARTED, 0.8)
            self._canvas.circles(ends, 4.0 * self._canvas.pixel, palette.STARTED)

    def _add_mark(self, body: int | None) -> None:
        """A bright edge about the body that is under the mouse."""
        if body is None:
            return
        place = esper.component_for_entity(body, Transform)
        components: tuple[object, ...] = esper.components_for_entity(body)
        for component in components:
            if isinstance(component, Collider | CompoundCollider):
                found = outline(component, place)
                for points in [found] if isinstance(found, np.ndarray) else found:
                    self._canvas.strokes(points, np.roll(points, -1, axis=0), 2.0, palette.STARTED, 0.9)

    def _add_sparks(self, sparks: Points) -> None:
        """Rings that spread where a hit has started."""
        age = sparks[:, 2]
        radius = (5.0 + 17.0 * np.sqrt(age)) / self._camera.scale
        self._canvas.circles(sparks[:, :2], radius, palette.STARTED, 0.8 * (1.0 - age), line=1.4)


def _points(component: type[ecsphys.Component], x: str, y: str, rows: NDArray[Any]) -> Points:
    return np.column_stack([component.column(name, writable=False)[rows] for name in (x, y)])

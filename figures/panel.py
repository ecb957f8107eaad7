"""A world in a part of a figure: what is in it, how it is stepped, and what is drawn and written over it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import ChainCollider, Collider, Solid, Transform
from ecsphys.demo import palette
from ecsphys.demo.debug_layers import DebugLayers
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.drawing.outlines import outline
from ecsphys.demo.scenes.rigid.tint import STONE, Tints, put
from ecsphys.demo.scenes.scene import STEP, Box, Layout, LiveScene, Scene
from ecsphys.demo.scenes.sketch import Color, Sketch
from figures.marks import rim

Anchor = Literal["left", "center", "right"]
Place = tuple[int, int, int, int]
"""The part of the figure that a panel fills: left, bottom, right, top in pixels."""

TEXT_HEIGHT = 19
"""Pixels of a figure 960 wide: at 720, where a page shows it, 14 are left."""


@dataclass(frozen=True)
class Note:
    """A line of text: its baseline at a pixel of the panel, ``height`` in pixels."""

    text: str
    x: float
    y: float
    color: Color
    height: float
    anchor: Anchor
    bold: bool


@dataclass
class _Trail:
    entity: int
    color: Color
    width: float
    points: list[Pair]


@dataclass(frozen=True)
class _Fill:
    points: NDArray[float64]
    color: Color
    alpha: float


class Panel:
    """Shows a live scene in ``place``, as much of it as fits from the corner ``low`` if ``width`` units are shown.

    With ``y_down`` the corner is the upper left one, and y points down. Entities go into the current world, which is
    that of the panel opened last.
    """

    def __init__(self, live: LiveScene, place: Place, low: Pair, width: float, y_down: bool = False) -> None:
        left, bottom, right, top = place
        self.live = live
        self.place = place
        self.size = (right - left, top - bottom)
        self.y_down = y_down
        self.scale = self.size[0] / width
        self.view: Box = (*low, low[0] + width, low[1] + self.size[1] / self.scale)
        self.layers: DebugLayers | None = None
        """Whether debug drawing is shown, and what of it."""
        self.draw: Callable[[tuple[int, int]], None] | None = None
        """Draws the scene into a picture of so many pixels, in place of the demo's renderer."""
        self.highlights = Highlights(by_impact=live.layout.look is not None)
        self.below, self.above = Board(), Board()
        self.notes: list[Note] = []
        self._trails: list[_Trail] = []
        self._fills: list[_Fill] = []
        self._scene_below, live.layout.paint_below = live.layout.paint_below, self._paint_below
        self._scene_above, live.layout.paint_above = live.layout.paint_above, self._paint_above

    @classmethod
    def empty(
        cls,
        place: Place,
        low: Pair,
        width: float,
        gravity: Pair = (0.0, -10.0),
        y_down: bool = False,
        grid: float = 1.0,
    ) -> Panel:
        """A panel with a world of its own, in which there is nothing yet."""

        def build(_: np.random.Generator) -> Layout:
            height = width * (place[3] - place[1]) / (place[2] - place[0])
            arena = (*low, low[0] + width, low[1] + height)
            look = Tints(asleep=1.0, fill=0.6)
            return Layout(ecsphys.install(gravity=gravity), arena, show_contacts=False, grid=grid, look=look)

        return cls(LiveScene(Scene("figure", "", "", build, "")), place, low, width, y_down)

    @property
    def physics(self) -> ecsphys.Physics:
        return self.live.physics

    def put(self, color: Color, *components: object) -> int:
        """A new entity in a colour."""
        self.live.enter()
        return put(color, *components)

    def follow(self, entity: int, color: Color, width: float = 3.0) -> None:
        """Draw the way of an entity from now on, ``width`` pixels wide."""
        self._trails.append(_Trail(entity, color, width, []))

    def play(self, seconds: float, act: Callable[[], None] | None = None) -> None:
        """Step the world, after ``act`` in each step."""
        for _ in range(round(seconds / STEP)):
            if act is not None:
                act()
            self.live.step()
            self.highlights.observe(self.physics, STEP)
            for trail in self._trails:
                if esper.entity_exists(trail.entity):
                    place = esper.component_for_entity(trail.entity, Transform)
                    trail.points.append((place.x, place.y))

    def where(self, entity: int) -> Pair:
        """An entity's position."""
        self.live.enter()
        place = esper.component_for_entity(entity, Transform)
        return place.x, place.y

    def ghost(self, entity: int, color: Color, alpha: float = 0.13) -> None:
        """Leave a faint copy of an entity's colliders where they are now."""
        self.live.enter()
        transform = esper.component_for_entity(entity, Transform)
        components: tuple[object, ...] = esper.components_for_entity(entity)
        for collider in components:
            if isinstance(collider, Collider):
                corners = outline(collider, transform)
                self.fill(corners, color, alpha)
                rim(self.below, corners, _on_ground(color, 2.5 * alpha), 1.3)

    def fill(self, corners: Sequence[Pair], color: Color, alpha: float = 0.3) -> None:
        """A shape behind the colliders, seen whole from its first corner."""
        points = np.array(corners, float64)
        middle = np.arange(1, len(points) - 1)
        rows = np.column_stack((np.zeros_like(middle), middle, middle + 1)).ravel()
        self._fills.append(_Fill(points[rows], color, alpha))

    def earth(self, points: Sequence[Pair]) -> None:
        """Solid ground of one line from left to right, filled below."""
        self.put(STONE, Transform(), ChainCollider(points, side="left"), Solid())
        for a, b in itertools.pairwise(points):
            self.fill([a, (a[0], self.view[1]), (b[0], self.view[1]), b], STONE, 0.45)

    def note(
        self,
        text: str,
        x: float,
        y: float,
        color: Color = palette.TEXT_SOFT,
        height: float = TEXT_HEIGHT,
        anchor: Anchor = "center",
        bold: bool = False,
    ) -> None:
        """Write a line, its baseline at (x, y) in the world."""
        pixel_y = self.scale * (y - self.view[1])
        if self.y_down:
            pixel_y = self.size[1] - pixel_y
        self.notes.append(Note(text, self.scale * (x - self.view[0]), pixel_y, color, height, anchor, bold))

    def title(self, text: str, *details: str, height: float = TEXT_HEIGHT) -> None:
        """Write a heading in the panel's upper left corner, and lines below it."""
        top, line = self.size[1] - 1.6 * height, 1.35 * height
        self.notes.append(Note(text, 0.8 * height, top, palette.TEXT, 1.1 * height, "left", True))
        for number, detail in enumerate(details, 1):
            self.notes.append(Note(detail, 0.8 * height, top - number * line, palette.TEXT_SOFT, height, "left", False))

    def _paint_below(self, sketch: Sketch) -> None:
        if self._scene_below is not None:
            self._scene_below(sketch)
        for fill in self._fills:
            sketch.triangles(fill.points, np.array([(*fill.color, fill.alpha)]))
        self.below.draw(sketch)
        for trail in self._trails:
            points = np.array(trail.points, float64).reshape(-1, 2)
            age = np.linspace(0.0, 1.0, max(len(points) - 1, 0))[:, None]
            # As in _on_ground.
            colors = np.array(palette.ARENA) + (0.12 + 0.58 * age) * (np.array(trail.color) - palette.ARENA)
            sketch.strokes(points[:-1], points[1:], trail.width * (0.4 + 0.6 * age[:, 0]), colors)

    def _paint_above(self, sketch: Sketch) -> None:
        if self._scene_above is not None:
            self._scene_above(sketch)
        self.above.draw(sketch)


def _on_ground(color: Color, alpha: float) -> Color:
    """A colour as it looks on the ground, but covering: overlapping strokes with an alpha are a string of beads."""
    red, green, blue = (ground + alpha * (part - ground) for ground, part in zip(palette.ARENA, color, strict=True))
    return red, green, blue


def cells(makers: Sequence[Callable[[Place], Panel]]) -> list[Panel]:
    """Panels in two rows of three, in a figure of 960 × 540 pixels."""
    panels = []
    for number, make in enumerate(makers):
        left, bottom = 322 * (number % 3), 274 * (1 - number // 3)
        panels.append(make((left, bottom, left + 316, bottom + 266)))
    return panels

"""Scrolling: layers, a followed character, a dead zone, and a tile map in two directions; the mouse drags both."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import HarmonicTrajectory, InputState, Priority, Transform
from ecsphys.demo import palette
from ecsphys.demo.scenes.boxes import is_inside
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.scene import NO_GRID, Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Color, Sketch, rectangles
from ecsphys.effects import Camera, ParallaxLayer, TileMap
from ecsphys.systems import ScrollingSystem

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
PANES: tuple[Box, ...] = ((-16.7, -0.6, 16.7, 6.6), (-16.7, -7.8, 16.7, -2.0))
_VIEW = 33.4
_WORLD = 100.0
_TILE = 0.9
RADIUS = 0.45
"""Of both balls."""
_HOP, _HOP_HEIGHT, _HOP_SPEED = 7.2, 4.5, 6.0
"""The length and the height of a hop, and how fast the ball flies, units/s."""
_MAP_ROWS, _MAP_COLUMNS = 22, 120
_LAYER_WIDTHS = (100.0, 66.0, 46.0)
_LAYER_COLORS: tuple[Color, ...] = ((0.16, 0.42, 0.40), (0.13, 0.28, 0.42), (0.13, 0.18, 0.33))
_TILE_COLORS: tuple[Color, ...] = ((0.10, 0.14, 0.22), (0.42, 0.33, 0.25), (0.27, 0.52, 0.33), (0.33, 0.45, 0.72))


class Scrolled:
    """Two views of two worlds: hills in three layers above, a tile map below, each with a character."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.walker = Transform()
        self.walk = HarmonicTrajectory(50.0, 1.2, 49.0, 0.0, angular_frequency=0.22)
        self.runner = esper.create_entity(self.walker, self.walk)
        self.camera = Camera(50.0, 3.6, _VIEW, 7.2, _WORLD, 7.2, target=self.runner, dead_zone_x=4.0)
        camera = esper.create_entity(self.camera)
        self.layers = [ParallaxLayer(width, 7.2, camera) for width in _LAYER_WIDTHS]
        for layer in self.layers:
            esper.create_entity(layer)
        self.hills = [_hills(rng, width, number) for number, width in enumerate(_LAYER_WIDTHS)]

        terrain = _terrain(rng)
        # Row by row from below, earth and grass are the ground.
        self.ground = _TILE * np.count_nonzero((terrain == 1) | (terrain == 2), axis=0)
        self.hopper = Transform(_HOP)
        hopping = esper.create_entity(self.hopper)
        self.map_camera = Camera(54.0, 9.9, _VIEW, 5.8, _MAP_COLUMNS * _TILE, _MAP_ROWS * _TILE, target=hopping)
        map_camera = esper.create_entity(self.map_camera)
        self.tiles = TileMap(terrain, _TILE, camera=map_camera)
        esper.create_entity(self.tiles)

    def paint(self, sketch: Sketch) -> None:
        """Both views, each clipped to its pane."""
        self._paint_layers(sketch)
        self._paint_tiles(sketch)
        # What a pane does not show is covered by the ground's colour.
        covers = np.array(
            [
                (ARENA[0], PANES[0][3], ARENA[2], ARENA[3]),
                (ARENA[0], PANES[1][3], ARENA[2], PANES[0][1]),
                (ARENA[0], ARENA[1], ARENA[2], PANES[1][1]),
                (ARENA[0], ARENA[1], PANES[0][0], ARENA[3]),
                (PANES[0][2], ARENA[1], ARENA[2], ARENA[3]),
            ]
        )
        sketch.triangles(rectangles(covers), np.array([[*palette.ARENA, 1.0]]))
        sketch.boxes(np.array(PANES), palette.FRAME, line=1.5)

    def _paint_layers(self, sketch: Sketch) -> None:
        left, bottom, right, top = PANES[0]
        sketch.triangles(_sky(PANES[0]), _SKY_COLORS)
        for number in (2, 1, 0):
            hills, layer = self.hills[number], self.layers[number]
            x = np.linspace(0.0, layer.width, len(hills)) + layer.screen_x + left
            shown = (x > left - 2.0) & (x < right + 2.0)
            upper = np.column_stack((np.clip(x, left, right), bottom + hills))[shown]
            lower = np.column_stack((upper[:, 0], np.full(len(upper), bottom)))
            quads = np.stack((lower[:-1], lower[1:], upper[1:], lower[:-1], upper[1:], upper[:-1]), axis=1)
            sketch.triangles(quads.reshape(-1, 2), np.array([[*_LAYER_COLORS[number], 1.0]]))
            sketch.strokes(upper[:-1], upper[1:], 1.5, _lighter(_LAYER_COLORS[number]), 0.9)
        half = self.camera.dead_zone_x
        middle = 0.5 * (left + right)
        zone = np.array([[middle - half, bottom, middle + half, top]])
        sketch.boxes(zone, palette.ACCENT, 0.5, line=1.2, fill=0.04)
        self._paint_character(sketch, self.walker, self.camera, PANES[0])

    def _paint_tiles(self, sketch: Sketch) -> None:
        pane, visible = PANES[1], self.tiles.visible
        if visible is None:
            return
        x, y = np.meshgrid(visible.screen_x + pane[0], visible.screen_y + pane[1])
        boxes = np.column_stack((x.ravel(), y.ravel(), x.ravel() + 0.96 * _TILE, y.ravel() + 0.96 * _TILE))
        colors = np.array([[*color, 1.0] for color in _TILE_COLORS])[visible.tiles.ravel()]
        sketch.triangles(rectangles(boxes), np.repeat(colors, 6, axis=0))
        self._paint_character(sketch, self.hopper, self.map_camera, pane)

    def _paint_character(self, sketch: Sketch, place: Transform, camera: Camera, pane: Box) -> None:
        """Row B3: drawn at s − C + V/2."""
        x = pane[0] + place.x - camera.x + 0.5 * camera.view_width
        y = pane[1] + place.y - camera.y + 0.5 * camera.view_height
        sketch.circles(np.array([[x, y]]), RADIUS, palette.COLLIDERS[2], 0.9)
        sketch.circles(np.array([[x, y]]), RADIUS, palette.TEXT, 1.0, line=2.0)
        turns = place.angle + np.array((0.0, 0.5 * math.pi))
        spokes = RADIUS * np.column_stack((np.cos(turns), np.sin(turns)))
        middle = np.array((x, y))
        sketch.strokes(middle - spokes, middle + spokes, 1.5, palette.ARENA, 0.6)

    def visible_tiles(self) -> str:
        """How many columns and rows of tiles are drawn, of all there are."""
        visible = self.tiles.visible
        columns, rows = (visible.columns, visible.rows) if visible is not None else (0, 0)
        return f"{columns} × {rows} of {_MAP_COLUMNS} × {_MAP_ROWS}"


class Steer(esper.Processor):
    """Rolls the upper ball over the nearest hills, by the keys once they have been used."""

    def __init__(self, keys: InputState, scrolled: Scrolled) -> None:
        self.keys = keys
        self.scrolled = scrolled
        self._x: float | None = None
        self._last: tuple[float, float] | None = None

    def process(self, dt: float) -> None:
        walker = self.scrolled.walker
        if self.keys.x and self._x is None:
            self._x = walker.x
        if self._x is not None:
            self._x = min(max(self._x + 14.0 * self.keys.x * dt, 0.5), _WORLD - 0.5)
            walker.x = self._x
        # The nearest layer is as wide as its world and so moves with it: what stands on it stands still.
        walker.y = rests_at(self.scrolled.hills[0], walker.x)
        if self._last is not None:
            way = math.dist(self._last, (walker.x, walker.y))
            walker.angle -= math.copysign(way / RADIUS, walker.x - self._last[0])
        self._last = walker.x, walker.y


def rests_at(hills: NDArray[float64], x: float) -> float:
    """The height of a ball's middle at x that touches a ridge, and is nowhere inside."""
    beside = np.linspace(-RADIUS, RADIUS, 33)
    below = np.interp(x + beside, np.linspace(0.0, _WORLD, len(hills)), hills)
    return float((below + np.sqrt(RADIUS**2 - beside**2)).max())


class Hops(esper.Processor):
    """Lets the lower ball hop over the tiles, from one end of the map to the other and back."""

    def __init__(self, scrolled: Scrolled) -> None:
        self._scrolled = scrolled
        self._way = 1.0

    def process(self, dt: float) -> None:
        ball, last = self._scrolled.hopper, _MAP_COLUMNS * _TILE - _HOP
        ball.x += self._way * _HOP_SPEED * dt
        ball.angle -= self._way * _HOP_SPEED * dt / RADIUS
        if not _HOP <= ball.x <= last:
            self._way = -self._way
            ball.x = min(max(ball.x, _HOP), last)
        hop = ball.x / _HOP
        done = hop % 1.0
        start, end = (self._ground_at(_HOP * number) for number in (math.floor(hop), math.floor(hop) + 1))
        ball.y = start + done * (end - start) + 4.0 * _HOP_HEIGHT * done * (1.0 - done) + RADIUS

    def _ground_at(self, x: float) -> float:
        """The top of the highest tile below a ball."""
        ground = self._scrolled.ground
        columns = np.floor(np.array((x - RADIUS, x + RADIUS)) / _TILE).astype(int64)
        return float(ground[np.clip(columns, 0, len(ground) - 1)].max())


_GLIDE_SECONDS = 0.8


class Drag(esper.Processor, Pointer):
    """Takes a camera off its target while its view is dragged; it then glides back to the edge of the dead zone."""

    def __init__(self, scrolled: Scrolled) -> None:
        self._views = tuple(zip(PANES, (scrolled.camera, scrolled.map_camera), strict=True))
        self._targets = [camera.target for _, camera in self._views]
        self._held: Camera | None = None
        self._left = 0.0
        """Seconds until a camera that glides is back."""
        self._from = (0.0, 0.0)

    def press(self, x: float, y: float) -> bool:
        for pane, camera in self._views:
            if is_inside(pane, x, y):
                self._held = camera
                self._from = camera.x + x, camera.y + y
                camera.target, self._left = -1, _GLIDE_SECONDS
        return self._held is not None

    def move(self, x: float, y: float) -> None:
        if self._held is not None:
            self._held.x, self._held.y = self._from[0] - x, self._from[1] - y

    def release(self) -> None:
        self._held = None

    def process(self, dt: float) -> None:
        if self._held is None:
            self._left = max(self._left - dt, 0.0)
        # The speed falls evenly to 0 at the end.
        share = min(2.0 * dt / self._left, 1.0) if self._left > 0.0 else 1.0
        for (_, camera), target in zip(self._views, self._targets, strict=True):
            if camera.target >= 0 or camera is self._held:
                continue
            place = esper.component_for_entity(target, Transform)
            way_x = _way_back(camera.x, place.x, camera.dead_zone_x, camera.view_width, camera.world_width)
            way_y = _way_back(camera.y, place.y, camera.dead_zone_y, camera.view_height, camera.world_height)
            camera.x += share * way_x
            camera.y += share * way_y
            if self._left == 0.0:
                camera.target = target


def _way_back(at: float, target: float, zone: float, view: float, world: float) -> float:
    """How far a camera has to go, in a world from 0 on, until its target is in its dead zone."""
    goal = min(max(at, target - zone), target + zone)
    return min(max(goal, 0.5 * view), world - 0.5 * view) - at


def _hills(rng: np.random.Generator, width: float, number: int) -> NDArray[float64]:
    """Heights of a ridge at points 0.25 apart; the farther the layer, the higher."""
    x = np.arange(0.0, width + 0.25, 0.25)
    height = np.full(x.size, 1.7 + 1.1 * number)
    for octave in range(1, 5):
        turn = rng.uniform(0.0, math.tau)
        height += (0.75 + 0.2 * number) / octave * np.sin(0.21 * octave**1.3 * x + turn)
    ridge: NDArray[float64] = np.clip(height, 0.35, 6.4)
    return ridge


def _terrain(rng: np.random.Generator) -> NDArray[int64]:
    """Ids of tiles: 0 air, 1 earth, 2 grass, 3 stone that floats."""
    columns = np.arange(_MAP_COLUMNS)
    ground = 3.5 + 2 * np.sin(0.19 * columns + 1.0) + 1.5 * np.sin(0.47 * columns)
    rows = np.arange(_MAP_ROWS)[:, None]
    tiles = np.where(rows < np.floor(ground), 1, 0)
    tiles[rows == np.floor(ground)] = 2
    for _ in range(36):
        row, column = rng.integers(9, _MAP_ROWS - 1), rng.integers(0, _MAP_COLUMNS - 6)
        tiles[row, column : column + rng.integers(2, 7)] = 3
    return tiles.astype(int64)


def _sky(pane: Box) -> NDArray[float64]:
    return rectangles(np.array([pane]))


_SKY_LOW, _SKY_HIGH = (0.27, 0.22, 0.36, 1.0), (0.06, 0.09, 0.19, 1.0)
_SKY_COLORS = np.array([_SKY_LOW, _SKY_LOW, _SKY_HIGH, _SKY_LOW, _SKY_HIGH, _SKY_HIGH])


def _lighter(color: Color) -> Color:
    red, green, blue = (0.6 * part + 0.3 for part in color)
    return red, green, blue


def build(rng: np.random.Generator) -> Layout:
    """Two worlds of scenery, with a camera each."""
    physics = ecsphys.install()
    scrolled = Scrolled(rng)
    keys = InputState()
    esper.add_processor(Steer(keys, scrolled), Priority.ANALYTIC_MOTION - 1)
    drag = Drag(scrolled)
    esper.add_processor(drag, Priority.SCROLLING + 1)
    esper.add_processor(Hops(scrolled), Priority.ANALYTIC_MOTION - 1)
    esper.add_processor(ScrollingSystem(physics), Priority.SCROLLING)
    camera = scrolled.camera

    def set_zone(value: float) -> None:
        camera.dead_zone_x = value

    def set_map_zone(value: float) -> None:
        scrolled.map_camera.dead_zone_x = scrolled.map_camera.dead_zone_y = value

    captions = [
        Caption(
            -16.7,
            7.85,
            "Drag the hills, or walk with A and D",
            "Camera.dead_zone_x is the frame; ParallaxLayer",
            room=1.2,
        ),
        Caption(
            -16.7, -0.75, "Drag the map in any direction", "TileMap: only the tiles in view are computed", room=1.2
        ),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        show_contacts=False,
        grid=NO_GRID,
        show_guides=False,
        parameters=[
            Parameter("dead zone", lambda: camera.dead_zone_x, set_zone, (0.0, 2.0, 4.0, 8.0, 12.0), "± {:g} units"),
            Parameter(
                "map's zone",
                lambda: scrolled.map_camera.dead_zone_x,
                set_map_zone,
                (0.0, 1.0, 2.0, 2.8),
                "± {:g} units",
            ),
        ],
        readings=[
            Reading("camera", lambda: f"{camera.x:.1f}"),
            Reading("layers at", lambda: ", ".join(f"{layer.screen_x:.1f}" for layer in scrolled.layers)),
            Reading("tiles", scrolled.visible_tiles),
        ],
        paint_below=scrolled.paint,
        steering=keys,
        pointer=drag,
    )

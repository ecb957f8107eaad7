"""The cell of CollisionTable in the scene of entities: streams in layers, and a table of boxes to click."""

from __future__ import annotations

import enum
import math

import esper
import numpy as np

from ecsphys import CircleCollider, CollisionFilter, CollisionTable, LinearTrajectory, Physics, Transform
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.boundaries import Loop
from ecsphys.demo.scenes.entities.cells import FADE, hitting
from ecsphys.demo.scenes.scene import Pointer
from ecsphys.demo.scenes.sketch import Color, Sketch

_HALF_BOX = 0.42


class Layer(enum.IntFlag):
    """What there is in the streams."""

    PLAYER = 1
    FOE = 2
    SHOT = 4
    GHOST = 8


TABLES: dict[str, CollisionTable[Layer]] = {
    "a game": CollisionTable(Layer, {Layer.PLAYER | Layer.SHOT: Layer.FOE, Layer.GHOST: Layer.PLAYER}),
    "no ghosts": CollisionTable(Layer, {~Layer.GHOST: ~Layer.GHOST}),
    "all": CollisionTable(Layer, {~Layer(0): ~Layer(0)}),
    "none": CollisionTable(Layer, {}),
}
LAYER_COLORS: dict[Layer, Color] = dict(
    zip(Layer, (palette.COLLIDERS[0], palette.COLLIDERS[4], palette.COLLIDERS[2], palette.COLLIDERS[3]), strict=True)
)


YOURS = "yours"
"""The table that clicks make."""


class LayersCell(esper.Processor, Pointer):
    """Four streams that cross, and the table that says which layers meet, lit where they do."""

    columns = (-4.0, -2.95, -1.9, -0.85)
    rows = (-2.75, -3.85, -4.95, -6.05)
    """Of the table, by layer."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.table = "a game"
        self.tables = {**TABLES, YOURS: TABLES["a game"]}
        self.layers: dict[int, Layer] = {}
        self._filters: list[tuple[Layer, CollisionFilter]] = []
        self._discs: list[tuple[int, Transform]] = []
        self._heat = {(row, column): 0.0 for row in Layer for column in Layer}
        for lane in range(3):
            y, x = -2.2 - 1.9 * lane, -14.6 + 2.6 * lane
            ways = (
                (Layer.PLAYER, (-16.4, y), (2.2, 0.0), 4.0),
                (Layer.FOE, (-7.6, y), (-2.2, 0.0), 4.0),
                (Layer.SHOT, (x, -7.6), (0.0, 2.1), 3.0),
                (Layer.GHOST, (x, -1.3), (0.0, -2.1), 3.0),
            )
            for layer, start, velocity, period in ways:
                for place in range(2):
                    self._add(layer, start, velocity, period, (0.5 * place + 0.23 * lane) * period)

    def _add(self, layer: Layer, start: Pair, velocity: Pair, period: float, elapsed: float) -> None:
        own = self.tables[self.table].filter(layer)
        transform = Transform()
        path = LinearTrajectory(*start, *velocity, elapsed=elapsed % period)
        entity = esper.create_entity(transform, path, CircleCollider(0.3), Loop(period), own)
        self.layers[entity] = layer
        self._filters.append((layer, own))
        self._discs.append((entity, transform))

    def set_table(self, name: str) -> None:
        """Change which layers meet."""
        self.table = name
        for layer, own in self._filters:
            own.mask = self.tables[name].mask(layer)

    def press(self, x: float, y: float) -> bool:
        """A click on a box of the table switches whether its two layers meet."""
        for row, row_y in zip(Layer, self.rows, strict=True):
            for column, column_x in zip(Layer, self.columns, strict=True):
                if max(abs(x - column_x), abs(y - row_y)) < _HALF_BOX:
                    self.toggle(row, column)
                    return True
        return False

    def toggle(self, row: Layer, column: Layer) -> None:
        """Make a table like the present one but for two layers, and use it."""
        now = self.tables[self.table]
        switched = {frozenset((row, column))}
        meets = {
            one: Layer(sum(other for other in Layer if now.meets(one, other) != (frozenset((one, other)) in switched)))
            for one in Layer
        }
        self.tables[YOURS] = CollisionTable(Layer, meets)
        self.set_table(YOURS)

    def process(self, dt: float) -> None:
        for pair in self._heat:
            self._heat[pair] *= math.exp(-FADE * dt)
        hits = self.physics.hits
        for a, b in zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True):
            if a in self.layers and b in self.layers:
                one, other = self.layers[a], self.layers[b]
                self._heat[one, other] = self._heat[other, one] = 1.0

    def paint(self, board: Board, sketch: Sketch) -> None:
        """Streams in their layers' colours, and the table."""
        lit = hitting(self.physics)
        for entity, transform in self._discs:
            place = transform.x, transform.y
            board.circle(place, 0.3, color=LAYER_COLORS[self.layers[entity]])
            if entity in lit:
                board.circle(place, 0.3, lit=True)
                board.dot(place, LAYER_COLORS[self.layers[entity]], 4.0)
        table = self.tables[self.table]
        columns = dict(zip(Layer, self.columns, strict=True))
        for row, y in zip(Layer, self.rows, strict=True):
            board.circle((-4.95, y), 0.2, color=LAYER_COLORS[row])
            board.circle((columns[row], -1.75), 0.2, color=LAYER_COLORS[row])
            for column, x in columns.items():
                box = np.array([[x - _HALF_BOX, y - _HALF_BOX, x + _HALF_BOX, y + _HALF_BOX]])
                sketch.boxes(box, palette.LIT, 0.75 * self._heat[row, column], fill=1.0)
                sketch.boxes(box, palette.FRAME, 1.0, line=1.2)
                if table.meets(row, column):
                    board.dot((x, y), palette.TEXT, 5.0)

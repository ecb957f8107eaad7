"""Entities and their hits: out of the way, heard of by their owners, sorted by layers, and told apart by parts.

Each quarter is a cell, and handles the mouse over it.
"""

from __future__ import annotations

import esper
import numpy as np

import ecsphys
from ecsphys import Priority
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board
from ecsphys.demo.scenes.boundaries import LoopSystem
from ecsphys.demo.scenes.entities.cells import DisabledCell, ListenerCell
from ecsphys.demo.scenes.entities.layers import Layer, LayersCell
from ecsphys.demo.scenes.entities.parts import PartsCell
from ecsphys.demo.scenes.parameter import Parameter, Reading, option
from ecsphys.demo.scenes.scene import NO_GRID, Box, Caption, Layout, Pointer
from ecsphys.demo.scenes.sketch import Sketch

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)


class Quarters(Pointer):
    """Passes the mouse on to the cell in which the button went down."""

    def __init__(self, upper_left: Pointer, upper_right: Pointer, lower_left: Pointer, lower_right: Pointer) -> None:
        self._cells = ((lower_left, upper_left), (lower_right, upper_right))
        self._held: Pointer | None = None

    def press(self, x: float, y: float) -> bool:
        self._held = self._cells[x > 0.0][y > 0.0]
        return self._held.press(x, y)

    def move(self, x: float, y: float) -> None:
        if self._held is not None:
            self._held.move(x, y)

    def release(self) -> None:
        if self._held is not None:
            self._held.release()
            self._held = None


def build(rng: np.random.Generator) -> Layout:
    """The stones that hail on the ship are random."""
    physics = ecsphys.install()
    blinking, listening = DisabledCell(physics), ListenerCell(physics)
    layers, parts = LayersCell(physics), PartsCell(physics, rng)
    cells = (blinking, listening, layers, parts)
    for cell in cells:
        esper.add_processor(cell, Priority.INPUT)
    esper.add_processor(LoopSystem())

    def paint(sketch: Sketch) -> None:
        board = Board()
        board.line((0.0, ARENA[1]), (0.0, ARENA[3]), palette.FRAME, 1.0)
        board.line((ARENA[0], 0.0), (ARENA[2], 0.0), palette.FRAME, 1.0)
        for cell in cells:
            cell.paint(board, sketch)
        board.draw(sketch)

    def set_period(value: float) -> None:
        blinking.period = value

    def set_turning(value: float) -> None:
        parts.turning.angular = value

    lamp, first, down = parts.lamps
    captions = [
        Caption(-16.7, 7.8, "Click the hexagon off and on", "Disabled: its hits end, and start again", room=1.2),
        Caption(-3.6, 6.1, "went off"),
        Caption(-3.6, 3.5, "passed"),
        Caption(0.3, 7.8, "Drag a target into the balls", "HitListener: each counts its own hits", room=1.2),
        Caption(-16.7, -0.2, "Click the table: who meets whom", "CollisionTable", room=1.2),
        *(
            Caption(-7.7, y + 0.35, layer.name.lower())
            for layer, y in zip(Layer, layers.rows, strict=True)
            if layer.name is not None
        ),
        Caption(0.3, -0.2, "Click to throw stones at the ship", "CompoundCollider: a hit names the part"),
        *(Caption(lamp + 0.45, first - down * number + 0.35, name) for number, name in enumerate(parts.names)),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        grid=NO_GRID,
        paints_itself=True,
        parameters=[
            option("table", lambda: layers.table, layers.set_table, tuple(layers.tables)),
            Parameter("blink", lambda: blinking.period, set_period, (0.35, 0.7, 1.4, 2.8), "{:g} s"),
            Parameter("balls", lambda: listening.speed, listening.set_speed, (2.5, 5.0, 10.0), "{:g} units/s"),
            Parameter("ship turns", lambda: parts.turning.angular, set_turning, (-1.0, 0.0, 0.35, 1.0), "{:g} rad/s"),
        ],
        readings=[
            Reading("the hexagon is", lambda: "disabled" if blinking.is_disabled else "there"),
            Reading("targets hit", lambda: str(sum(target.count for target in listening.targets))),
        ],
        paint_above=paint,
        pointer=Quarters(*cells),
    )

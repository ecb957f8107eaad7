"""Entities and their hits: out of the way, heard of by their owners, sorted by layers, and told apart by parts."""

from __future__ import annotations

import esper
import numpy as np

import ecsphys
from ecsphys import Priority
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board
from ecsphys.demo.scenes.boundaries import LoopSystem
from ecsphys.demo.scenes.entity_cells import TABLES, DisabledCell, Layer, LayersCell, ListenerCell, PartsCell
from ecsphys.demo.scenes.parameter import Parameter, Reading, option
from ecsphys.demo.scenes.scene import Box, Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)


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
        Caption(-16.7, 7.8, "Disabled", "collisions off, not deleted; its hits end, and start again after it"),
        Caption(-3.6, 6.1, "ends, by reason", "disabled"),
        Caption(-3.6, 3.5, "", "separated"),
        Caption(
            0.3,
            7.8,
            "HitListener",
            "each counts its own hits; the normal points away from itself; balls bounce by theirs",
        ),
        Caption(-16.7, -0.2, "CollisionTable", "which layers collide, by name; lit where they do now"),
        *(
            Caption(-6.75, y + 0.17, layer.name.lower())
            for layer, y in zip(Layer, layers.rows, strict=True)
            if layer.name is not None
        ),
        Caption(0.3, -0.2, "CompoundCollider", "one entity of several parts; a hit names the part"),
        *(
            Caption(lamp + 0.45, first - down * number + 0.17, f"{number}  {name}")
            for number, name in enumerate(parts.names)
        ),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        show_contacts=False,
        grid=1e6,
        show_shapes=False,
        show_guides=False,
        legend=False,
        parameters=[
            option("table", lambda: layers.table, layers.set_table, tuple(TABLES)),
            Parameter("blink", lambda: blinking.period, set_period, (0.35, 0.7, 1.4, 2.8), "{:g} s"),
            Parameter("balls", lambda: listening.speed, listening.set_speed, (2.5, 5.0, 10.0), "{:g}/s"),
            Parameter("ship turns", lambda: parts.turning.angular, set_turning, (-1.0, 0.0, 0.35, 1.0), "{:g} rad/s"),
        ],
        readings=[
            Reading("the hexagon is", lambda: "disabled" if blinking.is_disabled else "there"),
            Reading("targets hit", lambda: str(sum(target.count for target in listening.targets))),
        ],
        paint_above=paint,
    )

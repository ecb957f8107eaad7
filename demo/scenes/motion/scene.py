"""Every trajectory, the same motion stepped under a force below it, and what only forces can do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    Acceleration,
    BallisticTrajectory,
    CapsuleCollider,
    CircleCollider,
    CircularTrajectory,
    Component,
    Drag,
    FanCollider,
    Gravity,
    HarmonicTrajectory,
    LinearTrajectory,
    OBBCollider,
    Orbit,
    PolygonCollider,
    Spring,
    Transform,
    Velocity,
)
from ecsphys.demo.scenes.board import Board
from ecsphys.demo.scenes.boundaries import BEFORE_MOTION, Loop, LoopSystem, Restart, RestartSystem
from ecsphys.demo.scenes.chapters.hand import AFTER_MOTION
from ecsphys.demo.scenes.drawing.trails import Trails
from ecsphys.demo.scenes.motion.flings import CountDown, Flings, Twins
from ecsphys.demo.scenes.physics_parameters import method, substeps
from ecsphys.demo.scenes.scene import Box, Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
COLUMNS, ROWS = 4, 3
CELL_WIDTH = (ARENA[2] - ARENA[0]) / COLUMNS
CELL_HEIGHT = (ARENA[3] - ARENA[1]) / ROWS
GRAVITY = 6.0

Make = Callable[[float, float], list[Component]]


@dataclass(frozen=True)
class Cell:
    """One place of the table: its caption and what moves about its centre (x, y)."""

    text: str
    detail: str
    make: Make


def _stepped(x: float, y: float, vx: float, vy: float, period: float = 0.0) -> list[Component]:
    """Transform and Velocity, and the way back to them after a time."""
    restart: list[Component] = [Restart(period, x, y, vx, vy)] if period else []
    return [Transform(x, y), Velocity(vx, vy), *restart]


def _linear(x: float, y: float) -> list[Component]:
    return [Transform(), LinearTrajectory(x - 3.0, y - 0.9, 2.0, 0.6), CircleCollider(0.4), Loop(3.0)]


def _uniform(x: float, y: float) -> list[Component]:
    return [*_stepped(x - 3.0, y - 0.9, 2.0, 0.6, 3.0), CircleCollider(0.4)]


def _ballistic(x: float, y: float) -> list[Component]:
    flight = BallisticTrajectory(x - 2.9, y - 1.4, 3.0, 5.8, 0.0, -GRAVITY)
    return [Transform(), flight, FanCollider(0.5, 1.5 * math.pi), Loop(5.8 / 3.0)]


def _falling(x: float, y: float) -> list[Component]:
    return [*_stepped(x - 2.9, y - 1.4, 3.0, 5.8, 5.8 / 3.0), Gravity(), FanCollider(0.5, 1.5 * math.pi)]


def _circular(x: float, y: float) -> list[Component]:
    return [Transform(), CircularTrajectory(x, y, 1.35, 2.4), OBBCollider(0.45, 0.3)]


def _orbit(x: float, y: float) -> list[Component]:
    return [*_stepped(x + 1.35, y, 0.0, 2.4 * 1.35), Orbit(x, y, 2.4), OBBCollider(0.45, 0.3)]


def _harmonic(x: float, y: float) -> list[Component]:
    swing = HarmonicTrajectory(x, y, 2.9, 1.0, angular_frequency=3.0, phase=0.5 * math.pi, damping=0.06)
    return [Transform(), swing, CapsuleCollider(0.5, 0.28), Loop(8.0)]


def _spring(x: float, y: float) -> list[Component]:
    # k/m = 3², damping/m = 2 · 0.06 · 3; a trajectory released with x0 = A, v0 = 0.
    spring = Spring(x, y, stiffness=9.0, damping=0.36)
    return [*_stepped(x + 2.9, y + 1.0, 0.0, 0.0, 8.0), spring, CapsuleCollider(0.5, 0.28)]


def _accelerated(x: float, y: float) -> list[Component]:
    return [*_stepped(x + 2.7, y - 1.3, -6.0, 1.5, 3.3), Acceleration(3.6, -0.45), CircleCollider(0.4)]


def _dragged(x: float, y: float) -> list[Component]:
    house = PolygonCollider([(0.45, -0.4), (0.45, 0.2), (0.0, 0.5), (-0.45, 0.2), (-0.45, -0.4)], 0.08)
    return [*_stepped(x - 2.7, y - 1.2, 9.0, 7.0, 1.66), Gravity(), Drag(linear=1.6), house]


def _ellipse(x: float, y: float) -> list[Component]:
    return [*_stepped(x + 2.9, y, 0.0, 2.4), Spring(x, y, stiffness=4.0), AABBCollider(0.5, 0.3)]


def _spin(x: float, y: float) -> list[Component]:
    return [Transform(x, y), Velocity(angular=4.0), CapsuleCollider(2.6, 0.25), FanCollider(1.4, 0.9, 0.5 * math.pi)]


# Above a trajectory, below it the same motion in steps, in the last row what only forces can do.
TABLE: tuple[tuple[Cell, ...], ...] = (
    (
        Cell("Straight on: fling it", "LinearTrajectory, exact", _linear),
        Cell("A throw: fling it", "BallisticTrajectory, exact", _ballistic),
        Cell("A circle: move it", "CircularTrajectory, exact", _circular),
        Cell("A spring: pull it", "HarmonicTrajectory, exact", _harmonic),
    ),
    (
        Cell("The same in steps", "Velocity, 60 steps a second", _uniform),
        Cell("The same in steps", "Velocity + Gravity", _falling),
        Cell("The same in steps", "Velocity + Orbit", _orbit),
        Cell("The same in steps", "Velocity + Spring", _spring),
    ),
    (
        Cell("Wind from the left", "Velocity + Acceleration", _accelerated),
        Cell("Air slows the fall", "Velocity + Gravity + Drag", _dragged),
        Cell("A spring, pushed aside", "Velocity + Spring", _ellipse),
        Cell("Turn the propeller", "Velocity.angular", _spin),
    ),
)
_PULLED_COLUMN = 3


def _pair_up(movers: list[list[int]], middles: list[list[tuple[float, float]]]) -> list[Twins]:
    """The first two rows in pairs, the last alone."""
    twins = []
    for column in range(COLUMNS):
        rows = range(2)
        twins.append(
            Twins(
                [movers[row][column] for row in rows],
                [middles[row][column] for row in rows],
                [TABLE[row][column].make for row in rows],
                is_pulled=column == _PULLED_COLUMN,
            )
        )
        cell = TABLE[2][column]
        twins.append(Twins([movers[2][column]], [middles[2][column]], [cell.make], spins=cell.make is _spin))
    return twins


def build(rng: np.random.Generator) -> Layout:
    """The table's cells from the upper left; nothing here is random."""
    physics = ecsphys.install(gravity=(0.0, -GRAVITY), integrator="verlet")
    esper.add_processor(LoopSystem())
    esper.add_processor(RestartSystem(), priority=BEFORE_MOTION)
    captions: list[Caption] = []
    movers: list[list[int]] = []
    middles: list[list[tuple[float, float]]] = []
    for row, cells in enumerate(TABLE):
        top = ARENA[3] - row * CELL_HEIGHT
        lefts = [ARENA[0] + column * CELL_WIDTH for column in range(COLUMNS)]
        middles.append([(left + 0.5 * CELL_WIDTH, top - 0.5 * CELL_HEIGHT - 0.65) for left in lefts])
        captions += [
            Caption(left + 0.45, top - 0.3, cell.text, cell.detail, room=1.2)
            for left, cell in zip(lefts, cells, strict=True)
        ]
        movers.append(
            [esper.create_entity(*cell.make(*middle)) for cell, middle in zip(cells, middles[row], strict=True)]
        )
    flings = Flings(physics, ARENA, _pair_up(movers, middles))
    esper.add_processor(flings, AFTER_MOTION)
    esper.add_processor(CountDown(flings), BEFORE_MOTION + 1)

    def paint(sketch: Sketch) -> None:
        board = Board()
        flings.paint(board)
        board.draw(sketch)

    return Layout(
        physics,
        ARENA,
        captions,
        Trails([mover for row in movers for mover in row]),
        parameters=[method(physics), substeps(physics)],
        paint_above=paint,
        pointer=flings,
        legend=True,
    )

"""A sorting machine: belts carry bodies over trapdoors. Each door lets one shape through.

A shape that misses its door is carried back to the start by the air of a tube. A full bin opens its floor and makes
room for more.
"""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import CollisionFilter, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.patterns.pattern import TOY
from ecsphys.demo.scenes.rigid.sorting_hatches import FLOOR, Hatches
from ecsphys.demo.scenes.rigid.sorting_tube import SHAFT, Tube
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import MACHINE, STONE, blend, put
from ecsphys.demo.scenes.rigid.toys import TOYS, toy, toy_color
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch, rectangles
from ecsphys.demo.scenes.tools.blast import DynamicBodies

KINDS = (0, 1, 3, 4, 2)
"""The toys that are sorted, from left to right."""
WIDTH = (SHAFT - LEFT) / len(KINDS)
"""The width of a bin."""
BELT, _DOOR = 9.6, 2.4
"""The belt's top, and the width of a trapdoor."""
_SPEED = 3.0
_EVERY = 0.3
"""Seconds from one body to the next."""
MOST = 150
"""How many bodies there may be."""
_ALL = 0xFFFFFFFF
_SIZE = 0.46
_MOUTH = (LEFT + 1.4, 17.6)
"""Where bodies are dropped, out of sight."""
_ROOM = 1.2
"""How near to the mouth another body blocks it."""
_GONE = -3.0
"""Below this nothing can be seen."""


class Hopper(esper.Processor):
    """Drops bodies until there are enough, and deletes bodies that have fallen out of the picture."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.every = _EVERY
        self._rng = rng
        self._clock = 0.0
        self._bodies = DynamicBodies()

    def process(self, dt: float) -> None:
        self._clock += dt
        places = self._bodies.places()
        for fallen in self._bodies()[0][places[:, 1] < _GONE].tolist():
            esper.delete_entity(fallen, immediate=True)
        may_drop = len(places) < MOST and not (np.hypot(*(places - _MOUTH).T) < _ROOM).any()
        if may_drop and self._clock >= self.every:
            self._clock = 0.0
            self._drop(int(self._rng.choice(KINDS)))

    def _drop(self, kind: int) -> None:
        place, start = Transform(*_MOUTH, float(self._rng.uniform(0.0, math.tau))), Velocity(0.0, -4.0)
        # Without rolling resistance a circle would spin on the belt and stay where it is.
        body = RigidBody(friction=0.5, rolling_resistance=0.15)
        layer = CollisionFilter(layers=layer_of(kind))
        put(toy_color(kind), place, start, toy(kind, _SIZE), layer, body, pattern=TOY)


class Belts:
    """The belt, in pieces. Every second piece is a trapdoor."""

    def __init__(self) -> None:
        self._pieces: list[int] = []
        left = LEFT
        for number, kind in enumerate(KINDS):
            door = LEFT + (number + 0.66) * WIDTH
            self._add(left, door - 0.5 * _DOOR)
            self._add(door - 0.5 * _DOOR, door + 0.5 * _DOOR, kind)
            left = door + 0.5 * _DOOR
        self._add(left, RIGHT)

    @property
    def speed(self) -> float:
        """How fast the belt runs, units/s."""
        return esper.component_for_entity(self._pieces[0], RigidBody).tangent_speed

    def run(self, speed: float) -> None:
        """Let the belt run as fast as this."""
        for piece in self._pieces:
            esper.component_for_entity(piece, RigidBody).tangent_speed = speed

    def _add(self, left: float, right: float, passed: int | None = None) -> None:
        """A piece of the belt. If ``passed`` is a kind of toy, it is a trapdoor for that kind, in its colour."""
        color = MACHINE if passed is None else blend((MACHINE, toy_color(passed)), 0.8)
        mask = _ALL if passed is None else _ALL & ~layer_of(passed)
        piece = put(
            color,
            Transform(0.5 * (left + right), BELT - 0.2),
            OBBCollider(0.5 * (right - left), 0.2),
            RigidBody("static", friction=0.9, tangent_speed=_SPEED),
            CollisionFilter(mask=mask),
        )
        self._pieces.append(piece)


class Marks(esper.Processor):
    """Marks that run with the belt, and behind the bins their colours."""

    def __init__(self, belts: Belts) -> None:
        self._belts = belts
        self._run = 0.0
        edges = LEFT + WIDTH * np.arange(len(KINDS) + 1)
        bins = np.column_stack((edges[:-1], np.full(len(KINDS), FLOOR), edges[1:], np.full(len(KINDS), BELT - 0.4)))
        self._bins = rectangles(bins)
        tints = np.array([toy_color(kind) for kind in KINDS])
        depth = np.tile((0.16, 0.16, 0.0, 0.16, 0.0, 0.0), len(KINDS))
        self._tints: NDArray[float64] = np.column_stack((np.repeat(tints, 6, axis=0), depth))

    def process(self, dt: float) -> None:
        self._run = (self._run + self._belts.speed * dt) % 1.0

    def paint_below(self, sketch: Sketch) -> None:
        sketch.triangles(self._bins, self._tints)

    def paint_above(self, sketch: Sketch) -> None:
        x = np.arange(LEFT + self._run, RIGHT, 1.0)
        low, high = np.full(len(x), BELT - 0.32), np.full(len(x), BELT - 0.08)
        sketch.strokes(np.column_stack((x, low)), np.column_stack((x + 0.12, high)), 1.5, STONE, 0.9)


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage(with_floor=False, ceiling=_MOUTH[1] + 1.0)
    belts, hopper = Belts(), Hopper(rng)
    for number in range(1, len(KINDS)):
        plank(LEFT + number * WIDTH, 0.5 * (FLOOR + 7.6), 0.12, 0.5 * (7.6 - FLOOR))
    plank(0.5 * (SHAFT + RIGHT), 0.5 * (BELT - 0.4) - 2.0, 0.5 * (RIGHT - SHAFT), 0.5 * (BELT - 0.4) + 2.0)
    hatches, tube, marks = Hatches(LEFT, WIDTH, len(KINDS)), Tube(physics), Marks(belts)
    for processor in (hopper, tube, hatches, marks):
        esper.add_processor(processor, priority=450)

    def paint(sketch: Sketch) -> None:
        marks.paint_below(sketch)
        tube.paint(sketch)

    def drop_every(rate: float) -> None:
        hopper.every = 1.0 / rate

    layout = show(
        physics,
        [
            Caption(LEFT + 3.2, 13.6, "Each door lets one shape through", "CollisionFilter(mask=all & ~layer)"),
            Caption(
                -1.6, 13.6, "Shapes that miss their door fly back", "belts: tangent_speed, air: bodies.set_velocity"
            ),
            *(Caption(LEFT + number * WIDTH + 0.3, 8.4, TOYS[kind]) for number, kind in enumerate(KINDS)),
            Caption(LEFT + 0.3, 0.6, "Click a floor: the bin opens"),
        ],
        [
            Parameter("belt", lambda: belts.speed, belts.run, (0.0, 1.5, 3.0, 4.5, 6.0), "{:g} units/s"),
            Parameter("drops", lambda: 1.0 / hopper.every, drop_every, (1.0, 2.0, 1.0 / _EVERY, 5.0), "{:.1f}/s"),
        ],
        [
            Reading("sorted", lambda: f"{hatches.emptied + hatches.inside}"),
            Reading("flew back", lambda: f"{tube.carried}"),
        ],
        paint_below=paint,
        paint_above=marks.paint_above,
    )
    layout.pointer = hatches
    return layout


def layer_of(kind: int) -> int:
    """The collision layer of a kind of toy."""
    return 1 << (kind + 1)

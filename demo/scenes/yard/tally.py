"""The score: the pieces that fell from their places, their points, and how many one shot brought down."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np

import ecsphys
from ecsphys import Transform
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.systems.dynamics.joints.joint_table import JointBreak

HINGE = 25
"""Points for each joint that breaks."""
CHAIN, CHAIN_POINTS = 10, 100
"""For each so many pieces that fell after the same shot, points more."""
_DROP, _TURN, _WAY = 0.6, 0.6, 1.5
"""A piece fell if it came down so far (units), turned so far (radians), or was moved so far (units)."""
_MOST_LABELS = 12
_LABEL_SECONDS = 1.4
_TOGETHER, _NEAR = 0.45, 8.0
"""The age of a label, as a part of its life, and the units from it, up to which points are added to it."""


class Piece(ecsphys.Component):
    """Its place before the first shot, and the points that it is worth once it fell."""

    x: float
    y: float
    angle: float
    worth: float
    fell: bool = False


def count_as_piece(entity: int, worth: float) -> None:
    """Make an entity a piece whose place is where it is now."""
    place = esper.component_for_entity(entity, Transform)
    esper.add_component(entity, Piece(place.x, place.y, place.angle, worth))


class Tally(esper.Processor):
    """Counts pieces that fall, and breaking joints. ``on_fall`` gets the pieces that fell in a step."""

    def __init__(self, on_fall: Callable[[list[int]], None]) -> None:
        self.points = 0
        self.fallen = 0
        self.labels: list[tuple[float, float, int, float]] = []
        """x, y, points and age from 0 to 1 of the latest points."""
        self._after_shot = 0
        """Pieces that fell since the last shot."""
        self._on_fall = on_fall
        self._pieces = CachedJoin(Piece, Transform)
        # esper keeps a weak reference: the world keeps this processor, and so the handler.
        esper.set_handler("joint_broken", self._on_break)

    @property
    def pieces(self) -> int:
        """How many there are, fallen or not."""
        return len(self._pieces()[0])

    def begin_shot(self) -> None:
        """Count a new chain."""
        self._after_shot = 0

    def process(self, dt: float) -> None:
        self.labels = [
            (x, y, points, age + dt / _LABEL_SECONDS)
            for x, y, points, age in self.labels
            if age + dt / _LABEL_SECONDS < 1.0
        ]
        entities, pieces, places = self._pieces()
        x, y, angle = (
            Transform.column(name, writable=False)[places] - Piece.column(name, writable=False)[pieces]
            for name in ("x", "y", "angle")
        )
        fell = (y < -_DROP) | (np.abs(angle) > _TURN) | (np.hypot(x, y) > _WAY)
        fresh = np.flatnonzero(fell & ~Piece.column("fell", writable=False)[pieces])
        if not len(fresh):
            return
        Piece.column("fell")[pieces[fresh]] = True
        worth = Piece.column("worth", writable=False)[pieces[fresh]]
        self.fallen += len(fresh)
        self._on_fall(entities[fresh].tolist())
        chains = (self._after_shot + len(fresh)) // CHAIN - self._after_shot // CHAIN
        self._after_shot += len(fresh)
        self.points += int(worth.sum()) + CHAIN_POINTS * chains
        best = fresh[np.argmax(worth)]
        self._label(
            float(Transform.column("x", writable=False)[places[best]]),
            float(Transform.column("y", writable=False)[places[best]]),
            int(worth.sum()) + CHAIN_POINTS * chains,
        )

    def _label(self, x: float, y: float, points: int) -> None:
        """Show points at a place; points that follow at once at the same place are added to them."""
        if self.labels:
            last_x, last_y, last_points, age = self.labels[-1]
            if age < _TOGETHER and abs(last_x - x) + abs(last_y - y) < _NEAR:
                self.labels[-1] = (last_x, last_y, last_points + points, age)
                return
        self.labels = [*self.labels, (x, y, points, 0.0)][-_MOST_LABELS:]

    def _on_break(self, broken: JointBreak) -> None:
        if broken.reason in ("force", "torque"):
            self.points += HINGE

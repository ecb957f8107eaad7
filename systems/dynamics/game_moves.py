"""Colliders that the game has moved: whether they may push a body."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.dynamics.followed_writes import BodiesOfColliders, Neighbours, follow_moves, may_push
from ecsphys.engine.run.step_plan import StepPlan
from ecsphys.systems.world.collider_placing import BOX_PADDING
from ecsphys.systems.world.entity_table import Slots

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics_state import PhysicsState

MOST_MOVED: Final = 16
"""So many colliders are looked at one by one."""

# Room for so many neighbours of them.
_ROOM: Final = 256


class GameMoves:
    """Looks around colliders that the game has moved."""

    __slots__ = ("_bodies", "_counts", "_rows", "_scratch", "_slots", "_state")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._scratch: tuple[NDArray[float64], NDArray[int32]] = np.zeros((MOST_MOVED, 4)), np.zeros((_ROOM, 2), int32)
        self._rows: NDArray[int64] = np.zeros(MOST_MOVED, int64)
        # How often plans have followed each row of Transform.
        self._counts: NDArray[int64] = np.zeros(0, int64)
        self._slots: Slots = np.zeros(MOST_MOVED, int32)
        self._bodies: BodiesOfColliders | None = None

    def may_push(self, slots: Slots) -> bool:
        """Whether any of at most MOST_MOVED colliders may push a body; all are placed."""
        found, boxes = self._state.hits.found, self._state.tables.colliders.placed.boxes
        return may_push(slots, boxes, self._neighbours(found.buffer, found.counts.contacts), self._bodies_now())

    def plan(self, plan: StepPlan, buffer: ContactBuffer) -> None:
        """Write to the plan of steps that begin with the contacts of a buffer how it follows what the game moves."""
        state = self._state
        flags = np.frombuffer(Transform._columns.dirty, uint8)
        if len(self._counts) < len(flags):
            self._counts = np.zeros(len(flags), int64)
        near, bodies = self._neighbours(buffer, 0), self._bodies_now()
        any_sleeps = state.body_table.any_sleeps
        arguments = (
            flags,
            self._counts,
            self._rows,
            self._slots,
            state.placing.arrays,
            BOX_PADDING,
            near,
            bodies,
            any_sleeps,
        )
        plan.record(follow_moves, arguments)

    def take_counts(self, rows: NDArray[int64]) -> NDArray[int64]:
        """How often plans have followed each of some rows of Transform; they begin to count again."""
        counts = self._counts[rows]
        self._counts[rows] = 0
        return counts

    def _neighbours(self, buffer: ContactBuffer, contacts: int) -> Neighbours:
        sleeping = self._state.sleeping
        return Neighbours(self._state.hits.search.prediction, buffer.pairs[:contacts], sleeping.awake, sleeping.kept)

    def _bodies_now(self) -> BodiesOfColliders:
        table, kept = self._state.body_table, self._bodies
        now = table.body_of, table.row_of, table.listed.kind
        if kept is None or not all(map(is_, kept, now)):
            kept = self._bodies = BodiesOfColliders(*now, *self._scratch)
        return kept

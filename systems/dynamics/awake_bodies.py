"""The bodies that a step reads: only awake bodies, after the others have slept for some steps."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.dynamics.body_mass import KINEMATIC, STATIC
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.tables.entity_rows import PARENT, VELOCITY
from ecsphys.systems.dynamics.body_listing import are_on_paths
from ecsphys.systems.world.entity_table import Slots

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# With fewer bodies to pass over it is not worth while.
_AT_LEAST: Final = 64

# After so many steps in which nothing woke or fell asleep the others are passed over; where too few sleep, after so
# many more.
_CALM_STEPS: Final = 3
_STEPS_TO_WAIT: Final = 60

_NO_SLOTS: Final[Slots] = np.zeros(0, int32)


class AwakeBodies:
    """The bodies of one world that a step gathers, moves and writes back.

    Sleeping and static bodies, and kinematic ones without a velocity, do not change from step to step: their rows stay
    as the solver wrote them last. So they are passed over, by the placing of colliders as well, as long as the same
    bodies sleep, and the game touches none of them.

    Attributes
    ----------
    rows
        (k, 2) Runs of the rows of these bodies, ascending: the first, and the one after the last.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._table = state.body_table
        self.rows = self._all_rows = _all_of(0)
        self._passes_over = False
        self._stamp: tuple[int, int] = (-1, -1)
        self._calm = 0
        # Up to which entry of the log of Transform what sleeps has been moved.
        self._moved_to = 0

    def choose(self, is_untouched: bool) -> None:
        """Choose them for a step; ``is_untouched``: the game has changed no body but by velocities and forces."""
        table = self._table
        if table.written_rows:
            if self._passes_over:
                self.rows = _with(self.rows, np.concatenate(table.written_rows))
            table.written_rows = []
        if not is_untouched or self._stamp != (table.revision, table.sleep_changes):
            self.take_all()
        elif not self._passes_over and table.any_sleeps:
            self._calm += 1
            if self._calm >= _CALM_STEPS:
                self._pass_over_sleepers()

    @property
    def is_settled(self) -> bool:
        """Whether the next step chooses the same bodies, unless the game changes any."""
        table = self._table
        return not table.written_rows and self._stamp == (table.revision, table.sleep_changes)

    @property
    def steps_ahead(self) -> float:
        """How many steps come before the one that looks for more bodies to pass over."""
        waits = not self._passes_over and self._table.any_sleeps
        return _CALM_STEPS - 1 - self._calm if waits else inf

    def note_steps(self, count: int) -> None:
        """Count some steps for which nothing was chosen."""
        if not self._passes_over and self._table.any_sleeps:
            self._calm += count

    def take_all(self) -> None:
        """Go through all, in this step and some more."""
        table = self._table
        count = len(table)
        if self._all_rows[0, 1] != count:
            self._all_rows = _all_of(count)
        self.rows, self._calm, self._stamp = self._all_rows, 0, (table.revision, table.sleep_changes)
        self._moved_to = Transform._columns.writes.revision
        if self._passes_over:
            self._passes_over = False
            self._state.placing.pass_over(_NO_SLOTS)

    def _still_kinematic(self) -> Slots:
        """The rows of kinematic bodies that nothing moves but the game itself, by their ``Transform``."""
        table, entities = self._table, self._state.tables.entities
        listed = table.listed
        is_still = (listed.kind == KINEMATIC) & (table.rigid_rows >= 0) & (listed.rows[VELOCITY] < 0)
        rows = np.flatnonzero(is_still).astype(int32)
        owners = listed.owner[rows]
        is_moved = are_on_paths(entities, owners) | (entities.rows_of(PARENT)[owners] >= 0)
        return rows[~is_moved]

    def _pass_over_sleepers(self) -> None:
        table, placing = self._table, self._state.placing
        asleep = table.states.island != AWAKE
        rests = asleep | (table.listed.kind == STATIC)
        rests[self._still_kinematic()] = True
        are_few = int(np.count_nonzero(asleep)) < _AT_LEAST and not rests.all()
        if are_few or not placing.has_placed(self._moved_to):
            self._calm = -_STEPS_TO_WAIT
            return
        self.rows = np.flatnonzero(np.diff(~rests, prepend=False, append=False)).astype(int32).reshape(-1, 2)
        self._passes_over = True
        # A child of a body may be moved in its frame, whether that sleeps or not.
        placing.pass_over(self._state.tables.colliders_of(table.listed.owner[asleep]))


def _all_of(count: int) -> NDArray[int32]:
    """The first so many rows, as a run."""
    return np.array([(0, count)], int32)


def _with(runs: NDArray[int32], rows: Slots) -> NDArray[int32]:
    """The runs (k, 2) that have some rows as well."""
    parts = np.concatenate((runs, np.stack((rows, rows + 1), axis=1)))
    parts = parts[np.argsort(parts[:, 0], kind="stable")]
    ends = np.maximum.accumulate(parts[:, 1])
    begins = np.flatnonzero(np.concatenate((np.ones(1, np.bool_), parts[1:, 0] > ends[:-1])))
    merged: NDArray[int32] = np.stack((parts[begins, 0], np.append(ends[begins[1:] - 1], ends[-1:])), axis=1)
    return np.ascontiguousarray(merged)

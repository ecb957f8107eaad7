"""Lists of the entities that systems go through in every step; found again after a change of the world."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy import int32
from numpy.typing import NDArray

from ecsphys.engine.motion.trajectory_motion import KIND, OWNER, TRAJECTORY, TRAJECTORY_ROW_COLUMNS
from ecsphys.engine.motion.trajectory_motion import TRANSFORM as PATH_TRANSFORM
from ecsphys.engine.motion.trajectory_motion import VELOCITY as PATH_VELOCITY
from ecsphys.engine.tables.entity_rows import (
    ACCELERATION,
    BULLET,
    DRAG,
    PARENT,
    TRANSFORM,
    VELOCITY,
)
from ecsphys.systems.dynamics.body_table import BodyTable
from ecsphys.systems.world.entity_table import TRAJECTORY_LINES, Slots
from ecsphys.systems.world.world_tables import WorldTables


class _List:
    """A list that is found again where any of some lines of the tables has changed."""

    __slots__ = ("_find", "_found", "_lines", "_revision")

    def __init__(self, lines: tuple[int, ...], find: Callable[[], NDArray[int32]]) -> None:
        self._lines = lines
        self._find = find
        self._revision = -1
        self._found: NDArray[int32]

    def forget(self) -> None:
        """Find it again the next time."""
        self._revision = -1

    def as_of(self, tables: WorldTables) -> NDArray[int32]:
        if self._revision != tables.revision:
            revisions = tables.line_revisions
            if self._revision < 0 or any(revisions[line] > self._revision for line in self._lines):
                self._found = self._find()
            self._revision = tables.revision
        return self._found


class MovingEntities:
    """What moves, and how, in one world."""

    def __init__(self, tables: WorldTables, bodies: BodyTable) -> None:
        self._tables = tables
        self._bodies = bodies
        self._held = bodies.held.slots
        self._movers = _List((*range(DRAG + 1), *TRAJECTORY_LINES), self._find_movers)
        self._trajectories = _List((TRANSFORM, VELOCITY, *TRAJECTORY_LINES), self._find_trajectories)
        self._children = _List((PARENT,), lambda: tables.entities.having(PARENT))
        self._bullets = _List((BULLET,), lambda: tables.entities.having(BULLET))
        self.has_movers = True
        """Whether :attr:`movers`, when they were found last, were any."""

    @property
    def movers(self) -> NDArray[int32]:
        """(7, n) rows: transform, velocity, acceleration, gravity, spring, orbit, drag; −1 without.

        (2, n), the first two, where no entity has any of the others. Without the bodies that something else moves.
        """
        if self._held is not self._bodies.held.slots:
            self._movers.forget()
            self._held = self._bodies.held.slots
        return self._movers.as_of(self._tables)

    @property
    def trajectories(self) -> NDArray[int32]:
        """(n, 5): the kind, rows of trajectory, transform, velocity (−1: none), and the slot of the entity."""
        return self._trajectories.as_of(self._tables)

    @property
    def children(self) -> Slots:
        """The slots of entities with a ``Parent``."""
        return self._children.as_of(self._tables)

    @property
    def bullets(self) -> Slots:
        """The slots of entities with a ``Bullet``."""
        return self._bullets.as_of(self._tables)

    def _find_movers(self) -> NDArray[int32]:
        entities = self._tables.entities
        used = entities.used
        moves = (entities.rows_of(TRANSFORM)[:used] >= 0) & (entities.rows_of(VELOCITY)[:used] >= 0)
        for line in TRAJECTORY_LINES:
            if entities.instances[line]:
                moves &= entities.rows_of(line)[:used] < 0
        moves[self._bodies.held.slots] = False
        has_forces = any(entities.instances[line] for line in range(ACCELERATION, DRAG + 1))
        lines = range(DRAG + 1 if has_forces else VELOCITY + 1)
        self.has_movers = bool(moves.any())
        return np.stack([entities.rows_of(line)[:used][moves] for line in lines])

    def _find_trajectories(self) -> NDArray[int32]:
        entities = self._tables.entities
        transforms, velocities = entities.rows_of(TRANSFORM), entities.rows_of(VELOCITY)
        found = [np.zeros((0, TRAJECTORY_ROW_COLUMNS), int32)]
        for kind, line in enumerate(TRAJECTORY_LINES):
            if not entities.instances[line]:
                continue
            slots = entities.having(line)
            slots = slots[transforms[slots] >= 0]
            path = np.empty((len(slots), TRAJECTORY_ROW_COLUMNS), int32)
            path[:, KIND] = kind
            path[:, TRAJECTORY] = entities.rows_of(line)[slots]
            path[:, PATH_TRANSFORM] = transforms[slots]
            path[:, PATH_VELOCITY] = velocities[slots]
            path[:, OWNER] = slots
            found.append(path)
        return np.concatenate(found)

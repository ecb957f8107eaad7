"""What moves, and how, in one world; and what carries what."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.engine.motion import trajectory_motion
from ecsphys.engine.motion.euler_motion import follow_movers
from ecsphys.engine.motion.trajectory_motion import TRANSFORM as PATH_TRANSFORM
from ecsphys.engine.motion.trajectory_motion import VELOCITY as PATH_VELOCITY
from ecsphys.engine.tables import entity_rows
from ecsphys.systems.dynamics.body_table import BodyTable
from ecsphys.systems.world.entity_table import NO_SLOTS, TRAJECTORY_LINES, Slots, named_parents, united
from ecsphys.systems.world.world_tables import WorldTables

_NO_TRAJECTORIES: NDArray[int32] = np.zeros((0, trajectory_motion.TRAJECTORY_ROW_COLUMNS), int32)

# The lines that decide what moves, and how.
_MOVING = (*range(entity_rows.DRAG + 1), *TRAJECTORY_LINES)

_count_of = attrgetter("count")


class _List:
    """A list that is found again where any of some lines of the tables has changed."""

    __slots__ = ("_find", "_found", "_lines", "_revision")

    def __init__(self, lines: tuple[int, ...], find: Callable[[], NDArray[int32]]) -> None:
        self._lines = lines
        self._find = find
        self._revision = -1
        self._found: NDArray[int32]

    def as_of(self, tables: WorldTables) -> NDArray[int32]:
        if self._revision != tables.revision:
            if self._revision < 0 or tables.last_change_of(self._lines) > self._revision:
                self._found = self._find()
            self._revision = tables.revision
        return self._found


class _Movers:
    """The rows of the entities that stepped motion moves; only entities that have changed are looked at again."""

    __slots__ = ("_bodies", "_found", "_held_at", "_revision", "_slots", "_tables", "are_any")

    def __init__(self, tables: WorldTables, bodies: BodyTable) -> None:
        self._tables = tables
        self._bodies = bodies
        # The slots of the movers, ascending.
        self._slots: Slots = NO_SLOTS
        self._found: NDArray[int32] = np.zeros((entity_rows.VELOCITY + 1, 0), int32)
        self._revision = self._held_at = -1
        self.are_any = True

    def now(self) -> NDArray[int32]:
        """:attr:`MovingEntities.movers`."""
        tables, held = self._tables, self._bodies.held
        if self._revision != tables.revision or self._held_at != held.revision:
            if self._held_at != held.revision or tables.last_change_of(_MOVING) > self._revision:
                self._update(self._changed())
            self._revision, self._held_at = tables.revision, held.revision
        return self._found

    def _changed(self) -> Slots | None:
        """The slots, ascending, that may move or not by now; None if any may."""
        touched = self._tables.touched_since(self._revision) if self._revision >= 0 else None
        held = self._bodies.held.changed_since(self._held_at)
        return None if touched is None or held is None else united([touched, *held])

    def _update(self, changed: Slots | None) -> None:
        entities = self._tables.entities
        has_forces = any(map(_count_of, entities.instances[entity_rows.ACCELERATION : entity_rows.DRAG + 1]))
        movers = self._slots
        if changed is None:
            movers, changed = NO_SLOTS, entities.having(entity_rows.VELOCITY)
        most = movers.size + changed.size
        found, rows = (
            np.empty(most, int32),
            np.empty((entity_rows.DRAG + 1 if has_forces else entity_rows.VELOCITY + 1, most), int32),
        )
        count = follow_movers(movers, changed, entities.slots.lines, self._bodies.held.places, found, rows)
        self._slots, self.are_any = found[:count], count > 0
        self._found = rows if count == most else np.ascontiguousarray(rows[:, :count])


class MovingEntities:
    """What moves, and how, in one world."""

    def __init__(self, tables: WorldTables, bodies: BodyTable) -> None:
        self._tables = tables
        self._bodies = bodies
        self._movers = _Movers(tables, bodies)
        self._trajectories = _List(
            (entity_rows.TRANSFORM, entity_rows.VELOCITY, *TRAJECTORY_LINES), self._find_trajectories
        )
        self._children = _List((entity_rows.PARENT,), lambda: tables.entities.having(entity_rows.PARENT))
        self._bullets = _List((entity_rows.BULLET,), lambda: tables.entities.having(entity_rows.BULLET))
        self.has_movers = True
        """Whether :attr:`movers`, when they were found last, were any."""

    @property
    def movers(self) -> NDArray[int32]:
        """(7, n) rows: transform, velocity, acceleration, gravity, spring, orbit, drag; −1 without.

        (2, n), the first two, where no entity has any of the others. Without the bodies that something else moves.
        """
        found = self._movers.now()
        self.has_movers = self._movers.are_any
        return found

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

    def _find_trajectories(self) -> NDArray[int32]:
        entities = self._tables.entities
        lines = [line for line in TRAJECTORY_LINES if entities.instances[line].count]
        if not lines:
            return _NO_TRAJECTORIES
        transforms, velocities = entities.rows_of(entity_rows.TRANSFORM), entities.rows_of(entity_rows.VELOCITY)
        found = []
        for line in lines:
            slots = entities.having(line)
            slots = slots[transforms[slots] >= 0]
            path = np.empty((len(slots), trajectory_motion.TRAJECTORY_ROW_COLUMNS), int32)
            path[:, trajectory_motion.KIND] = line - entity_rows.LINEAR_TRAJECTORY
            path[:, trajectory_motion.TRAJECTORY] = entities.rows_of(line)[slots]
            path[:, PATH_TRANSFORM] = transforms[slots]
            path[:, PATH_VELOCITY] = velocities[slots]
            path[:, trajectory_motion.OWNER] = slots
            found.append(path)
        return np.concatenate(found)


Level = tuple[Slots, Slots, Slots]


class ParentLevels:
    """The children of a world by their depth: those whose parents are no children, then the children of these, …"""

    def __init__(self, tables: WorldTables, moving: MovingEntities) -> None:
        self._tables = tables
        self._moving = moving
        self._revision = -1
        self._parents: NDArray[int64] = np.zeros(0, int64)
        self.levels: list[Level] = []
        """For each level: rows of the children's transforms, of their parents' transforms, and of the ``Parent``."""

    def update(self) -> None:
        """Find the levels as they are now. ValueError where parents form a cycle; it names its entities."""
        tables = self._tables
        if not tables.entities.instances[entity_rows.PARENT].count:
            self.levels, self._revision = [], tables.revision
            return
        children = self._moving.children
        parents = named_parents(tables.entities, children)
        if self._revision == tables.revision and np.array_equal(parents, self._parents):
            return
        levels = self._find(children, parents)
        self.levels, self._parents, self._revision = levels, parents, tables.revision

    @property
    def parents(self) -> dict[int, int]:
        """The parent of each entity that has one."""
        entities = self._tables.entities
        if not entities.instances[entity_rows.PARENT].count:
            return {}
        children = self._moving.children
        parents = named_parents(entities, children)
        return dict(zip(entities.slots.entity[children].tolist(), parents.tolist(), strict=True))

    def _find(self, children: Slots, parents: NDArray[int64]) -> list[Level]:
        entities = self._tables.entities
        transforms, carriers = entities.rows_of(entity_rows.TRANSFORM), entities.find_slots(parents)
        numbers = entities.slots.entity[children]
        depth = _depths(children, carriers, entities.used, numbers, parents)
        own = transforms[children]
        carrier = np.where(carriers >= 0, transforms[carriers], -1)
        levels = []
        for level in range(int(depth.max(initial=-1)) + 1):
            # A parent that is gone, or that has no Transform, carries nothing.
            chosen = np.flatnonzero((depth == level) & (own >= 0) & (carrier >= 0))
            levels.append((own[chosen], carrier[chosen], entities.rows_of(entity_rows.PARENT)[children[chosen]]))
        return levels


def _depths(
    children: Slots, carriers: Slots, slots: int, numbers: NDArray[int64], parents: NDArray[int64]
) -> NDArray[int64]:
    """For each child the number of children among its ancestors.

    By pointer doubling: after k rounds, ``ahead`` is the ancestor 2^k generations up. What still has one when that is
    more than there are children leads into a cycle.
    """
    place = np.full(slots + 1, -1, int32)
    place[children] = np.arange(children.size)
    ahead = place[carriers]  # −1 takes the last place, which is none
    depth: NDArray[int64] = (ahead >= 0).astype(int64)
    for _ in range(children.size.bit_length()):
        known = ahead >= 0
        if not known.any():
            return depth
        depth[known] += depth[ahead[known]]
        ahead[known] = ahead[ahead[known]]
    if (ahead >= 0).any():
        raise ValueError(_describe_cycle(int(numbers[ahead[ahead >= 0]].min()), numbers, parents))
    return depth


def _describe_cycle(member: int, children: NDArray[int64], parents: NDArray[int64]) -> str:
    carried_by = dict(zip(children.tolist(), parents.tolist(), strict=True))
    cycle = [member]
    while carried_by[cycle[-1]] != member:
        cycle.append(carried_by[cycle[-1]])
    if len(cycle) == 1:
        return f"entity {member} has itself as Parent.entity"
    return f"the Parent components form a cycle: entity {' is carried by '.join(map(str, (*cycle, member)))}"

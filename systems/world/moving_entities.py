"""What moves, and how, in one world; and what carries what."""

from __future__ import annotations

from operator import attrgetter

import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.motion import trajectory_motion
from ecsphys.engine.motion.euler_motion import follow_movers
from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.dynamics.body_table import BodyTable
from ecsphys.systems.world.entity_table import NO_SLOTS, TRAJECTORY_LINES, SlotIndex, Slots, named_parents, united
from ecsphys.systems.world.world_tables import WorldTables

_NO_TRAJECTORIES: NDArray[int32] = np.zeros((0, trajectory_motion.TRAJECTORY_ROW_COLUMNS), int32)

# The lines that decide which entities move, and how; and which are on a trajectory.
_MOVING = (*range(entity_rows.DRAG + 1), *TRAJECTORY_LINES)
_TRACING = (entity_rows.TRANSFORM, entity_rows.VELOCITY, *TRAJECTORY_LINES)

_count_of = attrgetter("count")


class MovingEntities:
    """The entities that stepped motion moves, and those on trajectories; only changed ones are looked at again."""

    def __init__(self, tables: WorldTables, bodies: BodyTable) -> None:
        self._tables = tables
        self._bodies = bodies
        # The slots of the movers, ascending, and the revisions of the tables and of the held bodies for which they are.
        self._slots: Slots = NO_SLOTS
        self._movers: NDArray[int32] = np.zeros((entity_rows.VELOCITY + 1, 0), int32)
        self._revision = self._held_at = -1
        self.has_movers = True
        """Whether :attr:`movers`, when they were found last, were any."""
        self._trajectories = _NO_TRAJECTORIES
        self._traced_at = -1

    @property
    def movers(self) -> NDArray[int32]:
        """(7, n) rows in the order of ``entity_rows``, −1 without; (2, n) if no entity has a force or drag."""
        tables, held = self._tables, self._bodies.held
        if self._revision != tables.revision or self._held_at != held.revision:
            if self._held_at != held.revision or tables.last_change_of(_MOVING) > self._revision:
                touched = tables.touched_since(self._revision) if self._revision >= 0 else None
                released = held.changed_since(self._held_at)
                self._follow(None if touched is None or released is None else united([touched, *released]))
            self._revision, self._held_at = tables.revision, held.revision
        return self._movers

    def _follow(self, changed: Slots | None) -> None:
        """Follow the changes of some entities, by their slots, ascending; of any for None."""
        entities, movers = self._tables.entities, self._slots
        has_forces = any(map(_count_of, entities.instances[entity_rows.ACCELERATION : entity_rows.DRAG + 1]))
        if changed is None:
            movers, changed = NO_SLOTS, entities.having(entity_rows.VELOCITY)
        most = movers.size + changed.size
        found = np.empty(most, int32)
        rows = np.empty((entity_rows.DRAG + 1 if has_forces else entity_rows.VELOCITY + 1, most), int32)
        count = follow_movers(movers, changed, entities.slots.lines, self._bodies.held.places, found, rows)
        self._slots, self.has_movers = found[:count], count > 0
        self._movers = rows if count == most else np.ascontiguousarray(rows[:, :count])

    @property
    def trajectories(self) -> NDArray[int32]:
        """(n, 5): the kind, rows of trajectory, transform, velocity (−1: none), and the slot of the entity."""
        tables = self._tables
        if self._traced_at != tables.revision:
            if tables.last_change_of(_TRACING) > self._traced_at:
                self._trajectories = self._find_trajectories()
            self._traced_at = tables.revision
        return self._trajectories

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
            path[:, trajectory_motion.TRANSFORM] = transforms[slots]
            path[:, trajectory_motion.VELOCITY] = velocities[slots]
            path[:, trajectory_motion.OWNER] = slots
            found.append(path)
        return np.concatenate(found)


# The components that decide which colliders systems move in every step.
_DRIVING = (
    entity_rows.TRANSFORM,
    entity_rows.VELOCITY,
    *TRAJECTORY_LINES,
    entity_rows.PARENT,
    entity_rows.DISABLED,
    entity_rows.COMPOUND,
    entity_rows.CHAIN,
    *range(entity_rows.FIRST_COLLIDER, entity_rows.FIRST_COLLIDER + entity_rows.SHAPE_KINDS),
)


class DrivenColliders:
    """The colliders with a velocity, a trajectory or a parent: ``all`` of them, and those ``moving``, which are not
    passed over."""

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self.all, self.moving = SlotIndex(), SlotIndex()
        self._revision = -1

    @property
    def is_current(self) -> bool:
        """Whether nothing has come or gone since the last :meth:`update`."""
        return self._revision == self._tables.revision

    def leave_out(self, gone: Slots) -> None:
        """Leave out colliders that were deleted."""
        if gone.size and self._revision >= 0:
            for index in (self.all, self.moving):
                index.follow(gone, [False] * gone.size, self._tables.colliders.capacity)

    def update(self, fresh: list[Slots]) -> Slots:
        """The colliders that systems move in every step; the first time also colliders that they moved until now, which
        are added to ``fresh``, too."""
        tables, known = self._tables, self._revision
        if known == tables.revision:
            return self.moving.slots
        if tables.last_change_of(_DRIVING) <= known:
            self._revision = tables.revision
            return self.moving.slots
        touched = tables.touched_since(known) if known >= 0 else None
        if touched is None:
            until_now = self.all.slots
            until_now = until_now[tables.colliders.slots.absence[until_now] == PRESENT]
            until_now = until_now[~self._are_driven(until_now)]
            order = tables.colliders.order
            colliders = order[self._are_driven(order)]
        else:
            colliders = tables.colliders_of(touched)
            are_driven = self._are_driven(colliders)
            until_now = colliders[self.all.has(colliders) & ~are_driven]
        if until_now.size:
            # First: where this is cut short, they are looked at all the same.
            fresh.append(until_now)
        self._revision = -1
        # Touched entities are moved from now on, whether it was passed over or not.
        for index in (self.all, self.moving):
            if touched is None:
                index.put(colliders, tables.colliders.capacity)
            else:
                index.follow(colliders, are_driven.tolist(), tables.colliders.capacity)
        self._revision = tables.revision
        moves = self.moving.slots
        return np.concatenate((moves, until_now)) if until_now.size else moves

    def pass_over(self, slots: Slots) -> None:
        """Take these for not ``moving``, until this is called again, or their entities are touched."""
        driven, capacity = self.all.slots, self._tables.colliders.capacity
        if slots.size:
            is_left = np.zeros(capacity, bool_)
            is_left[slots] = True
            driven = driven[~is_left[driven]]
        self.moving.put(driven, capacity)

    def _are_driven(self, slots: Slots) -> NDArray[bool_]:
        tables = self._tables
        colliders = tables.colliders.slots
        are_driven: NDArray[bool_] = (colliders.velocity_row[slots] >= 0) | (colliders.trajectory[slots] >= 0)
        if tables.entities.instances[entity_rows.PARENT].count:
            are_driven |= tables.entities.rows_of(entity_rows.PARENT)[colliders.owner[slots]] >= 0
        return are_driven


Level = tuple[Slots, Slots, Slots]


class ParentLevels:
    """The children of a world by their depth: those whose parents are no children, then the children of these, …"""

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
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
        children = tables.entities.having(entity_rows.PARENT)
        parents = named_parents(tables.entities, children)
        if self._revision == tables.revision and np.array_equal(parents, self._parents):
            return
        levels = self._find(children, parents)
        self.levels, self._parents, self._revision = levels, parents, tables.revision

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
    ahead = place[carriers]  # −1 takes the last place, −1 too
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

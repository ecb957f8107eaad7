"""What carries what: the parents of a world, ordered so that each is placed before its children."""

from __future__ import annotations

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.engine.tables.entity_rows import PARENT, TRANSFORM
from ecsphys.systems.world.entity_table import Slots, named_parents
from ecsphys.systems.world.moving_entities import MovingEntities
from ecsphys.systems.world.world_tables import WorldTables

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
        if not tables.entities.instances[PARENT].count:
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
        if not entities.instances[PARENT].count:
            return {}
        children = self._moving.children
        parents = named_parents(entities, children)
        return dict(zip(entities.slots.entity[children].tolist(), parents.tolist(), strict=True))

    def _find(self, children: Slots, parents: NDArray[int64]) -> list[Level]:
        entities = self._tables.entities
        slot_of, transforms = entities.slot_of, entities.rows_of(TRANSFORM)
        carriers = np.array([slot_of.get(parent, -1) for parent in parents.tolist()], int32)
        numbers = entities.slots.entity[children]
        depth = _depths(children, carriers, entities.used, numbers, parents)
        own = transforms[children]
        carrier = np.where(carriers >= 0, transforms[carriers], -1)
        levels = []
        for level in range(int(depth.max(initial=-1)) + 1):
            # A parent that is gone, or that has no Transform, carries nothing.
            chosen = np.flatnonzero((depth == level) & (own >= 0) & (carrier >= 0))
            levels.append((own[chosen], carrier[chosen], entities.rows_of(PARENT)[children[chosen]]))
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

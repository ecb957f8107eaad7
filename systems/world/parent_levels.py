"""Who is carried by whom: the parents of a world, ordered so that each is placed before its children."""

from __future__ import annotations

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.motion.parent import Parent
from ecsphys.systems.world.proxies import Entities, Rows
from ecsphys.systems.world.world_index import WorldIndex, rows_at


class ParentLevels:
    """Children of an index by their depth: those whose parents are no children, then the children of these, and so on.

    Raises
    ------
    ValueError
        Parents form a cycle; the message names its entities.
    """

    __slots__ = ("_index", "_parents", "levels")

    def __init__(self, index: WorldIndex, parents: NDArray[int64]) -> None:
        self._index = index
        self._parents = parents
        self.levels: list[tuple[Rows, Rows, Rows]] = []
        """For each level: rows of the children's transforms, of their parents' transforms, and of the ``Parent``."""

        children, rows = index.children
        if not children.size:
            return
        depth = _depths(children, parents)
        own = rows_at(children, *index.transforms)
        carrier = rows_at(parents, *index.transforms)
        for level in range(int(depth.max(initial=-1)) + 1):
            # A parent that is gone, or that has no Transform, carries nobody.
            chosen = np.flatnonzero((depth == level) & (own >= 0) & (carrier >= 0))
            self.levels.append((own[chosen], carrier[chosen], rows[chosen]))

    @classmethod
    def of(cls, index: WorldIndex, last: ParentLevels | None) -> ParentLevels:
        """The levels as they are now: the last ones, unless the world or a parent has changed since."""
        if last is not None and last._index is index and not last._parents.size:
            return last
        parents = Parent._columns.column("entity")[index.children[1]]
        if last is not None and last._index is index and np.array_equal(parents, last._parents):
            return last
        return cls(index, parents)


def _depths(children: Entities, parents: NDArray[int64]) -> NDArray[int64]:
    """For each child the number of children among its ancestors.

    By pointer doubling: after k rounds, ``ahead`` is the ancestor 2^k generations up. Who still has one when that is
    more than there are children leads into a cycle.
    """
    ahead = rows_at(parents, children, np.arange(children.size))
    depth: NDArray[int64] = (ahead >= 0).astype(int64)
    for _ in range(children.size.bit_length()):
        known = ahead >= 0
        if not known.any():
            return depth
        depth[known] += depth[ahead[known]]
        ahead[known] = ahead[ahead[known]]
    if (ahead >= 0).any():
        raise ValueError(_describe_cycle(int(children[ahead[ahead >= 0].min()]), children, parents))
    return depth


def _describe_cycle(member: int, children: Entities, parents: NDArray[int64]) -> str:
    carried_by = dict(zip(children.tolist(), parents.tolist(), strict=True))
    cycle = [member]
    while carried_by[cycle[-1]] != member:
        cycle.append(carried_by[cycle[-1]])
    if len(cycle) == 1:
        return f"entity {member} is its own Parent"
    return f"parents form a cycle: entity {' is carried by '.join(map(str, (*cycle, member)))}"

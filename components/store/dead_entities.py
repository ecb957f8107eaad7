"""The entities that esper is to delete: a set that esper can go through again where an interrupt has cut it short.

``esper.clear_dead_entities``, with which each ``esper.process`` begins, takes an entity out of the sets of its classes,
one after the other, then out of the database, and forgets the marks of all at the end. An interrupt in between leaves
marks of entities that are gone, or that have classes without a set, and each later call raises KeyError. So
:class:`DeadEntities` takes the place of esper's set.

``esper._dead_entities``, where the set is, is private; see also :mod:`~ecsphys.components.store.component_table`.
"""

from __future__ import annotations

from collections.abc import Iterator

import esper


class DeadEntities(set[int]):
    """The entities of one world that are marked dead, as esper keeps them."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        """The entities that are still in the database, each with a set for all its classes, as esper needs them."""
        for entity in set.__iter__(self):
            contents = esper._entities.get(entity)
            if contents is None:
                continue
            for cls in contents:
                if cls not in esper._components:
                    esper._components[cls] = set()
            yield entity


def dead_entities() -> set[int]:
    """Entities marked by ``delete_entity`` that esper removes at the next ``process``; they still are in queries.

    It is esper's own set, which it replaces with a :class:`DeadEntities`.
    """
    dead: set[int] = esper._dead_entities
    if type(dead) is not DeadEntities:
        dead = esper._dead_entities = DeadEntities(dead)
    return dead

"""The entities of each body: a body has all its descendants."""

from __future__ import annotations

import numpy as np
from numpy import int32

from ecsphys.engine.tables.entity_rows import PARENT, RIGID_BODY
from ecsphys.systems.world.entity_table import EntityTable, Slots, named_parents


def bodies_of_entities(entities: EntityTable, row_of: Slots, solid: Slots, anchors: Slots) -> Slots:
    """For each slot of an entity the row of the body that it belongs to, −1 for none.

    ``row_of`` has the row of each that is a body. What is ``solid`` and none belongs to the world, in row 0; the
    ``anchors`` of joints push nothing.
    """
    of_entity = row_of.copy()
    of_entity[anchors] = -1
    blocks = solid[of_entity[solid] < 0]
    of_entity[blocks] = 0
    children = entities.having(PARENT)
    if children.size:
        children = children[entities.rows_of(RIGID_BODY)[children] < 0]
        parents = named_parents(entities, children)
        slot_of = entities.slot_of
        carriers = np.array([slot_of.get(parent, -1) for parent in parents.tolist()], int32)
        children, carriers = children[carriers >= 0], carriers[carriers >= 0]
        # A child of a child is reached in the next round; parents form no cycle.
        while True:
            inherited = of_entity[carriers]
            inherits = (inherited > 0) & (of_entity[children] != inherited)
            if not inherits.any():
                break
            of_entity[children[inherits]] = inherited[inherits]
    return of_entity

"""The public order of colliders after single changes: as if it were found anew, and another's copy of it stays."""

from __future__ import annotations

import esper
import numpy as np
import pytest

from ecsphys import AABBCollider, CircleCollider, CompoundCollider, Disabled, Transform
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.world.world_tables import WorldTables


def check(tables: WorldTables) -> None:
    colliders = tables.colliders
    slots = colliders.slots
    present = np.flatnonzero(slots.absence[: colliders.used] == PRESENT)
    wanted = present[np.lexsort((slots.part[present], slots.kind[present], slots.entity[present]))]
    assert colliders.order.tolist() == wanted.tolist()
    assert slots.rank[wanted].tolist() == list(range(len(wanted)))
    _, bodies = np.unique(slots.entity[wanted], return_inverse=True)
    assert slots.body[wanted].tolist() == bodies.tolist()
    assert (
        colliders.kind_counts.tolist() == np.bincount(slots.kind[wanted], minlength=len(colliders.kind_counts)).tolist()
    )


def spawn(random: np.random.Generator) -> int:
    choice = int(random.integers(4))
    if choice == 0:
        return esper.create_entity(
            Transform(), CompoundCollider([CircleCollider(1.0), AABBCollider(1.0, 1.0, offset_x=2.0)])
        )
    if choice == 1:
        return esper.create_entity(Transform(), CircleCollider(1.0), AABBCollider(1.0, 1.0))
    return esper.create_entity(Transform(), CircleCollider(1.0))


@pytest.mark.parametrize("seed", range(8))
def test_after_any_change_the_order_is_that_found_anew(seed: int) -> None:
    random, tables = np.random.default_rng(seed), WorldTables()
    entities = [spawn(random) for _ in range(20)]
    for _ in range(150):
        for _ in range(int(random.integers(1, 4))):
            choice, place = random.random(), int(random.integers(len(entities)))
            if choice < 0.35:
                entities.append(spawn(random))
            elif choice < 0.6 and len(entities) > 5:
                esper.delete_entity(entities.pop(place), immediate=True)
            elif esper.has_component(entities[place], Disabled):
                esper.remove_component(entities[place], Disabled)
            else:
                esper.add_component(entities[place], Disabled())
        tables.update()
        check(tables)
        if random.random() < 0.5:
            tables.release_absent()
            tables.unread.clear()


def test_an_order_that_is_kept_stays_as_it_is() -> None:
    tables = WorldTables()
    entities = [esper.create_entity(Transform(), CircleCollider(1.0)) for _ in range(6)]
    tables.update()
    kept = tables.colliders.keep_order()
    before = kept.tolist()
    esper.delete_entity(entities[1], immediate=True)
    esper.create_entity(Transform(), CircleCollider(1.0))
    tables.update()
    assert kept.tolist() == before
    check(tables)

"""``physics.why_no_hit``: each thing that keeps two entities apart has its sentence."""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import ChainCollider, CircleCollider, CollisionFilter, CompoundCollider, Disabled, Transform


@pytest.fixture
def physics() -> ecsphys.Physics:
    return ecsphys.install()


CASES: list[tuple[tuple[Any, ...], str]] = [
    ((Transform(0.5), CircleCollider(1)), "entities 1 and 2 did hit each other in the last step"),
    ((CircleCollider(1),), "entity 2 has no Transform"),
    ((Transform(),), "entity 2 has no collider"),
    ((Transform(), CircleCollider(1), Disabled()), "entity 2 is Disabled"),
    ((Transform(5), CircleCollider(1)), "their colliders are 3 apart"),
    ((Transform(5), CompoundCollider([CircleCollider(1), CircleCollider(1, -1)])), "their colliders are 2 apart"),
    ((Transform(2), CircleCollider(1)), "their colliders only touch"),
    ((Transform(0, 0.5), ChainCollider([(-2, 0), (2, 0)], side="left")), "behind a ChainCollider that is one-sided"),
    ((Transform(), CircleCollider(1), CollisionFilter(2)), "the mask 0x1 of entity 1 has none of the layers 0x2"),
    ((Transform(), CircleCollider(1), CollisionFilter(1, 2)), "the mask 0x2 of entity 2 has none of the layers 0x1"),
    ((Transform(), CircleCollider(1), CollisionFilter(1, 1, -7)), "both are in group -7"),
]


@pytest.mark.parametrize(("components", "wanted"), CASES)
def test_the_reason_is_said(physics: ecsphys.Physics, components: tuple[Any, ...], wanted: str) -> None:
    esper.create_entity(Transform(), CircleCollider(1), CollisionFilter(1, 1, -7))
    esper.create_entity(*components)
    esper.process(0.1)
    assert wanted in physics.why_no_hit(1, 2)


def test_what_is_not_there_is_said(physics: ecsphys.Physics) -> None:
    esper.create_entity(Transform(), CircleCollider(1))
    gone = esper.create_entity(Transform(), CircleCollider(1))
    assert "one entity" in physics.why_no_hit(1, 1)
    assert physics.why_no_hit(1, 9) == "entity 9 does not exist"
    assert "the next one will find them" in physics.why_no_hit(1, gone)
    esper.remove_processor(ecsphys.NarrowphaseSystem)
    assert "no NarrowphaseSystem runs" in physics.why_no_hit(1, gone)
    esper.delete_entity(gone)
    assert physics.why_no_hit(1, gone) == "entity 2 is deleted, and hits nothing any more"
    with pytest.raises(TypeError, match="a must be a whole number"):
        physics.why_no_hit("hero", 1)  # type: ignore[arg-type]


def test_hits_are_gone_as_soon_as_the_database_is_cleared(physics: ecsphys.Physics) -> None:
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.1)
    kept = physics.hits
    assert (len(kept), len(physics.started)) == (1, 1)
    esper.clear_database()
    assert (len(physics.hits), len(physics.started), len(physics.ended)) == (0, 0, 0)
    assert physics.ended.reason.shape == (0,)
    esper.process(0.1)
    assert (len(physics.hits), physics.ended.reason.tolist()) == (0, ["despawned"])


def test_hits_of_another_world_than_the_current_one_stay(physics: ecsphys.Physics) -> None:
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.1)
    world = esper.current_world
    esper.switch_world("elsewhere")
    try:
        assert len(physics.hits) == 1
    finally:
        esper.switch_world(world)
        esper.delete_world("elsewhere")

"""Hits by the components of their entities: ``between`` and ``entity_with``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Component, CompoundCollider, Transform, Velocity


@dataclass
class Shot:
    power: int = 1


class Enemy(Component):
    life: int = 3


class Unused:
    pass


def shot(x: float) -> int:
    return esper.create_entity(Transform(x), CircleCollider(1), Shot())


def enemy(x: float) -> int:
    return esper.create_entity(Transform(x), CompoundCollider([AABBCollider(1, 1)]), Enemy())


def test_the_first_class_is_side_a() -> None:
    physics = ecsphys.install()
    early_shot, early_enemy = shot(0), enemy(10)
    late_enemy, late_shot, stranger = enemy(1), shot(11), esper.create_entity(Transform(0), CircleCollider(1))
    esper.process(0.1)
    assert len(physics.hits) == 4
    for hits in (physics.hits, physics.hits.started):
        found = hits.between(Shot, Enemy)
        assert list(zip(found.entity_a, found.entity_b, strict=True)) == [
            (early_shot, late_enemy),
            (late_shot, early_enemy),
        ]
        assert found.collider_a.tolist() == [0, 0]
        assert found.collider_b.tolist() == [1, 1]
        assert found.part_a.tolist() == [-1, -1]
        assert found.part_b.tolist() == [0, 0]
        assert found.normal.tolist() == [[1.0, 0.0], [-1.0, 0.0]]
        turned = hits.between(Enemy, Shot)
        assert np.array_equal(turned.normal, -found.normal)
        assert np.array_equal(turned.depth, found.depth)
    for hit in found:
        assert hit.entity_with(Shot) == hit.entity_a
        assert hit.entity_with(Enemy) == hit.entity_b
        assert hit.entity_with(Unused) is None
        assert hit == next(h for h in physics.hits.of(hit.entity_a) if h.other(hit.entity_a) == hit.entity_b).seen_from(
            hit.entity_a
        )
    assert [hit.entity_with(Enemy) for hit in physics.hits.of(stranger)] == [None, late_enemy]


def test_a_class_with_itself_gives_each_hit_once() -> None:
    physics = ecsphys.install()
    a, b = shot(0), shot(1)
    enemy(0.5)
    esper.process(0.1)
    found = physics.hits.between(Shot, Shot)
    assert (found.entity_a.tolist(), found.entity_b.tolist()) == ([a], [b])
    assert len(physics.hits.between(Transform, Enemy)) == 2


def test_hits_that_ended_by_despawning_are_found_by_what_the_entities_were() -> None:
    physics = ecsphys.install()
    one, two, target = shot(0), shot(0.1), enemy(1)
    esper.process(0.1)
    assert len(physics.hits.ended.between(Shot, Enemy)) == 0
    for gone in (one, two):
        esper.delete_entity(gone)
        esper.process(0.1)
        ended = physics.hits.ended.between(Shot, Enemy)
        assert (ended.entity_a.tolist(), ended.entity_b.tolist()) == ([gone], [target])
        assert ended.reason.tolist() == ["despawned"]
        assert [hit.phase for hit in ended] == ["ended"]
    esper.process(0.1)
    assert len(physics.hits.ended.between(Shot, Enemy)) == 0


def test_components_that_came_since_the_step_count() -> None:
    physics = ecsphys.install()
    plain, target = esper.create_entity(Transform(), CircleCollider(1)), enemy(0)
    esper.process(0.1)
    assert len(physics.hits.between(Shot, Enemy)) == 0
    esper.add_component(plain, Shot())
    assert len(physics.hits.between(Shot, Enemy)) == 1
    esper.remove_component(target, Enemy)
    assert len(physics.hits.between(Shot, Enemy)) == 0


def test_what_is_no_class_is_refused() -> None:
    physics = ecsphys.install()
    shot(0), enemy(0)
    esper.process(0.1)
    for bad in ("Enemy", Enemy()):
        with pytest.raises(TypeError, match="must be a component class, got "):
            physics.hits.between(Shot, bad)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="must be a component class, got "):
            next(iter(physics.hits)).entity_with(bad)  # type: ignore[arg-type]
    esper.switch_world("elsewhere")
    with pytest.raises(RuntimeError, match="belongs to the world"):
        physics.hits.between(Shot, Enemy)


def test_no_class_has_hits_before_the_first_step_and_after_the_database_was_cleared() -> None:
    physics = ecsphys.install()
    assert len(physics.hits.between(Shot, Enemy)) == 0
    shot(0), enemy(0)
    esper.process(0.1)
    assert len(physics.hits.between(Shot, Enemy)) == 1
    esper.clear_database()
    assert len(physics.hits.between(Shot, Enemy)) == 0
    for _ in range(2):
        esper.create_entity(Transform(), Velocity(), CircleCollider(1), Enemy())
    esper.process(0.1)
    assert len(physics.hits.ended.between(Shot, Enemy)) == 0


def test_classes_that_no_entity_has_cost_a_few_calls_however_many_hits_there_are() -> None:
    physics = ecsphys.install()
    for k in range(100):
        esper.create_entity(Transform(1.5 * k), CircleCollider(1))
    esper.create_entity(Enemy())
    for _ in range(3):
        esper.process(0.1)
    assert len(physics.hits) == 99
    for hits in (physics.hits, physics.hits.started, physics.hits.ended):
        assert calls_while(partial(hits.between, Shot, Enemy)) < 60
        assert len(hits.between(Shot, Enemy)) == 0


def test_a_selection_without_hits_has_all_arrays() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(0), CircleCollider(1), Shot())
    esper.create_entity(Transform(1), CircleCollider(1), Enemy())
    esper.process(0.1)
    for none in (physics.hits.between(Shot, Unused), physics.hits.between(Shot, Shot), physics.hits.stronger_than(0.0)):
        assert (list(none), len(none), none.normal.shape, none.points.shape) == ([], 0, (0, 2), (0, 2, 2))
        assert none.select(np.zeros(0, int)).between(Shot, Enemy).depth.shape == (0,)
    ended = physics.hits.ended.between(Shot, Unused)
    assert (list(ended), ended.reason.shape) == ([], (0,))


def test_classes_asked_for_among_no_strikes_are_known_from_then_on() -> None:
    physics = ecsphys.install()
    target = enemy(1)
    shot(0)
    esper.process(0.1)
    assert len(physics.hits.stronger_than(1.0).between(Shot, Enemy)) == 0
    esper.process(0.1)
    esper.delete_entity(target)
    esper.process(0.1)
    assert physics.hits.ended.between(Shot, Enemy).entity_b.tolist() == [target]


def test_owners_that_a_snapshot_has_come_back_with_it() -> None:
    physics = ecsphys.install()
    target = enemy(1)
    shot(0)
    esper.process(0.1)
    assert len(physics.hits.between(Shot, Enemy)) == 1
    esper.process(0.1)
    taken = physics.snapshot()
    esper.delete_entity(target)
    for _ in range(3):
        esper.process(0.1)
        assert len(physics.hits.between(Shot, Unused)) == 0
    physics.restore(taken)
    esper.delete_entity(target)
    esper.process(0.1)
    assert physics.hits.ended.between(Shot, Enemy).entity_b.tolist() == [target]

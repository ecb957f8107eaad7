"""Parents: children follow in the same step, chains in any order, cycles refused, orphans stay."""

from __future__ import annotations

import itertools
import math
import random

import esper
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import CircleCollider, LinearTrajectory, Parent, Transform, Velocity
from ecsphys.systems import HierarchySystem


def test_a_child_follows_its_parent_in_the_same_step() -> None:
    ecsphys.install()
    hand = esper.create_entity(Transform(1, 2, math.pi / 2), Velocity(3, 0))
    sword = Transform(100, 100)
    esper.create_entity(sword, Parent(hand, 2, 0.5, angle=0.25))
    esper.process(1.0)
    # The hand is at (4, 2) and looks up: two ahead of it is up, a half to its left is left.
    assert (sword.x, sword.y) == pytest.approx((3.5, 4.0))
    assert sword.angle == math.pi / 2 + 0.25


def test_what_does_not_turn_is_exact() -> None:
    ecsphys.install()
    hand = esper.create_entity(Transform(0.1, 0.2), LinearTrajectory(0.1, 0.2, 3, 0))
    sword = Transform()
    esper.create_entity(sword, Parent(hand, 0.3, 0.7))
    esper.process(0.0)
    assert sword == Transform(0.1 + 0.3, 0.2 + 0.7)


def test_the_childs_own_motion_has_no_effect() -> None:
    ecsphys.install()
    hand = esper.create_entity(Transform(5, 5))
    sword = Transform()
    esper.create_entity(sword, Velocity(100, 100, 100), Parent(hand, 1))
    esper.process(1.0)
    assert sword == Transform(6, 5)


def test_hits_see_the_child_where_it_is_carried() -> None:
    physics = ecsphys.install()
    hand = esper.create_entity(Transform(0, 0), Velocity(10, 0))
    sword = esper.create_entity(Transform(-50, 0), Parent(hand, 1), CircleCollider(0.5))
    target = esper.create_entity(Transform(12, 0), CircleCollider(0.5))
    esper.process(1.0)
    assert len(physics.hits) == 0  # at 11: they only touch
    esper.process(0.01)
    (hit,) = physics.hits.of(sword)
    assert hit.other(sword) == target
    assert hit.depth == pytest.approx(0.1)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 40), st.randoms(use_true_random=False))
def test_trees_in_any_order_of_creation(count: int, generator: random.Random) -> None:
    esper.clear_database()
    for processor in tuple(esper._processors):
        esper.remove_processor(type(processor))
    ecsphys.install()
    entities = [esper.create_entity() for _ in range(count)]
    generator.shuffle(entities)
    root = complex(generator.uniform(-5, 5), generator.uniform(-5, 5))
    expected = {entities[0]: (root, generator.uniform(-4, 4))}
    esper.add_component(entities[0], Transform(root.real, root.imag, expected[entities[0]][1]))
    for k, entity in enumerate(entities[1:], start=1):
        parent = entities[generator.randrange(k)]
        place, angle = complex(generator.uniform(-2, 2), generator.uniform(-2, 2)), generator.uniform(-1, 1)
        esper.add_component(entity, Transform())
        esper.add_component(entity, Parent(parent, place.real, place.imag, angle))
        origin, turn = expected[parent]
        expected[entity] = (origin + complex(math.cos(turn), math.sin(turn)) * place, turn + angle)
    esper.process(0.0)
    for entity, (place, angle) in expected.items():
        transform = esper.component_for_entity(entity, Transform)
        assert abs(complex(transform.x, transform.y) - place) < 1e-12 * count
        assert transform.angle == pytest.approx(angle, abs=1e-13 * count)


def test_a_long_chain() -> None:
    ecsphys.install()
    count = 2000
    entities = [esper.create_entity(Transform()) for _ in range(count)]
    for child, parent in itertools.pairwise(entities):  # each by the next: the last created is the root
        esper.add_component(child, Parent(parent, 1.0))
    esper.process(0.0)
    assert esper.component_for_entity(entities[0], Transform) == Transform(count - 1, 0)


def test_a_change_of_the_parents_number_alone_counts() -> None:
    ecsphys.install()
    left, right = esper.create_entity(Transform(-10, 0)), esper.create_entity(Transform(10, 0))
    carried, held = Transform(), Parent(left, 1)
    esper.create_entity(carried, held)
    esper.process(0.0)
    assert carried.x == -9
    held.entity = right
    esper.process(0.0)
    assert carried.x == 11
    Parent.column("entity")[:] = left
    esper.process(0.0)
    assert carried.x == -9


def test_an_unchanged_world_keeps_its_levels() -> None:
    physics = ecsphys.install()
    hand = esper.create_entity(Transform())
    esper.create_entity(Transform(), Parent(hand))
    esper.process(0.0)
    levels = physics._state.levels.levels
    esper.process(0.0)
    assert physics._state.levels.levels is levels


@pytest.mark.parametrize("length", [1, 2, 3, 7])
def test_a_cycle_is_refused_before_anything_moved(length: int) -> None:
    ecsphys.install()
    mover = Transform()
    esper.create_entity(mover, Velocity(1, 1))
    entities = [esper.create_entity(Transform()) for _ in range(length)]
    for child, parent in zip(entities, entities[1:] + entities[:1], strict=True):
        esper.add_component(child, Parent(parent, 1))
    hanger_on = esper.create_entity(Transform(), Parent(entities[0]))
    with pytest.raises(ValueError, match=r"cycle|itself as Parent") as caught:
        esper.process(1.0)
    assert all(str(entity) in str(caught.value) for entity in entities)
    assert str(hanger_on) not in str(caught.value).replace("cycle", "")
    assert mover == Transform()
    esper.remove_component(entities[0], Parent)
    esper.process(1.0)
    assert mover == Transform(1, 1)


def test_a_child_outlives_its_parent() -> None:
    ecsphys.install()
    hand = esper.create_entity(Transform(3, 4))
    sword, gem = Transform(), Transform()
    held = esper.create_entity(sword, Parent(hand, 1, 0))
    esper.create_entity(gem, Parent(held, 0, 1))
    esper.process(0.0)
    esper.delete_entity(hand)
    sword_before = Transform(sword.x, sword.y)
    esper.process(0.0)
    assert sword == sword_before == Transform(4, 4)
    sword.x = 50.0  # free again
    esper.process(0.0)
    assert (sword.x, gem.x, gem.y) == (50.0, 50.0, 5.0)


@pytest.mark.parametrize("number", [-1, 0, 10**9, 2**62])
def test_a_parent_that_never_was_is_ignored(number: int) -> None:
    ecsphys.install()
    carried = Transform(1, 2, 3)
    esper.create_entity(carried, Parent(number, 5, 5))
    esper.process(0.1)
    assert carried == Transform(1, 2, 3)


def test_without_a_transform_nobody_carries_or_is_carried() -> None:
    ecsphys.install()
    ghost = esper.create_entity()
    carried = Transform(1, 2)
    esper.create_entity(carried, Parent(ghost, 5, 5))
    esper.create_entity(Parent(ghost))
    esper.process(0.1)
    assert carried == Transform(1, 2)
    esper.add_component(ghost, Transform(10, 0))
    esper.process(0.1)
    assert carried == Transform(15, 5)


def test_bad_values() -> None:
    with pytest.raises(TypeError, match=r"Parent\.entity"):
        Parent("hand")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"Parent\.x"):
        Parent(1, math.nan)
    ecsphys.install()
    hand = esper.create_entity(Transform())
    child = esper.create_entity(Transform(), Parent(hand))
    Parent.column("angle")[ecsphys.join(Parent)[1]] = math.inf
    with pytest.raises(ValueError, match=rf"entity {child}.*Parent\.angle"):
        esper.process(0.0)


def test_the_stage_can_be_left_out() -> None:
    ecsphys.install()
    esper.remove_processor(HierarchySystem)
    hand = esper.create_entity(Transform(5, 5))
    carried = Transform()
    esper.create_entity(carried, Parent(hand))
    esper.process(0.0)
    assert carried == Transform()

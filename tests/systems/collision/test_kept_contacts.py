"""Contacts that are kept for a solver: within a margin, with features and impulses, and hits as they were."""

from __future__ import annotations

import math
from copy import copy
from itertools import combinations
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS

import ecsphys
from ecsphys import CircleCollider, CollisionFilter, OBBCollider, PolygonCollider, Transform, Velocity
from ecsphys.geometry import contact

MARGIN = 0.3

# What is compared of the hits of two worlds.
FIELDS = ("entity_a", "entity_b", "collider_a", "collider_b", "normal", "depth", "points", "point_count")


def contacts(physics: ecsphys.Physics) -> Any:
    return physics._state.hits.found.contacts


def pairs_of(physics: ecsphys.Physics) -> list[tuple[int, int]]:
    """The entities of each contact."""
    entity = physics._state.tables.colliders.slots.entity
    return [tuple(pair) for pair in entity[contacts(physics).slots].tolist()]


def kept(margin: float = MARGIN) -> ecsphys.Physics:
    physics = ecsphys.install()
    physics._state.hits.keep_contacts(margin)
    return physics


class Twins:
    """The same world twice, once with contacts kept."""

    def __init__(self) -> None:
        self.plain, self.kept = self._world("plain"), self._world("kept")
        self.kept._state.hits.keep_contacts(MARGIN)
        self.names = ("plain", "kept")

    def _world(self, name: str) -> ecsphys.Physics:
        esper.switch_world(name)
        return ecsphys.install(gravity=(0.0, -3.0))

    def both(self, change: Any) -> None:
        for name in self.names:
            esper.switch_world(name)
            change()

    def close(self) -> None:
        esper.switch_world("default")
        for name in self.names:
            esper.delete_world(name)


def make(kind: int, collider: Any, x: float, y: float, velocity: float) -> Any:
    parts: list[Any] = [Transform(x, y, 0.7 * kind), collider]
    if velocity:
        parts.append(Velocity(velocity, 0.5 * velocity, velocity))
    if kind == 1:
        parts.append(CollisionFilter(layers=2, mask=1))
    return lambda: esper.create_entity(*(copy(part) for part in parts))


ENTITIES = st.tuples(
    st.integers(0, 2),
    st.one_of(*COLLIDERS.values()),
    st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 2.5]),
    st.sampled_from([-2.0, -0.9, 0.0, 1.0, 2.1]),
    st.sampled_from([0.0, 0.0, 1.0, -3.0]),
)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    first=st.lists(ENTITIES, min_size=2, max_size=7), later=st.lists(ENTITIES, min_size=12, max_size=12), data=st.data()
)
def test_hits_stay_the_same_and_contacts_are_all_pairs_within_the_margin(first: Any, later: Any, data: Any) -> None:
    worlds = Twins()
    try:
        for entity in first:
            worlds.both(make(*entity))
        for entity in later:
            change = data.draw(st.sampled_from(["rest", "rest", "rest", "create", "delete", "move"]))
            if change == "create":
                worlds.both(make(*entity))
            chosen = data.draw(st.integers(0, 6))
            if change in ("delete", "move"):
                worlds.both(lambda change=change, chosen=chosen: _change(change, chosen))
            found: list[list[ecsphys.types.HitArrays]] = []
            reasons = []
            for name, physics in zip(worlds.names, (worlds.plain, worlds.kept), strict=True):
                esper.switch_world(name)
                esper.process(1 / 60)
                found.append([physics.hits, physics.hits.started, physics.hits.ended])
                reasons.append(physics.hits.ended.reason.tolist())
            for one, other in zip(*found, strict=True):
                for field in FIELDS:
                    np.testing.assert_array_equal(getattr(one, field), getattr(other, field), field)
            assert reasons[0] == reasons[1]
            _check_contacts(worlds.kept)
    finally:
        worlds.close()


def _change(change: str, chosen: int) -> None:
    entities = sorted(esper._entities)
    if not entities:
        return
    entity = entities[chosen % len(entities)]
    if change == "delete":
        esper.delete_entity(entity, immediate=True)
    else:
        esper.component_for_entity(entity, Transform).x += 0.25


def _check_contacts(physics: ecsphys.Physics) -> None:
    """Every pair within the margin, and no other, has a contact as ``geometry`` finds it."""
    expected = []
    for a, b in combinations(sorted(esper._entities), 2):
        filters = [esper.try_component(entity, CollisionFilter) or CollisionFilter() for entity in (a, b)]
        if not all(one.mask & other.layers for one, other in (filters, filters[::-1])):
            continue
        found = contact(*_side(a), *_side(b), prediction=MARGIN)
        if found is not None:
            expected.append(((a, b), found.depth))
    assert pairs_of(physics) == [pair for pair, _ in expected]
    depths = contacts(physics).depth
    np.testing.assert_allclose(depths, [depth for _, depth in expected], atol=1e-9)
    assert (contacts(physics).is_near == ~(depths > 0.0)).all()


def _side(entity: int) -> tuple[Any, Any]:
    parts: tuple[Any, ...] = esper.components_for_entity(entity)
    return next(part for part in parts if isinstance(part, ecsphys.COLLIDER_CLASSES)), parts[0]


def test_points_keep_their_features_and_impulses_while_a_box_slides() -> None:
    physics = kept()
    esper.create_entity(Transform(), OBBCollider(5, 0.5))
    esper.create_entity(Transform(-3, 0.98, 0.001), Velocity(2, 0, 0), OBBCollider(0.5, 0.5))
    esper.process(1 / 60)
    features = contacts(physics).features.copy()
    assert (features >= 0).all()
    assert len(set(features[0].tolist())) == 2
    for step in range(1, 100):
        contacts(physics).impulses[:] += (1.0, 10.0, 100.0, 1000.0)
        esper.process(1 / 60)
        found = contacts(physics)
        assert sorted(found.features[0].tolist()) == sorted(features[0].tolist())
        order = [0, 1] if found.features[0, 0] == features[0, 0] else [1, 0]
        expected = np.array([[1.0, 10.0], [100.0, 1000.0]])[:, order].ravel() * step
        assert found.impulses[0].tolist() == expected.tolist()


def test_features_stay_where_the_other_face_becomes_the_reference() -> None:
    physics = kept()
    below = esper.create_entity(Transform(), OBBCollider(0.5, 0.5))
    esper.create_entity(Transform(0, 0.98), OBBCollider(0.4, 0.5))
    features, is_upper_face = set(), set()
    for k in range(-8, 9):
        esper.component_for_entity(below, Transform).angle = 0.001 * k
        esper.process(0)
        features.add(frozenset(contacts(physics).features[0].tolist()))
        is_upper_face.add(contacts(physics).normal[0, 0] == 0.0)
    assert is_upper_face == {True, False}
    assert len(features) == 1
    assert len(features.pop()) == 2


def test_a_corner_that_begins_to_touch_has_no_impulse() -> None:
    physics = kept(0.0)
    esper.create_entity(Transform(), OBBCollider(5, 0.5))
    box = esper.create_entity(Transform(0, 0.995, 0.02), OBBCollider(0.5, 0.5))
    esper.process(0)
    found = contacts(physics)
    assert (found.features[0] >= 0).tolist() == [True, False]
    found.impulses[:] = 5.0
    esper.component_for_entity(box, Transform).angle = 0.0
    esper.process(0)
    found = contacts(physics)
    assert (found.features[0] >= 0).all()
    assert sorted(found.impulses[0, :2].tolist()) == [0.0, 5.0]


def test_a_pair_that_is_near_starts_and_ends_a_hit_as_it_crosses_the_surface() -> None:
    physics = kept()
    esper.create_entity(Transform(), CircleCollider(1))
    other = esper.create_entity(Transform(2.1, 0), CircleCollider(1))
    seen = []
    for x in (2.1, 1.9, 1.8, 2.1, 2.2, 1.9, 2.5):
        esper.component_for_entity(other, Transform).x = x
        esper.process(0)
        seen.append(
            (len(contacts(physics)), len(physics.hits), len(physics.hits.started), physics.hits.ended.reason.tolist())
        )
    assert seen == [
        (1, 0, 0, []),
        (1, 1, 1, []),
        (1, 1, 0, []),
        (1, 0, 0, ["separated"]),
        (1, 0, 0, []),
        (1, 1, 1, []),
        (0, 0, 0, ["separated"]),
    ]


def test_contacts_of_what_sleeps_go_on_with_their_impulses() -> None:
    physics = kept()
    esper.create_entity(Transform(), OBBCollider(5, 0.5))
    esper.create_entity(Transform(0, 1.02), PolygonCollider([(-0.5, -0.5), (0.5, -0.5), (0, 0.5)]))
    esper.process(1 / 60)
    contacts(physics).impulses[:] = (1.0, 2.0, 3.0, 4.0)
    first = contacts(physics)
    features, separations = first.features.copy(), first.separations.copy()
    for _ in range(20):
        esper.process(1 / 60)
    assert physics.debug.profile.counters["sleeping"] == 2
    found = contacts(physics)
    assert found.is_near.tolist() == [True]
    assert found.impulses.tolist() == [[1.0, 2.0, 3.0, 4.0]]
    assert (found.features == features).all()
    assert (found.separations == separations).all()


def test_a_replacement_in_the_same_slot_has_no_impulse() -> None:
    physics = kept()
    esper.create_entity(Transform(), OBBCollider(5, 0.5))
    box = esper.create_entity(Transform(0, 1.02), OBBCollider(0.5, 0.5))
    esper.process(0)
    contacts(physics).impulses[:] = 7.0
    esper.delete_entity(box, immediate=True)
    esper.create_entity(Transform(0, 1.02), OBBCollider(0.5, 0.5))
    esper.process(0)
    assert contacts(physics).impulses.tolist() == [[0.0, 0.0, 0.0, 0.0]]


def test_a_bullet_that_touches_on_its_way_is_a_hit_though_it_ends_near() -> None:
    physics = kept(1.0)
    esper.create_entity(Transform(0, 0), OBBCollider(0.05, 5))
    esper.create_entity(Transform(-5, 0), Velocity(600, 0), CircleCollider(0.1), ecsphys.Bullet())
    esper.process(1 / 60)
    assert len(physics.hits.started) == 1
    assert contacts(physics).is_near.tolist() == [False]
    assert contacts(physics).features.tolist() == [[-1, -1]]


def test_what_a_game_may_not_write_is_read_only() -> None:
    physics = kept()
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(0)
    found = contacts(physics)
    for name in ("slots", "normal", "depth", "positions", "separations", "features", "is_near"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(found, name)[:] = 0
    found.impulses[:] = 1.0


@pytest.mark.parametrize("margin", [-1.0, math.nan, math.inf])
def test_a_margin_that_is_none_is_refused(margin: float) -> None:
    physics = ecsphys.install()
    with pytest.raises(ValueError, match="prediction"):
        physics._state.hits.keep_contacts(margin)

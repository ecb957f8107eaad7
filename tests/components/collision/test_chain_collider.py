"""``ChainCollider``: what it takes and refuses, and how its segments come, go and are told apart."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import ChainCollider, CircleCollider, CompoundCollider, Disabled, OBBCollider, Physics, Solid, Transform
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.engine.shapes.layout import KIND_CHAIN

HILLS = [(0, 0), (4, 1), (8, 0.5), (12, 2)]


@pytest.fixture
def fresh() -> Physics:
    return ecsphys.install()


def test_a_chain_tells_what_it_was_given() -> None:
    chain = ChainCollider(HILLS, radius=0.5, side="left")
    assert chain.points == ((0, 0), (4, 1), (8, 0.5), (12, 2))
    assert (chain.closed, chain.radius, chain.side, chain.sensor, len(chain)) == (False, 0.5, "left", False, 3)
    assert len(ChainCollider(np.array(HILLS), closed=True)) == 4
    assert "4 points" not in repr(chain)
    assert "<9 points>" in repr(ChainCollider([(i, 0) for i in range(9)]))
    both = ChainCollider.from_lines([HILLS, [(0, 5), (1, 5)]])
    assert len(both) == 4
    assert both.lines == (chain.points, ((0, 5), (1, 5)))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_equal_and_another_chain(make: Any) -> None:
    for chain in (ChainCollider(HILLS, True, 0.25, "right", True), ChainCollider.from_lines([HILLS, HILLS])):
        other = make(chain)
        assert other == chain
        assert repr(other) == repr(chain)
        other.radius = 1
        assert other != chain


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([(0, 0)],), ValueError, "ChainCollider.points: a chain needs at least 2 points, got 1"),
        (([(0, 0), (1, 0)], True), ValueError, "ChainCollider.points: a closed chain needs at least 3 points, got 2"),
        (([(0, 0), (1, 0), (1, 0)],), ValueError, "points 1 and 2 are both at (1.0, 0.0)"),
        (([(0, 0), (1, 0), (1, 1), (0, 0)], True), ValueError, "leave out the last"),
        (([(0, 0), (math.nan, 0)],), ValueError, "ChainCollider.points[1] x must be finite, got nan"),
        (([(0, 0), (1, 0, 0)],), ValueError, "ChainCollider.points[1] must be a pair of numbers (x, y)"),
        (("line",), TypeError, "ChainCollider.points must be points (x, y)"),
        (([(-1.7e308, 0), (1.7e308, 0)],), ValueError, "are too far apart"),
        (([(0, 0), (1, 0)], 1), TypeError, "ChainCollider.closed must be True or False, got 1"),
        (([(0, 0), (1, 0)], False, -1), ValueError, "ChainCollider.radius must be at least 0, got -1"),
        (([(0, 0), (1, 0)], False, 0, "up"), ValueError, "ChainCollider.side must be one of 'both', 'left', 'right'"),
    ],
)
def test_what_is_no_chain_is_refused(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        ChainCollider(*arguments)
    assert message in str(raised.value)
    with pytest.raises(ValueError, match="must have at least one line, got none"):
        ChainCollider.from_lines([])


def test_a_hit_names_the_segment(fresh: Physics) -> None:
    ground = esper.create_entity(Transform(0, 1), ChainCollider([(0, 0), (2, 0), (4, 0)]))
    ball = esper.create_entity(Transform(3, 1.5), CircleCollider(1))
    esper.process(0.1)
    (hit,) = fresh.hits.of(ball)
    assert (hit.entity_a, hit.collider_a, hit.part_a) == (ground, ChainCollider, 1)
    assert (hit.normal, hit.depth, hit.points) == ((0, 1), 0.5, ((3, 0.75),))
    assert ecsphys.COLLIDER_CLASSES[fresh.hits.collider_a[0]] is ChainCollider
    assert fresh.debug.colliders.part.tolist() == [0, 1, -1]


def test_it_turns_and_moves_with_its_entity_and_goes_beside_other_colliders(fresh: Physics) -> None:
    place = Transform(10, 0, angle=math.pi / 2)
    parts = CompoundCollider([CircleCollider(0.1), OBBCollider(0.1, 0.1)])
    esper.create_entity(place, ChainCollider([(0, 0), (2, 0), (4, 0)]), parts, CircleCollider(0.2))
    ball = esper.create_entity(Transform(10.5, 3), CircleCollider(1))
    esper.process(0.1)
    (hit,) = fresh.hits.of(ball)
    assert (hit.collider_a, hit.part_a) == (ChainCollider, 1)
    assert hit.normal == pytest.approx((1, 0))
    assert fresh.debug.colliders.collider.tolist() == [0, 0, 2, KIND_CHAIN, KIND_CHAIN, 0]
    assert fresh.debug.colliders.part.tolist() == [-1, 0, 1, 0, 1, -1]
    place.x = 7
    esper.process(0.1)
    assert not len(fresh.hits)


def test_radius_and_sensor_may_change(fresh: Physics) -> None:
    chain = ChainCollider([(0, 0), (4, 0)])
    esper.create_entity(Transform(), chain, Solid())
    ball = esper.create_entity(Transform(2, 1.5), CircleCollider(1))
    esper.process(0.1)
    assert not fresh.hits.of(ball)
    chain.radius = 1
    esper.process(0.1)
    (hit,) = fresh.hits.of(ball)
    assert hit.depth == 0.5
    assert not hit.sensor_a
    chain.sensor = True
    esper.process(0.1)
    assert fresh.hits.of(ball)[0].sensor_a
    assert [hit.entity for hit in fresh.raycast_all((2, 9), (0, -1))] == [ball]


def test_its_hits_end_with_it(fresh: Physics) -> None:
    ground = esper.create_entity(Transform(), ChainCollider([(0, 0), (2, 0), (4, 0)]))
    esper.create_entity(Transform(2, 0.5), CircleCollider(1))
    esper.process(0.1)
    assert len(fresh.hits) == 2
    esper.add_component(ground, ChainCollider([(0, 0), (4, 0)]))
    esper.process(0.1)
    assert fresh.hits.ended.reason.tolist() == ["removed", "removed"]
    assert len(fresh.hits.started) == 1
    esper.add_component(ground, Disabled())
    esper.process(0.1)
    assert fresh.hits.ended.reason.tolist() == ["disabled"]
    esper.remove_component(ground, Disabled)
    esper.process(0.1)
    assert len(fresh.hits.started) == 1
    esper.remove_component(ground, ChainCollider)
    esper.process(0.1)
    assert fresh.hits.ended.reason.tolist() == ["removed"]
    assert len(fresh.debug.colliders) == 1
    esper.clear_database()
    esper.create_entity(Transform(), ChainCollider(HILLS))
    esper.process(0.1)
    assert len(fresh.debug.colliders) == 3


def test_one_chain_on_two_entities_is_refused(fresh: Physics) -> None:
    chain = ChainCollider(HILLS)
    a, b = (esper.create_entity(Transform(), chain) for _ in range(2))
    with pytest.raises(ValueError, match=f"entities {a} and {b} share one ChainCollider instance"):
        esper.process(0.1)
    esper.delete_entity(b, immediate=True)
    esper.process(0.1)
    assert len(fresh.debug.colliders) == 3


def test_chains_give_their_rows_of_the_vertex_pool_back() -> None:
    ChainCollider([(i, 0) for i in range(51)])
    before = VERTEX_POOL.high_water
    for _ in range(5):
        ChainCollider([(i, i) for i in range(51)])
    assert VERTEX_POOL.high_water == before


def test_a_concave_polygon_is_referred_to_chains_and_outlines() -> None:
    with pytest.raises(ValueError, match=r"CompoundCollider.from_outline .* ChainCollider"):
        ecsphys.PolygonCollider([(0, 0), (2, 0), (0.5, 0.5), (0, 2)])

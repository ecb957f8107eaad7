"""Any sequence of creating, assigning, copying and deleting against a plain-Python model of the same components."""

from __future__ import annotations

import copy
import gc
import math
import pickle
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from ecsphys import Component, PolygonCollider, column
from ecsphys.components.collision.polygon_collider import VERTEX_POOL


class Body(Component):
    """Fields of all dtypes."""

    weight: float = column(above=0.0, high=1e6)
    x: float = 0.0
    score: int = 0
    flags: int = column(default=1, dtype="uint32")


@dataclass
class PlainBody:
    """What ``Body`` should be."""

    weight: float
    x: float = 0.0
    score: int = 0
    flags: int = 1


VALID: dict[str, st.SearchStrategy[Any]] = {
    "weight": st.floats(5e-324, 1e6),
    "x": st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6) | st.booleans(),
    "score": st.integers(-(2**63), 2**63 - 1),
    "flags": st.integers(0, 2**32 - 1),
}
OPTIONAL = {name: values for name, values in VALID.items() if name != "weight"}
INVALID: dict[str, st.SearchStrategy[Any]] = {
    "weight": st.sampled_from([0.0, -1.0, 1e7, math.nan, math.inf, None, "1"]),
    "x": st.sampled_from([math.nan, math.inf, -math.inf, 10**400, None, "1", [1.0]]),
    "score": st.sampled_from([2**63, -(2**63) - 1, 1.0, None]),
    "flags": st.sampled_from([2**32, -1, 1.0, "1"]),
}


class BodiesAgainstModel(RuleBasedStateMachine):
    """A pair is (component, model); the model is the truth."""

    pairs = Bundle("pairs")

    def __init__(self) -> None:
        super().__init__()
        self.alive: list[tuple[Body, PlainBody]] = []

    def keep(self, body: Body, plain: PlainBody) -> tuple[Body, PlainBody]:
        self.alive.append((body, plain))
        return self.alive[-1]

    @rule(target=pairs, values=st.fixed_dictionaries({"weight": VALID["weight"]}, optional=OPTIONAL))
    def create(self, values: dict[str, Any]) -> tuple[Body, PlainBody]:
        return self.keep(Body(**values), PlainBody(**values))

    @rule(target=pairs, weight=VALID["weight"], x=VALID["x"], count=st.integers(1, 60))
    def create_many(self, weight: float, x: float, count: int) -> tuple[Body, PlainBody]:
        for i in range(count):
            pair = self.keep(Body(weight, x, i), PlainBody(weight, x, i))
        return pair

    @rule(pair=pairs, name=st.sampled_from(sorted(VALID)), data=st.data())
    def assign(self, pair: tuple[Body, PlainBody], name: str, data: st.DataObject) -> None:
        value = data.draw(VALID[name])
        for each in pair:
            setattr(each, name, value)

    @rule(pair=pairs, name=st.sampled_from(sorted(VALID)), value=st.integers(1, 1000))
    def write_through_the_column(self, pair: tuple[Body, PlainBody], name: str, value: int) -> None:
        Body.column(name)[pair[0]._row] = value
        setattr(pair[1], name, value)

    @rule(pair=pairs, name=st.sampled_from(sorted(INVALID)), data=st.data())
    def fail_to_assign(self, pair: tuple[Body, PlainBody], name: str, data: st.DataObject) -> None:
        with pytest.raises((TypeError, ValueError), match=rf"^Body\.{name} must be"):
            setattr(pair[0], name, data.draw(INVALID[name]))

    @rule(name=st.sampled_from(sorted(INVALID)), data=st.data())
    def fail_to_create(self, name: str, data: st.DataObject) -> None:
        with pytest.raises((TypeError, ValueError), match=rf"^Body\.{name} must be"):
            Body(**{"weight": 1.0, name: data.draw(INVALID[name])})

    @rule(target=pairs, pair=pairs, way=st.sampled_from([copy.copy, copy.deepcopy, pickle.dumps]))
    def duplicate(self, pair: tuple[Body, PlainBody], way: Any) -> tuple[Body, PlainBody]:
        twin = way(pair[0])
        return self.keep(pickle.loads(twin) if way is pickle.dumps else twin, copy.copy(pair[1]))

    @rule(pair=consumes(pairs))
    def delete(self, pair: tuple[Body, PlainBody]) -> None:
        self.alive[:] = [other for other in self.alive if other is not pair]

    @invariant()
    def every_value_is_the_models(self) -> None:
        for body, plain in self.alive:
            assert (body.weight, body.x, body.score, body.flags) == (plain.weight, plain.x, plain.score, plain.flags)

    @invariant()
    def no_two_share_a_row(self) -> None:
        rows = [body._row for body, _ in self.alive]
        assert len(set(rows)) == len(rows)
        assert all(row < Body._columns.high_water for row in rows)

    def teardown(self) -> None:
        # Not len(self.alive): hypothesis holds some of the deleted a while longer.
        existing = sum(type(thing) is Body and hasattr(thing, "_row") for thing in gc.get_objects())
        assert len(self.alive) <= existing == Body._columns.live_rows


BodiesAgainstModel.TestCase.settings = settings(max_examples=12, stateful_step_count=30, deadline=None)
TestBodiesAgainstModel = BodiesAgainstModel.TestCase


def ring(count: int, radius: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (radius * math.cos(math.tau * i / count), radius * math.sin(math.tau * i / count)) for i in range(count)
    )


class PolygonsAgainstModel(RuleBasedStateMachine):
    """The vertices of many polygons share one pool: no assignment or death may touch another's."""

    pairs = Bundle("pairs")
    shapes = st.builds(ring, st.integers(3, 16), st.floats(1e-3, 1e3))

    def __init__(self) -> None:
        super().__init__()
        self.alive: list[list[Any]] = []

    @rule(target=pairs, shape=shapes)
    def create(self, shape: Any) -> list[Any]:
        self.alive.append([PolygonCollider(shape, 0.5), shape])
        return self.alive[-1]

    @rule(pair=pairs, shape=shapes)
    def assign(self, pair: list[Any], shape: Any) -> None:
        pair[0].vertices = shape
        pair[1] = shape

    @rule(pair=pairs)
    def fail_to_assign(self, pair: list[Any]) -> None:
        with pytest.raises(ValueError, match=r"^PolygonCollider\.vertices"):
            pair[0].vertices = [(0, 0), (1, 1), (2, 2)]

    @rule(target=pairs, pair=pairs, way=st.sampled_from([copy.copy, copy.deepcopy, pickle.dumps]))
    def duplicate(self, pair: list[Any], way: Any) -> list[Any]:
        twin = way(pair[0])
        self.alive.append([pickle.loads(twin) if way is pickle.dumps else twin, pair[1]])
        return self.alive[-1]

    @rule(pair=consumes(pairs))
    def delete(self, pair: list[Any]) -> None:
        self.alive[:] = [other for other in self.alive if other is not pair]
        pair.clear()

    @invariant()
    def every_polygon_has_its_vertices(self) -> None:
        for polygon, shape in self.alive:
            assert polygon.vertices == shape
            assert polygon.radius == 0.5

    @invariant()
    def no_two_runs_overlap(self) -> None:
        taken = [i for polygon, _ in self.alive for i in range(polygon._start, polygon._start + polygon._count)]
        assert len(set(taken)) == len(taken)
        assert all(i < VERTEX_POOL.high_water for i in taken)


PolygonsAgainstModel.TestCase.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
TestPolygonsAgainstModel = PolygonsAgainstModel.TestCase


def test_rows_of_the_dead_are_used_again() -> None:
    bodies = [Body(1.0) for _ in range(100)]
    rows = sorted(body._row for body in bodies)
    high_water = Body._columns.high_water
    bodies.clear()
    again = [Body(2.0) for _ in range(100)]
    assert sorted(body._row for body in again) == rows
    assert Body._columns.high_water == high_water
    assert all(body == Body(2.0) for body in again)


def test_instances_in_a_reference_cycle_give_their_rows_back() -> None:
    gc.collect()
    live = Body._columns.live_rows
    for _ in range(10):
        cycle: list[Any] = [Body(1.0)]
        cycle.append(cycle)
    del cycle
    gc.collect()
    assert Body._columns.live_rows == live


def test_fields_added_since_an_instance_was_pickled_get_their_defaults() -> None:
    make, (cls, values) = Body(2.0, 3.0).__reduce__()
    del values["flags"]
    assert make(cls, values) == Body(2.0, 3.0)


def test_polygons_come_and_go_without_growing_the_pool() -> None:
    shape = ring(5, 1.0)
    kept = PolygonCollider(shape)
    PolygonCollider(shape)
    high_water, rows = VERTEX_POOL.high_water, PolygonCollider._columns.high_water
    free = sum(map(len, VERTEX_POOL._free.values()))
    for _ in range(2000):
        PolygonCollider(shape)
        with pytest.raises(ValueError, match="radius"):
            PolygonCollider(shape, -1.0)
    assert (VERTEX_POOL.high_water, PolygonCollider._columns.high_water) == (high_water, rows)
    assert sum(map(len, VERTEX_POOL._free.values())) == free
    assert kept.vertices == shape

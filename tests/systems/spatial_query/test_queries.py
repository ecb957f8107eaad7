"""Queries in the life of a world: what changes between them, and what they must not change."""

from __future__ import annotations

import copy
import enum
import itertools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex

import esper
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    OBBCollider,
    Physics,
    PolygonCollider,
    Priority,
    Transform,
    Velocity,
)
from ecsphys.types import Nearest, RayHit

STEP = 1 / 60


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    esper.switch_world("queries")
    yield
    esper.switch_world("default")
    for name in ("queries", "asked", "unasked"):
        if name in esper.list_worlds():
            esper.delete_world(name)


def disc(x: float, y: float, *components: Any, radius: float = 1.0) -> int:
    return esper.create_entity(Transform(x, y), CircleCollider(radius), *components)


def test_what_is_created_moved_grown_disabled_and_deleted_is_seen_at_once() -> None:
    physics = Physics()
    assert physics.query_point((0.0, 0.0)) == []
    a, b = disc(0.0, 0.0), disc(5.0, 0.0)
    assert physics.query_point((0.0, 0.0)) == [a]
    esper.component_for_entity(a, Transform).x = 20.0
    assert physics.query_point((0.0, 0.0)) == []
    assert physics.query_point((20.0, 0.0)) == [a]
    esper.component_for_entity(b, CircleCollider).radius = 6.0
    assert physics.query_point((0.0, 0.0)) == [b]
    column = Transform.column("y")
    column[esper.component_for_entity(b, Transform)._row] = 100.0
    assert physics.query_point((5.0, 100.0)) == [b]
    column[esper.component_for_entity(b, Transform)._row] = 0.0
    assert physics.query_point((5.0, 0.0)) == [b]
    del column
    esper.add_component(b, Disabled())
    assert physics.query_point((5.0, 0.0)) == []
    esper.remove_component(b, Disabled)
    assert physics.query_point((5.0, 0.0)) == [b]
    esper.delete_entity(b)
    assert physics.query_point((5.0, 0.0)) == []
    assert physics.nearest((5.0, 0.0))[0].entity == a
    esper.delete_entity(a, immediate=True)
    assert physics.nearest((5.0, 0.0)) == []
    esper.clear_database()
    again = disc(0.0, 0.0)
    assert physics.query_point((0.0, 0.0)) == [again]


def test_vertices_of_a_polygon_that_are_assigned_are_seen() -> None:
    physics = Physics()
    polygon = PolygonCollider([(0, 0), (1, 0), (0, 1)])
    entity = esper.create_entity(Transform(), polygon)
    assert physics.query_point((2.0, 2.0)) == []
    polygon.vertices = [(0, 0), (9, 0), (0, 9)]
    assert physics.query_point((2.0, 2.0)) == [entity]


def answers(physics: Physics) -> list[Any]:
    """What every kind of query finds; the entities last."""
    turns = np.linspace(0.0, math.tau, 40, endpoint=False)
    rays = physics.raycast_batch(np.zeros((40, 2)), np.column_stack((np.cos(turns), np.sin(turns))), 100.0)
    near = physics.nearest((3.0, 3.0), 7)
    along = physics.raycast_all((-50.0, 0.3), (1.0, 0.02))
    cast = physics.shapecast(CircleCollider(0.4), Transform(-20.0, 0.2), (40.0, 1.0))
    found: list[Any] = [*near, *along, *([] if cast is None else [cast])]
    entities = rays.entity.tolist() + [one.entity for one in found]
    box = physics.query_aabb((-12.0, -12.0), (9.0, 11.0))
    return [rays.distance.tolist(), [one._replace(entity=0) for one in found], entities + box]


def same_as_a_fresh_look(physics: Physics) -> None:
    """The queries of a physics that has filed what rests equal those of one that sees a copy of the world anew."""
    seen = answers(physics)
    world, entities = esper.current_world, sorted(entity for entity, _ in esper.get_component(Transform))
    contents: list[list[Any]] = [list(map(copy.copy, esper.components_for_entity(entity))) for entity in entities]
    esper.switch_world("asked")
    esper.clear_database()
    original = {esper.create_entity(*components): entity for entity, components in zip(entities, contents, strict=True)}
    fresh = answers(Physics())
    esper.switch_world(world)
    assert seen == [*fresh[:2], [original.get(entity, entity) for entity in fresh[2]]]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["step", "shift", "write", "create", "delete", "disable", "turn"]), max_size=25))
def test_among_resting_colliders_queries_see_every_change(changes: list[str]) -> None:
    esper.clear_database()
    for processor in list(esper._processors):
        esper.remove_processor(type(processor))
    physics = ecsphys.install()
    rng = np.random.default_rng(len(changes))
    entities = [disc(*rng.uniform(-20, 20, 2).tolist(), radius=0.7) for _ in range(60)]
    entities += [disc(*rng.uniform(-20, 20, 2).tolist(), Velocity(3.0, 1.0), radius=0.7) for _ in range(6)]
    for _ in range(12):
        esper.process(STEP)
    assert physics.debug.profile.counters["sleeping"] == 60
    same_as_a_fresh_look(physics)
    for change in changes:
        entity = int(rng.choice(entities))
        if change == "step":
            esper.process(STEP)
        elif change == "shift":
            esper.component_for_entity(entity, Transform).x += 4.0
        elif change == "write":
            Transform.column("y")[esper.component_for_entity(entity, Transform)._row] -= 3.0
        elif change == "create":
            entities.append(disc(*rng.uniform(-20, 20, 2).tolist()))
        elif change == "delete":
            entities.remove(entity)
            esper.delete_entity(entity, immediate=True)
        elif change == "disable":
            if esper.has_component(entity, Disabled):
                esper.remove_component(entity, Disabled)
            else:
                esper.add_component(entity, Disabled())
        else:
            esper.component_for_entity(entity, CircleCollider).radius *= 1.5
        same_as_a_fresh_look(physics)


class Pushes(esper.Processor):
    """Between the stages of a step it moves things and, in one of two worlds, asks."""

    def __init__(self, physics: Physics, asks: bool, seed: int) -> None:
        self._physics, self._asks, self._rng = physics, asks, np.random.default_rng(seed)

    def process(self, dt: float) -> None:
        entities = [entity for entity, _ in esper.get_component(CircleCollider)]
        for _ in range(2):
            entity = entities[int(self._rng.integers(len(entities)))]
            esper.component_for_entity(entity, Transform).x += float(self._rng.normal())
            if self._asks:
                self._physics.raycast((0.0, 0.0), (1.0, 1.0))
                self._physics.query_point((0.0, 0.0))


def history(name: str, seed: int, priority: int, asks: bool) -> list[Any]:
    esper.switch_world(name)
    physics = ecsphys.install()
    rng = np.random.default_rng(seed)
    entities = []
    for number in range(50):
        x, y, vx, vy = rng.uniform(-6, 6, 4).tolist()
        entities.append(disc(x, y, *([Velocity(vx, vy)] if number % 3 == 0 else [])))
    esper.add_processor(Pushes(physics, asks, seed), priority=priority)
    first = min(entities)
    seen = []
    for step in range(30):
        if asks and step % 3 == 1:
            physics.raycast((0.0, 0.0), (1.0, 1.0))
            physics.nearest((0.0, 0.0), 3)
        if step % 7 == 5:
            esper.component_for_entity(entities[step], Transform).y += 0.5
            if asks:
                physics.shapecast(CircleCollider(1.0), Transform(-9, 0), (18.0, 0.0))
            esper.component_for_entity(entities[step], Transform).y -= 0.25
        if step % 9 == 4:
            esper.delete_entity(entities.pop(), immediate=True)
            if asks:
                physics.query_aabb((-3, -3), (3, 3))
            entities.append(disc(0.0, float(step)))
        esper.process(STEP)
        for hits in (physics.hits, physics.hits.started, physics.hits.ended):
            seen.append((hits.entity_a - first).tolist())
            seen.append((hits.entity_b - first).tolist())
            seen.append(hits.depth.tolist())
    return seen


@pytest.mark.parametrize("priority", [450, Priority.BROADPHASE + 1, Priority.BROADPHASE - 1, 0])
def test_asking_changes_no_hit_of_any_later_step(priority: int) -> None:
    asked = history("asked", 3, priority, asks=True)
    assert asked == history("unasked", 3, priority, asks=False)
    assert any(asked)


def test_a_bad_value_of_a_new_entity_is_still_refused_by_the_stage_after_a_query() -> None:
    physics = ecsphys.install()
    disc(0.0, 0.0)

    class Creates(esper.Processor):
        def process(self, dt: float) -> None:
            entity = disc(3.0, 0.0)
            Transform.column("x")[esper.component_for_entity(entity, Transform)._row] = math.nan
            assert physics.query_point((0.0, 0.0)) != []

    esper.add_processor(Creates(), priority=Priority.BROADPHASE + 1)
    with pytest.raises(ValueError, match=r"Transform\.x"):
        esper.process(STEP)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -1.0, 0.0, 1e300])
@pytest.mark.parametrize("field", ["x", "angle", "radius"])
def test_a_bad_value_in_a_column_makes_no_query_crash(value: float, field: str) -> None:
    physics = Physics()
    good = disc(4.0, 0.0)
    bad = disc(0.0, 0.0)
    cls = CircleCollider if field == "radius" else Transform
    cls.column(field)[esper.component_for_entity(bad, cls)._row] = value
    assert good in physics.query_point((4.0, 0.0))
    assert good in physics.query_aabb((3.0, -1.0), (5.0, 1.0))
    assert good in physics.query_shape(OBBCollider(1.0, 1.0), Transform(4.0, 0.0))
    assert good in {one.entity for one in physics.nearest((4.0, 0.0), 2)}
    assert good in {hit.entity for hit in physics.raycast_all((4.0, -9.0), (0.0, 1.0))}
    physics.raycast((-9.0, 0.0), (1.0, 0.0))
    physics.shapecast(CircleCollider(0.5), Transform(-9.0, 0.0), (20.0, 0.0))


def test_a_layer_as_the_filter_of_a_query_finds_what_a_filter_with_that_mask_finds() -> None:
    physics = Physics()
    for k in range(12):
        disc(0.2 * k, 0.0, *([CollisionFilter(1 << (k % 3), 0)] if k else []))

    class Layer(enum.IntFlag):
        ONE, TWO, FOUR = 1, 2, 4

    found = []
    kinds: list[SupportsIndex] = [Layer.ONE, np.uint32(1), Layer.TWO, Layer.ONE | Layer.FOUR, 7, np.int64(7)]
    for layers in kinds:
        same = CollisionFilter(mask=operator.index(layers))
        for ask in (physics.query_point, lambda point, **kind: physics.raycast_all(point, (1.0, 0.0), **kind)):
            assert ask((0.5, 0.0), filter=layers) == ask((0.5, 0.0), filter=same)
        found.append(len(physics.query_point((0.5, 0.0), filter=layers)))
    assert sorted(found) == found
    assert 0 < found[0] < found[-1]


def test_filters_and_ignored_and_dead_entities_are_respected() -> None:
    physics = Physics()
    plain, wall, ghost = disc(2.0, 0.0), disc(4.0, 0.0, CollisionFilter(2)), disc(6.0, 0.0, CollisionFilter(1, 0))
    friend = disc(8.0, 0.0, CollisionFilter(1, group=-7))
    ray = ((0.0, 0.0), (1.0, 0.0))

    def seen(**options: Any) -> list[int]:
        found = [hit.entity for hit in physics.raycast_all(*ray, **options) if hit.entity is not None]
        assert [one.entity for one in physics.nearest((0.0, 0.0), 9, **options)] == found
        assert physics.query_aabb((0.0, -1.0), (9.0, 1.0), **options) == sorted(found)
        assert physics.query_point_batch([(2, 0), (4, 0), (6, 0), (8, 0)], **options).entity.tolist() == found
        first = physics.shapecast(CircleCollider(0.1), Transform(), (9.0, 0.0), **options)
        assert (None if first is None else first.entity) == (found[0] if found else None)
        return found

    assert seen() == [plain, wall, ghost, friend]
    assert seen(filter=CollisionFilter(layers=1, mask=2)) == [wall]
    assert seen(filter=CollisionFilter(layers=4, mask=1)) == [plain, ghost, friend]
    assert seen(filter=CollisionFilter(group=-7)) == [plain, wall, ghost]
    assert seen(mutual=True) == [plain, wall, friend]
    assert seen(mutual=True, filter=CollisionFilter(layers=4, mask=1)) == [plain, friend]
    assert seen(mutual=True, filter=CollisionFilter(group=-7)) == [plain, wall]
    assert seen(ignore=[plain, ghost]) == [wall, friend]
    assert seen(ignore=[ghost, friend, plain, 10**12]) == [wall]
    assert seen(ignore=np.array([wall, friend, ghost])) == [plain]
    esper.delete_entity(wall)
    assert seen() == [plain, ghost, friend]
    assert seen(ignore=plain) == [ghost, friend]
    assert ghost not in seen(filter=CollisionFilter(3), mutual=True)


def test_a_coin_that_hits_nothing_is_found_by_its_layer() -> None:
    physics = Physics()
    coin = disc(0.0, 0.0, CollisionFilter(layers=8, mask=0))
    assert physics.query_point((0.0, 0.0)) == [coin]
    assert physics.query_point((0.0, 0.0), filter=CollisionFilter(mask=8)) == [coin]
    assert physics.query_point((0.0, 0.0), filter=CollisionFilter(mask=7)) == []
    assert physics.query_point((0.0, 0.0), filter=CollisionFilter(mask=8), mutual=True) == []
    with pytest.raises(TypeError, match="mutual must be True or False, got 1"):
        physics.query_point((0.0, 0.0), mutual=1)  # type: ignore[arg-type]


def test_at_one_distance_the_lowest_entity_class_and_part_is_taken() -> None:
    physics = Physics()
    compound = CompoundCollider([AABBCollider(1, 1), AABBCollider(1, 2)])
    first = esper.create_entity(Transform(5, 0), compound, OBBCollider(1, 1))
    second = esper.create_entity(Transform(5, 0), AABBCollider(1, 1))
    hits = physics.raycast_all((0.0, 0.0), (1.0, 0.0))
    assert [(hit.entity, hit.collider, hit.part) for hit in hits] == [
        (first, AABBCollider, 0),
        (first, AABBCollider, 1),
        (first, OBBCollider, None),
        (second, AABBCollider, None),
    ]
    assert hits[0] == physics.raycast((0.0, 0.0), (1.0, 0.0))
    assert hits[0] == RayHit(4.0, (4.0, 0.0), (-1.0, 0.0), first, AABBCollider, 0)
    assert physics.nearest((0.0, 0.0), 2) == [
        Nearest(first, AABBCollider, 0, 4.0, (4.0, 0.0)),
        Nearest(second, AABBCollider, None, 4.0, (4.0, 0.0)),
    ]


def test_a_shape_that_overlaps_at_the_start_is_met_at_fraction_0_and_told_the_way_out() -> None:
    physics = Physics()
    wall = esper.create_entity(Transform(0, 0), AABBCollider(5, 1))
    for way in ((0.0, 3.0), (0.0, -3.0), (0.0, 0.0)):
        hit = physics.shapecast(CircleCollider(0.5), Transform(0, 1.25), way)
        assert hit is not None
        assert (hit.entity, hit.fraction) == (wall, 0.0)
        assert hit.normal == pytest.approx((0.0, 1.0))
    assert physics.shapecast(CircleCollider(0.5), Transform(0, 1.5), (0.0, 0.0)) is None
    assert physics.shapecast(CircleCollider(0.5), Transform(0, 1.5), (2.0, 0.0)) is None
    hit = physics.shapecast(CircleCollider(0.5), Transform(1, 3.5), (0.0, -4.0))
    assert hit is not None
    assert hit.fraction == pytest.approx(0.5)
    assert hit.point == pytest.approx((1.0, 1.0))
    assert hit.normal == pytest.approx((0.0, 1.0))


def test_long_rays_and_casts_among_giants_and_dust_cost_no_walk_over_empty_space() -> None:
    physics = Physics()
    dust = [disc(float(x), 0.0, radius=1e-3) for x in range(200)]
    giant = esper.create_entity(Transform(1e12, 0.0), AABBCollider(1e11, 1e11))
    hit = physics.raycast((-1e15, 0.0), (1.0, 0.0))
    assert hit is not None
    assert hit.entity == dust[0]
    hit = physics.raycast((0.5, 1.0), (1.0, 0.0))
    assert hit is not None
    assert hit.entity == giant
    assert hit.distance == pytest.approx(9e11)
    cast = physics.shapecast(CircleCollider(0.25), Transform(0.5, -1e9), (0.0, 2e9))
    assert cast is None
    cast = physics.shapecast(CircleCollider(0.25), Transform(0.2, -1e9), (0.0, 2e9))
    assert cast is not None
    assert cast.entity == dust[0]
    assert [one.entity for one in physics.nearest((1e13, 0.0), 2)] == [giant, dust[-1]]
    assert physics.raycast((0.0, 5.0), (0.0, 1.0)) is None


def test_a_hit_handler_may_ask() -> None:
    physics = ecsphys.install()
    a = disc(0.0, 0.0)
    b = disc(1.5, 0.0, Velocity(1.0, 0.0))
    asked = []

    def ask(hit: ecsphys.types.Hit) -> None:
        asked.append(physics.query_point((0.75, 0.0)))
        esper.component_for_entity(a, Transform).x = 50.0
        asked.append(physics.query_point((0.75, 0.0)))

    esper.set_handler("hit_started", ask)
    try:
        esper.process(STEP)
    finally:
        esper.remove_handler("hit_started", ask)
    assert asked == [[a, b], [b]]


def test_another_world_is_an_error() -> None:
    physics = ecsphys.install()
    disc(0.0, 0.0)
    esper.process(STEP)
    esper.switch_world("asked")
    with pytest.raises(RuntimeError, match="belongs to the world 'queries'"):
        physics.query_point((0.0, 0.0))


BAD: list[tuple[type[Exception], str, Callable[[Any], Any]]] = [
    (TypeError, "point", lambda p: p.query_point(3)),
    (ValueError, "point", lambda p: p.query_point((math.nan, 0.0))),
    (TypeError, "points", lambda p: p.query_point_batch([("a", "b")])),
    (ValueError, r"points\[1\]", lambda p: p.query_point_batch([(0, 0), (math.inf, 0)])),
    (ValueError, r"\(n, 2\)", lambda p: p.query_point_batch([(0, 0, 0)])),
    (ValueError, "box_min", lambda p: p.query_aabb((1, 0), (0, 1))),
    (ValueError, r"boxes\[0\]", lambda p: p.query_aabb_batch([(1, 0, 0, 1)])),
    (TypeError, "collider", lambda p: p.query_shape(None, Transform())),
    (TypeError, "transform", lambda p: p.query_shape(CircleCollider(1), (0, 0, 0))),
    (ValueError, "k must", lambda p: p.nearest((0, 0), 0)),
    (TypeError, "k must", lambda p: p.nearest((0, 0), 1.5)),
    (ValueError, "max_distance", lambda p: p.nearest((0, 0), max_distance=-1)),
    (ValueError, "max_distance", lambda p: p.raycast((0, 0), (1, 0), math.nan)),
    (ValueError, "direction", lambda p: p.raycast((0, 0), (0, 0))),
    (ValueError, r"directions\[1\]", lambda p: p.raycast_batch([(0, 0)] * 2, [(1, 0), (0, 0)])),
    (ValueError, "directions must have 2", lambda p: p.raycast_batch([(0, 0)] * 2, [(1, 0)])),
    (ValueError, r"max_distance\[1\]", lambda p: p.raycast_batch([(0, 0)] * 2, [(1, 0)] * 2, [1, -1])),
    (ValueError, "displacement", lambda p: p.shapecast(CircleCollider(1), Transform(), (math.inf, 0))),
    (ValueError, "displacements must", lambda p: p.shapecast_batch(CircleCollider(1), [(0, 0, 0)], [])),
    (TypeError, "filter must be a layer", lambda p: p.query_point((0, 0), filter="wall")),
    (TypeError, "filter must be a layer", lambda p: p.query_point((0, 0), filter=True)),
    (ValueError, "filter must be one or more layers", lambda p: p.query_point((0, 0), filter=0)),
    (ValueError, "filter must be one or more layers", lambda p: p.query_point((0, 0), filter=2**32)),
    (ValueError, "mutual needs a CollisionFilter", lambda p: p.query_point((0, 0), filter=1, mutual=True)),
    (TypeError, "ignore", lambda p: p.query_point((0, 0), ignore="me")),
]


@pytest.mark.parametrize(("error", "words", "ask"), BAD)
def test_bad_arguments_are_named(error: type[Exception], words: str, ask: Callable[[Any], Any]) -> None:
    disc(0.0, 0.0)
    with pytest.raises(error, match=words):
        ask(Physics())


def test_empty_batches_and_empty_worlds_find_nothing() -> None:
    physics = Physics()
    for _ in range(2):
        assert len(physics.query_point_batch([])) == 0
        assert len(physics.query_aabb_batch(np.zeros((0, 4)))) == 0
        assert len(physics.query_shape_batch(CircleCollider(1), [])) == 0
        assert len(physics.nearest_batch([], 3)) == 0
        assert len(physics.raycast_batch([], [])) == 0
        assert len(physics.raycast_all_batch([], [])) == 0
        assert len(physics.shapecast_batch(CircleCollider(1), [], [])) == 0
        disc(0.0, 0.0)
    esper.clear_database()
    assert physics.raycast((0, 0), (1, 0)) is None
    assert physics.shapecast(CircleCollider(1), Transform(), (1, 0)) is None
    assert physics.nearest((0, 0)) == []
    assert physics.raycast_batch([(0, 0)], [(1, 0)], 7.0).distance.tolist() == [7.0]


def test_hits_beyond_the_first_buffers_are_all_found() -> None:
    physics = Physics()
    for k in range(700):
        disc(0.01 * k, 0.0)
    assert len(physics.raycast_all((-5.0, 0.0), (1.0, 0.0))) == 700
    assert len(physics.query_aabb((-50.0, -50.0), (50.0, 50.0))) == 700
    hit = physics.shapecast(CircleCollider(0.5), Transform(3.0, 30.0), (0.0, -60.0))
    assert hit is not None
    assert hit.fraction == pytest.approx(28.5 / 60.0)


def test_a_batch_shared_by_several_threads_is_the_same() -> None:
    physics = Physics()
    rng = np.random.default_rng(5)
    for x, y in rng.uniform(-40, 40, (300, 2)).tolist():
        disc(x, y)
    origins, directions = rng.uniform(-40, 40, (5000, 2)), rng.normal(size=(5000, 2))
    found = []
    for physics.settings.threads in (1, 3):
        found.append(physics.raycast_batch(origins, directions, 30.0))
    assert (found[0].entity >= 0).sum() > 500
    for name in ("query", "entity", "collider", "part", "distance", "point", "normal"):
        np.testing.assert_array_equal(getattr(found[0], name), getattr(found[1], name))


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
@pytest.mark.parametrize("is_batch", [False, True])
def test_of_colliders_as_near_the_first_entity_is_found_wherever_the_game_has_put_it(
    is_batch: bool, order: tuple[int, ...]
) -> None:
    physics = ecsphys.install()
    entities = [esper.create_entity(Transform(5.0, 0.0), AABBCollider(1.0, 1.0 + place)) for place in order]
    esper.create_entity(Transform(5.5, 0.0), AABBCollider(1.0, 9.0))
    swept, near = CircleCollider(0.5), (0.0, 0.0)
    if is_batch:
        assert physics.raycast_batch([near], [(1.0, 0.0)], 20.0).entity.tolist() == entities[:1]
        assert physics.shapecast_batch(swept, [(*near, 0.0)], [(9.0, 0.0)]).entity.tolist() == entities[:1]
        assert physics.nearest_batch([near], 2).entity.tolist() == entities[:2]
        return
    ray, impact = physics.raycast(near, (1.0, 0.0), 20.0), physics.shapecast(swept, Transform(), (9.0, 0.0))
    assert ray is not None
    assert impact is not None
    assert (ray.entity, impact.entity) == (entities[0], entities[0])
    assert [one.entity for one in physics.nearest(near, 3)] == entities

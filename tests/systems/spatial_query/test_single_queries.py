"""A single query equals its batch, and both what is found without any grid; also after changes and interrupts."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import esper
import numpy as np
import pytest
from interrupted_lines import Interrupt, interrupted_at
from python_calls import calls_while

import ecsphys
from ecsphys import (
    COLLIDER_CLASSES,
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    Transform,
    Velocity,
    geometry,
)
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.systems.spatial_query.search import FiledColliders

Placed = list[tuple[int, Any, Transform]]


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    esper.switch_world("single queries")
    yield
    esper.switch_world("default")
    esper.delete_world("single queries")


def collider(rng: np.random.Generator, kind: int) -> Any:
    a, b = rng.uniform(0.2, 1.5, 2).tolist()
    makers: tuple[Callable[[], Any], ...] = (
        lambda: CircleCollider(a, 0.1, -0.2),
        lambda: AABBCollider(a, b),
        lambda: OBBCollider(a, b, angle=b),
        lambda: CapsuleCollider(a, 0.5 * b, angle=a),
        lambda: FanCollider(2.0 * a, 3.0 * b, 1.0),
        lambda: PolygonCollider([(-a, -b), (a, -b), (0.0, b)], 0.1),
    )
    return makers[kind]()


def create(rng: np.random.Generator, kind: int) -> int:
    x, y, angle = rng.uniform(-12.0, 12.0, 3).tolist()
    components: list[Any] = [Transform(x, y, angle)]
    if rng.random() < 0.2:
        components.append(CompoundCollider([collider(rng, kind), CircleCollider(0.4, 1.0, 0.0)]))
    else:
        components.append(collider(rng, kind))
    if rng.random() < 0.3:
        components.append(CollisionFilter(layers=1 << int(rng.integers(3))))
    if rng.random() < 0.1:
        components.append(Disabled())
    return esper.create_entity(*components)


def change(rng: np.random.Generator) -> None:
    """Write, create or delete something."""
    entities = [entity for entity, _ in esper.get_component(Transform) if entity not in esper._dead_entities]
    entity, what = int(rng.choice(entities)), int(rng.integers(6))
    transform = esper.component_for_entity(entity, Transform)
    if what < 2:
        transform.x += float(rng.normal())
    elif what == 2:
        transform.angle += 1.0
    elif what == 3:
        create(rng, int(rng.integers(6)))
    elif what == 4:
        esper.delete_entity(entity, immediate=bool(rng.integers(2)))
    else:
        for number, (_, circle) in enumerate(esper.get_component(CircleCollider)):
            if number == int(rng.integers(5)):
                circle.radius *= 1.2


def placed(meets: int = 0xFFFFFFFF, ignored: tuple[int, ...] = ()) -> Placed:
    """Every collider that a query with a mask sees."""
    found: Placed = []
    for entity, transform in esper.get_component(Transform):
        row = esper.try_component(entity, CollisionFilter)
        layers = 1 if row is None else row.layers
        if entity in (*ignored, *esper._dead_entities) or esper.has_component(entity, Disabled) or not layers & meets:
            continue
        compound = esper.try_component(entity, CompoundCollider)
        parts = [] if compound is None else list(compound.parts)
        parts += [one for cls in SHAPE_CLASSES if (one := esper.try_component(entity, cls)) is not None]
        found += [(entity, part, transform) for part in parts]
    return found


def check(physics: Physics, rng: np.random.Generator) -> None:
    """All kinds of single queries, each against its batch and against every collider."""
    meets = int(rng.choice((0xFFFFFFFF, 1, 2)))
    everything = [entity for entity, _ in esper.get_component(Transform)]
    ignored = tuple(rng.choice(everything, int(rng.integers(3))).tolist())
    asked: dict[str, Any] = {"ignore": ignored}
    if meets != 0xFFFFFFFF or rng.random() < 0.5:
        asked["filter"] = CollisionFilter(mask=meets, layers=1)
    # As a filter of layer 1 without one, whose mask is all.
    seen = placed(meets, ignored)
    x, y, way_x, way_y = rng.uniform(-14.0, 14.0, 4).tolist()
    point, way, reach = (x, y), (way_x, way_y), float(rng.choice((math.inf, 9.0)))
    shape, at = collider(rng, int(rng.integers(6))), Transform(x, y, way_x)

    at_point = physics.query_point(point, **asked)
    assert at_point == physics.query_point_batch([point], **asked).entity.tolist()
    assert at_point == sorted({entity for entity, one, where in seen if geometry.contains(one, where, point)})

    overlapping = physics.query_shape(shape, at, **asked)
    assert overlapping == physics.query_shape_batch(shape, [(at.x, at.y, at.angle)], **asked).entity.tolist()
    assert overlapping == sorted({entity for entity, one, where in seen if geometry.overlaps(shape, at, one, where)})

    in_box = physics.query_aabb(point, (x + 3.0, y + 2.0), **asked)
    assert in_box == physics.query_aabb_batch([(x, y, x + 3.0, y + 2.0)], **asked).entity.tolist()
    middle, box = Transform(x + 1.5, y + 1.0), AABBCollider(1.5, 1.0)
    assert in_box == sorted({entity for entity, one, where in seen if geometry.overlaps(box, middle, one, where)})

    hit = physics.raycast(point, way, reach, **asked)
    rays = physics.raycast_batch([point], [way], reach, **asked)
    hits = [found for _, one, where in seen if (found := geometry.raycast(one, where, point, way, reach)) is not None]
    along = physics.raycast_all(point, way, reach, **asked)
    assert [one.distance for one in along] == sorted(one.distance for one in hits)
    if hit is None:
        assert rays.entity.tolist() == [-1]
        assert rays.distance.tolist() == [reach]
        assert not hits
    else:
        assert hit == along[0]
        assert (hit.entity, hit.distance) == (rays.entity[0], rays.distance[0])
        assert (hit.point, hit.normal) == (tuple(rays.point[0].tolist()), tuple(rays.normal[0].tolist()))
        assert COLLIDER_CLASSES[rays.collider[0]] is hit.collider
        assert rays.part[0] == (-1 if hit.part is None else hit.part)

    near = physics.nearest(point, max_distance=reach, **asked)
    some = physics.nearest(point, 4, max_distance=reach, **asked)
    arrays = physics.nearest_batch([point], 4, max_distance=reach, **asked)
    distances: dict[int, float] = {}
    for entity, one, where in seen:
        distance = geometry.project_point(one, where, point)[1]
        distances[entity] = min(distance, distances.get(entity, math.inf))
    expected = sorted((distance, entity) for entity, distance in distances.items() if distance <= reach)[:4]
    assert near == some[:1]
    assert [one.distance for one in some] == [distance for distance, _ in expected]
    assert [one.distance for one in some] == arrays.distance.tolist()
    assert [one.entity for one in some] == arrays.entity.tolist()
    assert [one.point for one in some] == [tuple(row) for row in arrays.point.tolist()]


@pytest.mark.parametrize("seed", range(4))
def test_single_queries_equal_batches_and_brute_force_after_any_change(seed: int) -> None:
    rng = np.random.default_rng(seed)
    physics = ecsphys.install()
    for number in range(70):
        create(rng, number % 6)
    for number in range(25):
        check(physics, rng)
        for _ in range(int(rng.integers(4))):
            change(rng)
        if number % 5 == 4:
            esper.process(1 / 60)


def test_a_query_after_each_of_many_writes_sees_them_all() -> None:
    physics = Physics()
    entities = [esper.create_entity(Transform(3.0 * k, 0.0), CircleCollider(1.0)) for k in range(400)]
    assert physics.query_point((0.0, 0.0)) == entities[:1]
    for entity in entities * 3:
        transform = esper.component_for_entity(entity, Transform)
        transform.y += 10.0
        assert physics.query_point((transform.x, transform.y)) == [entity]
        hit = physics.raycast((transform.x, transform.y - 5.0), (0.0, 1.0))
        assert hit is not None
        assert hit.entity == entity
        assert physics.query_point((transform.x, transform.y - 10.0)) == []
    assert [one.entity for one in physics.raycast_all((-9.0, 30.0), (1.0, 0.0))] == entities


def test_a_filter_and_a_polygon_made_for_one_query_are_read_where_they_are() -> None:
    physics = Physics()
    entity = esper.create_entity(Transform(), CircleCollider(1.0))
    assert physics.query_point((0.0, 0.0)) == [entity]
    blocks = CollisionFilter._columns.uint32
    filters = []
    while CollisionFilter._columns.uint32 is blocks:
        filters.append(CollisionFilter(mask=0))
    assert physics.query_point((0.0, 0.0), filter=filters[-1]) == []
    assert physics.query_point((0.0, 0.0), filter=CollisionFilter()) == [entity]
    pool, polygons = VERTEX_POOL.data, []
    while VERTEX_POOL.data is pool:
        polygons.append(PolygonCollider([(-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)]))
    assert physics.query_shape(polygons[-1], Transform(0.5, 0.5)) == [entity]
    cast = physics.shapecast(polygons[-1], Transform(-9.0, 0.0), (18.0, 0.0))
    assert cast is not None
    assert cast.entity == entity


def is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).startswith("ecsphys")


def test_a_query_is_right_after_an_interrupt_at_any_line() -> None:
    physics = ecsphys.install()
    entities = [esper.create_entity(Transform(3.0 * k, 0.0), CircleCollider(1.0)) for k in range(30)]
    esper.process(1 / 60)
    filed = physics._filed
    for line in itertools.count(1):
        entity = entities[line % 30]
        transform = esper.component_for_entity(entity, Transform)
        transform.y += 7.0
        if line % 3 == 0:
            esper.process(1 / 60)
        if line % 5 == 0:
            filed._compared = 10**9  # all is filed anew
        is_interrupted = False
        try:
            with interrupted_at(line, is_ours):
                physics.query_point((transform.x, transform.y))
        except Interrupt:
            is_interrupted = True
        assert physics.query_point((transform.x, transform.y)) == [entity]
        assert physics.query_point((transform.x, transform.y - 7.0)) == []
        hit = physics.raycast((transform.x, transform.y - 3.0), (0.0, 1.0))
        assert hit is not None
        assert hit.entity == entity
        if not is_interrupted and line > 100:
            break


def test_a_raycast_takes_few_calls() -> None:
    physics = Physics()
    esper.create_entity(Transform(), CircleCollider(1.0))
    calls = 0

    def count(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        calls += event == "call"

    physics.raycast((-5.0, 0.0), (1.0, 0.0))
    sys.setprofile(count)
    try:
        physics.raycast((-5.0, 0.0), (1.0, 0.0))
    finally:
        sys.setprofile(None)
    assert calls <= 20


def test_nothing_is_filed_where_nothing_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    physics = Physics()
    esper.create_entity(Transform(), CircleCollider(1.0))
    assert physics.query_point((0.0, 0.0)) == [1]

    def refuse(*_: Any) -> None:
        raise AssertionError

    for method in ("_follow", "_list_aside", "_file_awake"):
        monkeypatch.setattr(FiledColliders, method, refuse)
    assert physics.query_point((0.0, 0.0)) == [1]
    assert physics.query_point_batch([(0.0, 0.0)]).entity.tolist() == [1]


def test_the_first_query_after_a_step_in_which_something_moved_takes_few_calls_and_sees_it() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(0.0, -5.0), AABBCollider(9.0, 1.0))
    ball = esper.create_entity(Transform(0.0, 0.0), CircleCollider(1.0), Velocity(1.0, 0.0))
    for step in range(1, 20):
        esper.process(1.0)
        assert physics.query_point((float(step), 0.5)) == [ball]
        assert physics.query_point((step - 1.5, 0.5)) == []
    esper.process(1.0)
    assert calls_while(lambda: physics.query_point((20.0, 0.5))) < 120


@pytest.mark.parametrize("seed", range(4))
def test_the_first_query_is_right_where_other_colliders_are_filed_in_each_step(seed: int) -> None:
    physics, rng, balls = ecsphys.install(), np.random.default_rng(seed), []
    for k in range(int(rng.integers(0, 30))):
        esper.create_entity(Transform(3.0 * k, 90.0), CircleCollider(1.0))
    for _ in range(40):
        for _ in range(int(rng.integers(0, 6))):
            place = Transform(*rng.uniform(-20, 20, 2).tolist())
            balls.append(esper.create_entity(place, CircleCollider(1.0), Velocity(*rng.uniform(-3, 3, 2).tolist())))
        while len(balls) > rng.integers(1, 40):
            esper.delete_entity(balls.pop(int(rng.integers(len(balls)))))
        esper.process(0.1)
        x, y = rng.uniform(-20, 20, 2).tolist()
        places = [(ball, esper.component_for_entity(ball, Transform)) for ball in balls]
        expected = [ball for ball, place in places if math.hypot(place.x - x, place.y - y) < 1.0]
        assert physics.query_point((x, y)) == sorted(expected)


def test_a_raycast_in_a_world_without_changes_makes_few_calls() -> None:
    physics = ecsphys.install()
    wall = esper.create_entity(Transform(4.0, 0.0), AABBCollider(0.5, 8.0))

    def cast() -> None:
        hit = physics.raycast((0.0, 0.0), (1.0, 0.0), 100.0)
        assert hit is not None
        assert hit.entity == wall

    cast()
    called: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_globals["__name__"].startswith("ecsphys."):
            called.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        cast()
    finally:
        sys.setprofile(None)
    assert len(called) <= 10, called

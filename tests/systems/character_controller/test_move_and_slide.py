"""Characters: they stop, slide and stand, on tiles as on one piece, at any speed, and nothing moves them in corners."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    CollisionFilter,
    FanCollider,
    OBBCollider,
    Parent,
    Physics,
    PolygonCollider,
    Solid,
    Transform,
    geometry,
)
from ecsphys.engine.character import slide
from ecsphys.types import MoveResult

SKIN = 2e-4  # a little more than the skin of a mover one unit wide

# All one unit high, their feet half a unit below their position.
MOVERS: dict[str, Any] = {
    "circle": lambda: CircleCollider(0.5),
    "aabb": lambda: AABBCollider(0.4, 0.5),
    "obb": lambda: OBBCollider(0.5, 0.4, angle=math.pi / 2),
    "capsule": lambda: CapsuleCollider(0.4, 0.3, angle=math.pi / 2),
    "fan": lambda: FanCollider(1.0, 1.0, math.pi / 2, offset_y=-0.5),
    "wide fan": lambda: FanCollider(0.5, 5.0, -math.pi / 2),
    "polygon": lambda: PolygonCollider([(-0.4, -0.5), (0.4, -0.5), (0.2, 0.5), (-0.2, 0.5)]),
    "rounded polygon": lambda: PolygonCollider([(-0.3, -0.4), (0.3, -0.4), (0.0, 0.4)], radius=0.1),
}
movers = pytest.mark.parametrize("make", MOVERS.values(), ids=MOVERS.keys())


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def solid(collider: Collider, x: float, y: float, angle: float = 0.0) -> int:
    return esper.create_entity(Transform(x, y, angle), collider, Solid())


def tile(x: float, y: float) -> int:
    """A unit square with its lower left corner at (x, y)."""
    return solid(AABBCollider(0.5, 0.5), x + 0.5, y + 0.5)


def mover(collider: Collider, x: float, y: float) -> tuple[int, Transform]:
    transform = Transform(x, y)
    return esper.create_entity(transform, collider), transform


def flags(result: MoveResult) -> tuple[bool, bool, bool]:
    return result.on_floor, result.on_wall, result.on_ceiling


@movers
def test_nothing_in_the_way(physics: Physics, make: Any) -> None:
    tile(10, 10)
    esper.create_entity(Transform(1, 0), CircleCollider(0.5))  # a sensor: no Solid
    entity, transform = mover(make(), 0, 0)
    result = physics.move_and_slide(entity, (3, -2))
    assert result == MoveResult((3.0, -2.0), (0.0, 0.0), False, False, False, ())
    assert transform == Transform(3, -2)


@movers
def test_landing_on_a_floor(physics: Physics, make: Any) -> None:
    ground = solid(AABBCollider(50, 1), 0, -1)
    entity, transform = mover(make(), 0, 3)
    result = physics.move_and_slide(entity, (0, -10))
    assert 0.5 < transform.y < 0.5 + SKIN
    assert transform.x == 0.0
    assert result.moved == pytest.approx((0.0, -2.5), abs=SKIN)
    assert result.remaining == pytest.approx((0.0, -7.5), abs=SKIN)
    assert flags(result) == (True, False, False)
    (contact,) = result.contacts
    assert contact.entity == ground
    assert contact.normal == pytest.approx((0.0, 1.0))
    assert contact.point[1] == pytest.approx(0.0, abs=1e-12)
    esper.process(0.0)
    (hit,) = physics.hits
    assert {hit.entity_a, hit.entity_b} == {entity, ground}
    assert (hit.depth, hit.points) == (0.0, (contact.point,))
    assert hit.seen_from(ground).normal == pytest.approx((0.0, 1.0))


@movers
def test_a_row_of_flush_tiles_is_one_floor(physics: Physics, make: Any) -> None:
    for k in range(-2, 60):
        tile(0.3 + k, -1.0)
    entity, transform = mover(make(), 0, 1)
    physics.move_and_slide(entity, (0, -1))
    height = transform.y
    for speed in (0.37, 0.1, 0.25, 1.0):
        for _ in range(30):
            before = transform.x
            result = physics.move_and_slide(entity, (speed, -0.05))
            assert transform.x - before == pytest.approx(speed, abs=1e-12)
            assert transform.y == pytest.approx(height, abs=1e-9)
            assert flags(result) == (True, False, False)
    result = physics.move_and_slide(entity, (-50, -0.05))  # and back in one go
    assert result.moved == pytest.approx((-50.0, 0.0), abs=1e-9)


@movers
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    place=st.one_of(st.integers(-8, 8).map(lambda k: k / 4), st.floats(-2, 2)),
    height=st.sampled_from([0.5, 0.75, 1.0, 1.7]),
    way=st.tuples(st.integers(-12, 12).map(lambda k: k / 4), st.sampled_from([-0.25, -0.5, -1.0, -2.0, -9.0])),
)
def test_landing_on_a_seam_costs_no_speed(make: Any, place: float, height: float, way: tuple[float, float]) -> None:
    """Corners come to lie on seams exactly, and just beside them by rounding.

    A pointed foot that falls straight down beside a seam may be set aside by less than a skin.
    """
    esper.clear_database()
    physics = Physics()
    for k in range(-10, 10):
        tile(k, -1.0)
    entity, transform = mover(make(), place, 0.5 + height)
    for _ in range(3):
        before = transform.x
        physics.move_and_slide(entity, way)
        assert transform.x - before == pytest.approx(way[0], abs=1e-9 if way[0] else 1e-4)


@movers
def test_a_wall_of_tiles_does_not_catch_who_falls_along_it(physics: Physics, make: Any) -> None:
    for k in range(-60, 3):
        tile(2.0, 0.7 + k)
    entity, transform = mover(make(), 0, 0)
    physics.move_and_slide(entity, (5, 0))
    place = transform.x
    for _ in range(100):
        before = transform.y
        result = physics.move_and_slide(entity, (0.2, -0.5))
        assert transform.y - before == pytest.approx(-0.5, abs=1e-12)
        assert transform.x == pytest.approx(place, abs=1e-9)
        assert flags(result) == (False, True, False)


@movers
def test_corners_do_not_shake(physics: Physics, make: Any) -> None:
    solid(AABBCollider(50, 1), 0, -1)
    solid(AABBCollider(1, 50), 6, 0)
    entity, transform = mover(make(), 0, 2)
    physics.move_and_slide(entity, (10, -10))
    physics.move_and_slide(entity, (10, -10))
    place = (transform.x, transform.y)
    for _ in range(50):
        result = physics.move_and_slide(entity, (0.3, -0.3))
        assert (transform.x, transform.y) == pytest.approx(place, abs=1e-12)
        assert flags(result) == (True, True, False)
        assert len(result.contacts) == 2


@movers
@pytest.mark.parametrize("lean", [0.2, -0.2])
def test_a_wedge_holds(physics: Physics, make: Any, lean: float) -> None:
    """Two steep walls, close together at the bottom."""
    solid(OBBCollider(1, 20, angle=0.4 + lean), -4, 0)
    solid(OBBCollider(1, 20, angle=-0.4 + lean), 4, 0)
    entity, transform = mover(make(), 0, 12)
    for _ in range(40):
        physics.move_and_slide(entity, (0, -1))
    place = (transform.x, transform.y)
    assert transform.y > -10.0
    for _ in range(20):
        result = physics.move_and_slide(entity, (0, -1))
        assert (transform.x, transform.y) == pytest.approx(place, abs=1e-6)
        assert flags(result) == (True, True, False)  # carried by both walls: it may jump


@movers
@pytest.mark.parametrize("degrees", [10, 30, 44])
def test_a_slope_is_stood_on_and_walked(physics: Physics, make: Any, degrees: float) -> None:
    slope = math.radians(degrees)
    solid(OBBCollider(100, 1, angle=slope), 0, 0)
    entity, transform = mover(make(), 0, 10)
    physics.move_and_slide(entity, (0, -20))
    place = (transform.x, transform.y)
    for _ in range(10):
        result = physics.move_and_slide(entity, (0, -0.2))
        assert (transform.x, transform.y) == pytest.approx(place, abs=1e-9)
        assert flags(result) == (True, False, False)
    # What remains of a level displacement along the slope, upwards and downwards.
    for direction in (1, -1):
        for _ in range(10):
            result = physics.move_and_slide(entity, (0.1 * direction, -0.2))
            assert result.on_floor
            along = 0.1 * direction * math.cos(slope)
            assert result.moved == pytest.approx((along * math.cos(slope), along * math.sin(slope)), abs=1e-6)


@movers
def test_a_steep_slope_is_a_wall(physics: Physics, make: Any) -> None:
    solid(OBBCollider(100, 1, angle=math.radians(60)), 0, 0)
    entity, transform = mover(make(), -3, 10)
    result = physics.move_and_slide(entity, (0, -40))
    assert flags(result) == (False, True, False)
    assert transform.x < -4.0  # it slid down
    before = transform.y
    result = physics.move_and_slide(entity, (1, 0))
    assert transform.y <= before + 1e-9  # nobody runs up a wall
    result = physics.move_and_slide(entity, (0.5, 1))
    assert result.moved[1] > 0.5  # but may jump along it


@movers
def test_a_ceiling(physics: Physics, make: Any) -> None:
    solid(AABBCollider(50, 1), 0, 4)
    entity, transform = mover(make(), 0, 0)
    result = physics.move_and_slide(entity, (1, 10))
    assert flags(result) == (False, False, True)
    assert transform.x == pytest.approx(1.0, abs=1e-12)
    top = geometry.aabb(esper.try_component(entity, type(make())), transform)[3]  # type: ignore[arg-type]
    assert 3.0 - SKIN < top < 3.0


def test_up_may_point_anywhere(physics: Physics) -> None:
    solid(AABBCollider(1, 50), 5, 0)
    entity, _ = mover(CircleCollider(0.5), 0, 0)
    assert flags(physics.move_and_slide(entity, (10, 0), up=(-2, 0))) == (True, False, False)
    assert flags(physics.move_and_slide(entity, (10, 0), up=(5, 0))) == (False, False, True)
    assert flags(physics.move_and_slide(entity, (10, 0))) == (False, True, False)


def test_seen_from_above_everything_is_a_wall(physics: Physics) -> None:
    solid(OBBCollider(50, 1, angle=0.5), 0, -3)
    entity, _ = mover(CircleCollider(0.5), 0, 0)
    result = physics.move_and_slide(entity, (0, -10), up=(0, 0))
    assert flags(result) == (False, True, False)
    assert result.moved[0] < -2.0  # down the slope


@movers
@pytest.mark.parametrize("angle", [0.0, 0.3, 1.2, 2.5])
def test_a_thousand_sizes_do_not_pass_a_thin_wall(physics: Physics, make: Any, angle: float) -> None:
    wall = solid(OBBCollider(1e-3, 3.0), 300, 0)
    for k in range(5):
        solid(CircleCollider(0.3), 100.0 * k, 5.0)
    entity, transform = mover(make(), 0, 0)
    transform.angle = angle
    result = physics.move_and_slide(entity, (1000, 0))
    assert transform.x < 300.0
    assert result.on_wall
    assert [contact.entity for contact in result.contacts] == [wall]


@movers
@pytest.mark.parametrize("kind", [*MOVERS])
def test_every_solid_stops_every_mover(physics: Physics, make: Any, kind: str) -> None:
    obstacle = MOVERS[kind]()
    place = Transform(20, 0.1, 0.7)
    esper.create_entity(place, obstacle, Solid())
    collider = make()
    transform = Transform(0, 0, -0.4)
    entity = esper.create_entity(transform, collider)
    result = physics.move_and_slide(entity, (40, 0))
    assert result.contacts
    assert geometry.closest_points(collider, transform, obstacle, place)[0] > 0.0


def test_all_colliders_of_a_mover_count(physics: Physics) -> None:
    solid(AABBCollider(1, 1), 10, 2)
    transform = Transform(0, 0)
    entity = esper.create_entity(transform, CircleCollider(0.5), AABBCollider(0.5, 0.5, 1.0, 1.0))
    result = physics.move_and_slide(entity, (20, 0))
    assert transform.x == pytest.approx(7.5, abs=2 * SKIN)  # it is two units wide
    assert result.on_wall


def test_all_colliders_of_a_solid_count(physics: Physics) -> None:
    esper.create_entity(Transform(10, 0), CircleCollider(0.5), AABBCollider(0.5, 0.5, -2.0, 0.0), Solid())
    entity, transform = mover(CircleCollider(0.5), 0, 0)
    physics.move_and_slide(entity, (20, 0))
    assert transform.x == pytest.approx(7.0, abs=SKIN)


@movers
def test_a_small_overlap_is_left(physics: Physics, make: Any) -> None:
    for k in range(-5, 5):
        tile(k, -1.0)
    entity, transform = mover(make(), 0.2, 0.45)
    result = physics.move_and_slide(entity, (0.0, -0.1))
    assert 0.5 < transform.y < 0.5 + SKIN
    assert transform.x == pytest.approx(0.2, abs=1e-9)
    assert result.moved == pytest.approx((0.0, 0.05), abs=SKIN)
    assert result.on_floor


def test_an_overlap_is_left_without_a_displacement_too(physics: Physics) -> None:
    solid(CircleCollider(1.0), 0, 0)
    entity, transform = mover(CircleCollider(1.0), 1.2, 1.6 - 0.1)
    physics.move_and_slide(entity, (0, 0))
    assert math.hypot(transform.x, transform.y) == pytest.approx(2.0, abs=4 * SKIN)


def test_a_passage_just_wide_enough(physics: Physics) -> None:
    solid(AABBCollider(50, 1), 0, -1)
    solid(AABBCollider(50, 1), 0, 2.00001)
    entity, transform = mover(AABBCollider(0.5, 0.5), 0, 0.500005)
    for _ in range(10):
        physics.move_and_slide(entity, (1, 0))
    assert transform.x == pytest.approx(10.0)
    assert 0.5 <= transform.y <= 0.50001


def test_filters_let_pass(physics: Physics) -> None:
    esper.create_entity(Transform(5, 0), AABBCollider(0.5, 5), Solid(), CollisionFilter(layers=2))
    esper.create_entity(Transform(10, 0), AABBCollider(0.5, 5), Solid(), CollisionFilter(group=-7))
    esper.create_entity(Transform(15, 0), AABBCollider(0.5, 5), Solid(), CollisionFilter(layers=4, mask=4, group=3))
    tile(20, -0.5)

    def stops_at(*components: object) -> float:
        transform = Transform(0, 0)
        entity = esper.create_entity(transform, CircleCollider(0.5), *components)
        physics.move_and_slide(entity, (30, 0))
        esper.delete_entity(entity, immediate=True)
        return round(transform.x, 2)

    assert stops_at() == 4.0
    assert stops_at(CollisionFilter(mask=1)) == 9.0
    assert stops_at(CollisionFilter(mask=1, group=-7)) == 19.5
    assert stops_at(CollisionFilter(mask=1, group=3)) == 9.0
    assert stops_at(CollisionFilter(layers=8, mask=0, group=3)) == 14.0


def test_a_solid_mover_is_not_in_its_own_way(physics: Physics) -> None:
    transform = Transform(0, 0)
    entity = esper.create_entity(transform, CircleCollider(0.5), Solid())
    other, there = mover(CircleCollider(0.5), 5, 0)
    assert physics.move_and_slide(entity, (3, 0)).contacts == ()
    physics.move_and_slide(other, (-5, 0))
    assert there.x == pytest.approx(4.0, abs=SKIN)


def test_what_a_mover_carries_does_not_block_it(physics: Physics) -> None:
    entity, transform = mover(CircleCollider(0.5), 0, 0)
    arm = esper.create_entity(Transform(), Parent(entity, 0.5))
    shield = esper.create_entity(Transform(), AABBCollider(0.1, 1), Solid(), Parent(arm, 0.5))
    other, there = mover(CircleCollider(0.5), 5, 0)
    esper.process(0.0)
    assert physics.move_and_slide(entity, (2, 0)).contacts == ()
    assert transform.x == 2.0
    esper.process(0.0)
    (contact,) = physics.move_and_slide(other, (-5, 0)).contacts
    assert contact.entity == shield
    assert there.x == pytest.approx(3.6, abs=SKIN)


def test_solids_are_where_they_are_now(physics: Physics) -> None:
    place = Transform(5, 0)
    wall = esper.create_entity(place, AABBCollider(0.5, 5), Solid())
    entity, transform = mover(CircleCollider(0.5), 0, 0)
    esper.process(0.0)
    place.x = 8.0
    physics.move_and_slide(entity, (10, 0))
    assert transform.x == pytest.approx(7.0, abs=SKIN)
    esper.remove_component(wall, Solid)
    physics.move_and_slide(entity, (10, 0))
    assert transform.x == pytest.approx(17.0, abs=SKIN)
    esper.add_component(wall, Solid())
    esper.delete_entity(wall)  # only marked, and absent at once
    physics.move_and_slide(entity, (-17, 0))
    assert transform.x == pytest.approx(0.0, abs=SKIN)


class _Walker(esper.Processor):
    def __init__(self, physics: Physics, entity: int) -> None:
        self.physics, self.entity = physics, entity
        self.results: list[MoveResult] = []

    def process(self, dt: float) -> None:
        self.results.append(self.physics.move_and_slide(self.entity, (4 * dt, -10 * dt)))


def test_within_a_processor_hits_see_where_it_went(physics: Physics) -> None:
    tile(5, -1)
    for k in range(-3, 5):
        tile(k, -1)
    pickup = esper.create_entity(Transform(2, 0.5), CircleCollider(0.1))
    entity, transform = mover(CircleCollider(0.5), 0, 0.6)
    walker = _Walker(physics, entity)
    esper.add_processor(walker, priority=ecsphys.Priority.INPUT)
    taken = []
    for _ in range(60):
        esper.process(1 / 60)
        taken += [hit.other(entity) for hit in physics.hits.of(entity) if hit.depth > 0.0]
    assert transform.x == pytest.approx(4.0, abs=1e-3)
    assert set(taken) == {pickup}
    assert all(result.on_floor for result in walker.results[2:])


def test_errors_change_nothing(physics: Physics) -> None:
    entity, transform = mover(CircleCollider(0.5), 1, 2)
    bare = esper.create_entity(Transform())
    nowhere = esper.create_entity(CircleCollider(0.5))
    with pytest.raises(KeyError, match="entity 999 does not exist"):
        physics.move_and_slide(999, (1, 0))
    with pytest.raises(ValueError, match=rf"entity {bare} has only sensor colliders"):
        physics.move_and_slide(bare, (1, 0))
    with pytest.raises(ValueError, match=rf"entity {nowhere} has no Transform"):
        physics.move_and_slide(nowhere, (1, 0))
    with pytest.raises(ValueError, match="displacement y must be finite"):
        physics.move_and_slide(entity, (0, math.nan))
    with pytest.raises(ValueError, match="displacement x must be finite"):
        physics.move_and_slide(entity, (math.inf, 0))
    with pytest.raises(ValueError, match="up x must be finite"):
        physics.move_and_slide(entity, (1, 0), (math.nan, 1))
    with pytest.raises(TypeError, match="displacement must be a pair"):
        physics.move_and_slide(entity, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="displacement x must be a number"):
        physics.move_and_slide(entity, ("1", 0))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="entity must be a whole number"):
        physics.move_and_slide("hero", (1, 0))  # type: ignore[arg-type]
    esper.process(0.0)
    world = esper.current_world
    esper.switch_world("elsewhere")
    with pytest.raises(RuntimeError, match="belongs to the world"):
        physics.move_and_slide(entity, (1, 0))
    esper.switch_world(world)
    assert transform == Transform(1, 2)


obstacles = st.lists(
    st.tuples(st.sampled_from([*MOVERS]), st.floats(-6, 6), st.floats(-6, 6), st.floats(-4, 4)), min_size=1, max_size=8
)
ways = st.lists(st.tuples(st.floats(-8, 8), st.floats(-8, 8)), min_size=1, max_size=6)


@pytest.mark.parametrize("kind", [*MOVERS])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(solids=obstacles, displacements=ways, angle=st.floats(-4, 4))
def test_a_mover_never_ends_in_a_solid(
    kind: str, solids: list[Any], displacements: list[tuple[float, float]], angle: float
) -> None:
    esper.clear_database()
    physics = Physics()
    placed = [(MOVERS[name](), Transform(x, y, turn)) for name, x, y, turn in solids]
    for collider, place in placed:
        esper.create_entity(place, collider, Solid())
    mine, transform = MOVERS[kind](), Transform(-20, 0, angle)
    entity = esper.create_entity(transform, mine)
    for displacement in displacements:
        before = (transform.x, transform.y)
        # From far outside into the crowd, or about in it.
        displacement = (displacement[0] + max(0.0, -8.0 - transform.x), displacement[1])
        result = physics.move_and_slide(entity, displacement)
        moved = math.hypot(*result.moved)
        assert moved <= math.hypot(*displacement) + 1e-3
        assert (transform.x, transform.y) == pytest.approx((before[0] + result.moved[0], before[1] + result.moved[1]))
        for collider, place in placed:
            hit = geometry.contact(mine, transform, collider, place)
            assert hit is None or hit.depth < 1e-9


def test_a_push_into_the_corner_of_a_slope_and_a_steep_wall_comes_to_rest() -> None:
    physics = ecsphys.install()
    for angle in (math.radians(-35), math.radians(-68)):
        normal = (-math.sin(angle), math.cos(angle))
        esper.create_entity(Transform(-5 * normal[0], -5 * normal[1], angle), OBBCollider(20, 5), Solid())
    mover = esper.create_entity(place := Transform(3, 3), CircleCollider(0.4))
    for _ in range(200):
        physics.move_and_slide(mover, (-0.1, -0.1))
    rest = (place.x, place.y)
    for _ in range(5):
        physics.move_and_slide(mover, (-0.1, -0.1))
        assert (place.x, place.y) == pytest.approx(rest, abs=1e-3)


@movers
def test_an_overlap_is_not_left_through_another_solid(physics: Physics, make: Any) -> None:
    """The shortest way out of the block leads through a thin wall beside it."""
    solid(AABBCollider(2.0, 2.0), 0, 0)
    solid(AABBCollider(0.05, 5.0), 2.55, 0)
    entity, transform = mover(make(), 1.95, 0)
    for _ in range(5):
        physics.move_and_slide(entity, (0, 0))
        assert transform.x < 2.5


def test_an_overlap_is_left_along_what_blocks_the_shortest_way(physics: Physics) -> None:
    solid(AABBCollider(5, 1), 0, -0.9)
    slope = math.radians(50)
    solid(OBBCollider(20, 1), 1.2 * math.sin(slope), 1.2 * math.cos(slope) + 0.4, -slope)
    entity, transform = mover(CircleCollider(0.4), 0, 0.4)
    physics.move_and_slide(entity, (0, 0))
    assert math.hypot(transform.x, transform.y - 0.4) > 0.1
    assert transform.y >= 0.5
    assert physics.move_and_slide(entity, (0, 0)).moved == pytest.approx((0.0, 0.0), abs=SKIN)


@movers
def test_the_smallest_displacements_are_blocked_too(physics: Physics, make: Any) -> None:
    solid(AABBCollider(50, 1), 0, -1)
    entity, transform = mover(make(), 0, 0.6)
    physics.move_and_slide(entity, (0, -1))
    for way in ((0.0, -5e-324), (5e-324, -1.0), (5e-324, 5e-324), (1e-300, -1e-300)):
        physics.move_and_slide(entity, way)
        assert 0.5 < transform.y < 0.5 + SKIN
        assert abs(transform.x) < SKIN


@pytest.mark.parametrize(
    ("planes", "holds"),
    [
        # Two steep slopes, from both sides.
        (((0.96, 0.28), (-0.96, 0.28)), True),
        # A wall and a slope beneath it on the same side: the mover slides down the slope.
        (((1.0, 0.0), (0.96, 0.28)), False),
        # Two ceilings, and a slope with a ceiling on the other side.
        (((0.96, -0.28), (-0.96, -0.28)), False),
        (((0.96, 0.28), (-0.6, -0.8)), False),
    ],
)
def test_two_planes_hold_up_a_mover_only_if_both_push_it_up_together(planes: Any, holds: bool) -> None:
    for ordered in (planes, planes[::-1]):
        work = SimpleNamespace(planes=np.array(ordered))
        mover: Any = SimpleNamespace(move=SimpleNamespace(up_x=0.0, up_y=1.0), work=work)
        assert slide._hold_up(mover, 2) is holds

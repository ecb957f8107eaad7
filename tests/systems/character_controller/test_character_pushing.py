"""Solids that move into a character push it, never through others; caught between two it is crushed, and stays."""

from __future__ import annotations

import math
from typing import Any

import esper
import pytest
from character_level import DT, HEROES, SKIN, block, floor, hero, solid, standing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    AABBCollider,
    Character,
    CircleCollider,
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

FALL = -9.8 * DT * DT

heroes = pytest.mark.parametrize("make", HEROES.values(), ids=HEROES.keys())


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def gap(collider: Any, place: Transform, other: Any, there: Transform) -> float:
    """Distance, or minus the depth."""
    contact = geometry.contact(collider, place, other, there)
    return geometry.closest_points(collider, place, other, there)[0] if contact is None else -contact.depth


@heroes
@pytest.mark.parametrize("speed", [0.01, 0.2, 3.0, 40.0])
def test_a_lift_takes_along_whom_it_meets_from_below(physics: Physics, make: Any, speed: float) -> None:
    """Forty units at once are no jump over anybody."""
    _, lift = block(-1.0, -1.0, 1.0, -0.8)
    who, place = hero(make(), 0.2, 0.5)
    physics.move_character(who, (0.0, 0.0))
    for number in range(60):
        lift.y += speed
        result = physics.move_character(who, (0.0, 0.0))
        assert place.y >= lift.y + 0.1 + 0.5
        if lift.y > 0.0 and number:
            assert place.y == pytest.approx(lift.y + 0.1 + 0.5, abs=SKIN)
        assert place.x == pytest.approx(0.2, abs=1e-9)
        assert not result.crushed


@heroes
@pytest.mark.parametrize("speed", [0.01, 0.1, 2.0, 25.0])
def test_a_sideways_piston_pushes_along_its_way(physics: Physics, make: Any, speed: float) -> None:
    floor(-0.5)
    _, piston = block(-3.0, -0.4, -2.0, 0.6)
    who, place = standing(physics, make(), -1.0 if speed < 1.0 else 0.0, 0.1)
    start, pushed = place.x, 0.0
    for _ in range(round(2.0 / speed) if speed < 1.0 else 2):
        piston.x += speed
        before = (place.x, place.y)
        result = physics.move_character(who, (0.0, FALL))
        pushed += result.pushed[0]
        assert result.moved == pytest.approx((place.x - before[0], place.y - before[1]))
        assert result.on_floor
        assert not result.crushed
    extent = -geometry.aabb(make(), Transform())[0]
    assert place.x == pytest.approx(piston.x + 0.5 + extent, abs=SKIN)
    assert pushed == pytest.approx(place.x - start, abs=1e-9)


@heroes
def test_a_thin_door_does_not_swing_through(physics: Physics, make: Any) -> None:
    """A leaf two units long turns by a quarter in eight moves."""
    hinge = Transform(0.0, 0.0, 0.0)
    esper.create_entity(hinge, OBBCollider(2.0, 0.05, 2.0, 0.0), Solid())
    who, place = hero(make(), 2.0, 0.8)
    physics.move_character(who, (0.0, 0.0))
    for _ in range(8):
        hinge.angle += math.pi / 16
        result = physics.move_character(who, (0.0, 0.0))
        assert not result.crushed
        # It is still on the side to which the leaf turns.
        assert -math.sin(hinge.angle) * place.x + math.cos(hinge.angle) * place.y > 0.0
    assert place.x < 0.0


@heroes
def test_between_a_piston_and_a_wall_it_is_crushed_and_stays(physics: Physics, make: Any) -> None:
    floor(-0.5)
    block(2.0, -1.0, 2.1, 3.0)
    _, piston = block(-3.0, -0.4, -2.0, 0.6)
    who, place = standing(physics, make(), 0.0, 0.1)
    extent = -geometry.aabb(make(), Transform())[0]
    crushed = []
    for _ in range(60):
        piston.x += 0.1
        result = physics.move_character(who, (0.0, FALL))
        crushed.append(result.crushed)
        assert place.x < 2.0 - extent + SKIN
        assert place.y == pytest.approx(0.0, abs=SKIN) or result.crushed
        assert abs(place.y) < 1.1
        if piston.x + 0.5 + 2 * extent < 2.0 - SKIN:
            assert not result.crushed
    assert any(crushed)
    first = crushed.index(True)
    assert -2.0 + 0.1 * (first + 1) == pytest.approx(2.0 - 2 * extent, abs=0.11)
    # When it draws back the character is free again.
    for _ in range(80):
        piston.x -= 0.1
        result = physics.move_character(who, (0.0, FALL))
    assert not result.crushed
    assert result.on_floor


@heroes
def test_a_lift_against_a_ceiling_crushes(physics: Physics, make: Any) -> None:
    block(-5.0, 2.0, 5.0, 2.1)
    _, lift = block(-3.0, -0.2, 3.0, 0.0)
    who, place = standing(physics, make(), 0.0, 0.6)
    crushed = False
    for _ in range(14):
        lift.y += 0.1
        result = physics.move_character(who, (0.0, FALL))
        assert place.y < 1.5 + SKIN
        assert place.x == pytest.approx(0.0, abs=0.01)
        assert result.crushed == (lift.y + 0.1 > 1.0 + SKIN)
        crushed = result.crushed
    assert crushed


def test_whoever_can_be_squeezed_out_along_a_slope_is(physics: Physics) -> None:
    """A piston drives it against a slope: it goes up along that."""
    floor(-0.5)
    solid(OBBCollider(20.0, 1.0, 20.0, -1.0), 1.0, -0.5, math.radians(60.0))
    _, piston = block(-3.0, -0.4, -2.0, 4.0)
    who, place = standing(physics, CircleCollider(0.5), 0.0, 0.1)
    for _ in range(40):
        piston.x += 0.1
        result = physics.move_character(who, (0.0, 0.0))
        assert not result.crushed
    assert place.x == pytest.approx(piston.x + 0.5 + 0.5, abs=0.01)
    assert place.y > 1.0


@pytest.mark.parametrize("height", [0.3, 0.5])
def test_whoever_is_squeezed_out_beside_a_round_one_stays_next_to_it(physics: Physics, height: float) -> None:
    """Its surface curves away: the way out ends where that is left, not where the plane at the deepest spot is."""
    block(1.0, -20.0, 2.0, 20.0)
    _, wheel = solid(CircleCollider(1.4), -1.2, 0.0)
    box = AABBCollider(0.16, 0.2)
    who, place = hero(box, 0.8, height)
    physics.move_character(who, (0.0, 0.0))
    squeezed_out = 0
    for _ in range(12):
        wheel.x += 0.09
        before = place.y
        is_out = not physics.move_character(who, (0.0, 0.0)).crushed
        if is_out and place.y > before + 0.01:
            squeezed_out += 1
            distance, _, _ = geometry.closest_points(box, place, CircleCollider(1.4), wheel)
            assert distance < SKIN
    assert squeezed_out > 1


def test_two_pistons_push_one_after_the_other(physics: Physics) -> None:
    _, left = block(-3.0, -1.0, -2.0, 1.0)
    _, low = block(-1.0, -3.0, 5.0, -2.0)
    who, place = hero(AABBCollider(0.4, 0.5), 0.0, 0.0)
    physics.move_character(who, (0.0, 0.0))
    for _ in range(30):
        left.x += 0.1
        low.y += 0.1
        physics.move_character(who, (0.0, 0.0))
    assert place.x == pytest.approx(left.x + 0.9, abs=SKIN)
    assert place.y == pytest.approx(low.y + 1.0, abs=SKIN)


def test_what_filters_or_the_hierarchy_let_pass_does_not_push(physics: Physics) -> None:
    who, place = hero(CircleCollider(0.5), 0.0, 0.0)
    esper.create_entity(Transform(), AABBCollider(0.1, 1.0), Solid(), Parent(who, 0.5))
    ghost = Transform(-3.0, 0.0)
    esper.create_entity(ghost, AABBCollider(0.5, 0.5), Solid(), CollisionFilter(layers=2, mask=2))
    sensor = Transform(3.0, 0.0)
    esper.create_entity(sensor, AABBCollider(0.5, 0.5))
    esper.process(0.0)
    physics.move_character(who, (0.0, 0.0))
    for _ in range(60):
        ghost.x += 0.1
        sensor.x -= 0.1
        assert physics.move_character(who, (0.0, 0.0)).pushed == (0.0, 0.0)
        esper.process(DT)
    assert (place.x, place.y) == (0.0, 0.0)


def test_a_pusher_of_one_way_pushes_only_along_its_normal(physics: Physics) -> None:
    _, gate = solid(AABBCollider(0.1, 2.0), -2.0, 0.0, 0.0, ecsphys.OneWay(1.0, 0.0))
    who, place = hero(AABBCollider(0.4, 0.5), 0.0, 0.0)
    physics.move_character(who, (0.0, 0.0))
    for _ in range(30):
        gate.x += 0.1
        physics.move_character(who, (0.0, 0.0))
    assert place.x == pytest.approx(gate.x + 0.5, abs=SKIN)
    gate.x = place.x + 3.0  # it jumps over: swept, it takes along whom it meets against its normal
    physics.move_character(who, (0.0, 0.0))
    assert place.x == pytest.approx(gate.x + 0.5, abs=SKIN)
    for _ in range(60):
        gate.x -= 0.1
        physics.move_character(who, (0.0, 0.0))
    assert place.x > gate.x + 2.0


SHAPES: dict[str, Any] = {
    **HEROES,
    "fan": lambda: FanCollider(1.0, 1.0, math.pi / 2, offset_y=-0.5),
    "wide fan": lambda: FanCollider(0.5, 5.0, -math.pi / 2),
    "polygon": lambda: PolygonCollider([(-0.4, -0.5), (0.4, -0.5), (0.2, 0.5), (-0.2, 0.5)]),
    "plank": lambda: OBBCollider(1.5, 0.05),
    "column": lambda: AABBCollider(0.1, 1.2),
}
piles = st.lists(
    st.tuples(st.sampled_from([*SHAPES]), st.floats(-3, 3), st.floats(-3, 3), st.floats(-4, 4)), min_size=1, max_size=9
)
walks = st.lists(
    st.tuples(st.floats(-1.5, 1.5), st.sampled_from([0.0, FALL, -0.1, -1.0, -4.0, 0.05, 0.7])), min_size=1, max_size=12
)
gaits = st.builds(
    Character,
    slope_limit=st.sampled_from([0.3, math.pi / 4, 1.2, math.pi / 2]),
    step_height=st.sampled_from([0.0, 0.1, 0.4]),
    snap_distance=st.sampled_from([0.0, 0.2, 1.0]),
)
fair = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


@heroes
@fair
@given(pile=piles, walk=walks, gait=gaits, start=st.tuples(st.floats(-3, 3), st.floats(-3, 3)))
def test_it_never_ends_deeper_in_a_solid_than_it_began(
    make: Any, pile: list[Any], walk: list[tuple[float, float]], gait: Character, start: tuple[float, float]
) -> None:
    esper.clear_database()
    physics = Physics()
    solids = [(SHAPES[name](), Transform(x, y, turn)) for name, x, y, turn in pile]
    for collider, place in solids:
        esper.create_entity(place, collider, Solid())
    mine = make()
    who, where = hero(mine, *start, Character(gait.slope_limit, gait.step_height, gait.snap_distance))
    for displacement in walk:
        before = [gap(mine, where, collider, place) for collider, place in solids]
        at = (where.x, where.y)
        result = physics.move_character(who, displacement)
        after = [gap(mine, where, collider, place) for collider, place in solids]
        for sooner, later, (collider, _) in zip(before, after, solids, strict=True):
            # The depth in a fan wider than π is not the shortest way out.
            if not (isinstance(collider, FanCollider) and collider.spread > math.pi):
                assert later > min(sooner, 0.0) - 1e-9
        assert (where.x - at[0], where.y - at[1]) == pytest.approx(result.moved, abs=1e-12)
        if min(before) > 0.0:
            assert not result.crushed
            assert (
                math.hypot(*result.moved) < math.hypot(*displacement) + 2 * gait.step_height + gait.snap_distance + 1.0
            )


@heroes
@fair
@given(
    pistons=st.lists(
        st.tuples(
            st.sampled_from([*SHAPES]),
            st.floats(-2.5, 2.5),
            st.floats(-2.5, 2.5),
            st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-0.5, 0.5)),
        ),
        max_size=4,
    ),
    walk=walks,
    gait=gaits,
)
def test_it_never_leaves_a_closed_room_whatever_moves_in_it(
    make: Any, pistons: list[Any], walk: list[tuple[float, float]], gait: Character
) -> None:
    esper.clear_database()
    physics = Physics()
    for box in ((-3.1, -3.1, 3.1, -3.0), (-3.1, 3.0, 3.1, 3.1), (-3.1, -3.1, -3.0, 3.1), (3.0, -3.1, 3.1, 3.1)):
        block(*box)
    moving = []
    for name, x, y, way in pistons:
        place = Transform(x, y)
        esper.create_entity(place, SHAPES[name](), Solid())
        moving.append((place, way))
    mine = make()
    who, where = hero(mine, 0.0, 0.0, Character(gait.slope_limit, gait.step_height, gait.snap_distance))
    for displacement in [*walk, *walk]:
        for place, (x, y, turn) in moving:
            place.x, place.y, place.angle = place.x + x, place.y + y, place.angle + turn
        physics.move_character(who, displacement)
        min_x, min_y, max_x, max_y = geometry.aabb(mine, where)
        assert min(min_x, min_y) > -3.0 - 1e-9
        assert max(max_x, max_y) < 3.0 + 1e-9


@heroes
def test_a_character_that_is_solid_carries_another(physics: Physics, make: Any) -> None:
    floor()
    who, place = standing(physics, make(), 0.0, 0.6)
    esper.add_component(who, Solid())
    other, there = standing(physics, AABBCollider(0.4, 0.5), 0.1, 1.6)
    for _ in range(20):
        physics.move_character(who, (0.05, FALL))
        assert physics.move_character(other, (0.0, FALL)).floor == who
    assert there.x - place.x == pytest.approx(0.1, abs=1e-6)
    physics.move_character(who, (0.0, 0.3))
    assert physics.move_character(other, (0.0, FALL)).floor == who
    assert there.y == pytest.approx(place.y + 1.0, abs=2 * SKIN)
    esper.add_component(other, Solid())
    assert physics.move_character(who, (0.0, 0.3)).on_ceiling

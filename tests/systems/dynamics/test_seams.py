"""What slides or rolls over colliders that lie flush feels no seam; walls and steps still stop it."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NamedTuple

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    Character,
    CircleCollider,
    CompoundCollider,
    OBBCollider,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.engine.ccd.near_misses import _move_as_one
from ecsphys.engine.dynamics.bodies import OMEGA

DT = 1.0 / 60.0
FLOOR = range(-2, 24)


class Shape(NamedTuple):
    """A mover: its collider, how far its middle is above its bottom and behind its front, and whether it turns."""

    collider: Callable[[], Any]
    height: float
    front: float
    turns: bool = True


SHAPES = {
    "ball": Shape(lambda: CircleCollider(0.5), 0.5, 0.5),
    "small ball": Shape(lambda: CircleCollider(0.1), 0.1, 0.1),
    "box": Shape(lambda: OBBCollider(0.5, 0.5), 0.5, 0.5),
    "locked AABB": Shape(lambda: AABBCollider(0.5, 0.5), 0.5, 0.5, False),
    "locked capsule": Shape(lambda: CapsuleCollider.upright(1.6, 0.3), 0.8, 0.3, False),
    "wide box": Shape(lambda: OBBCollider(1.3, 0.4), 0.4, 1.3),
}
SOME = ("ball", "box", "locked capsule")
SHARP = {
    "wedge": Shape(lambda: PolygonCollider([(-1, 0), (1, 0), (-1, 0.6)]), 0.0, 1.0, False),
    "steep wedge": Shape(lambda: PolygonCollider([(-0.3, 0), (0.3, 0), (0, 1)]), 0.0, 0.3, False),
}


@contextmanager
def a_world(gravity: tuple[float, float] = (0.0, -10.0)) -> Iterator[ecsphys.Physics]:
    esper.switch_world("seams")
    try:
        yield ecsphys.install(gravity=gravity)
    finally:
        esper.switch_world("default")
        esper.delete_world("seams")


def static() -> RigidBody:
    return RigidBody(kind="static", friction=0.0)


def box(left: float, bottom: float, right: float, top: float) -> tuple[Transform, OBBCollider]:
    return (
        Transform(0.5 * (left + right), 0.5 * (bottom + top)),
        OBBCollider(0.5 * (right - left), 0.5 * (top - bottom)),
    )


def flat(points: Sequence[tuple[float, float]]) -> tuple[Transform, PolygonCollider]:
    return Transform(), PolygonCollider(points)


def squares() -> Iterator[tuple[Any, ...]]:
    for k in FLOOR:
        yield Transform(k + 0.5, -0.5), AABBCollider(0.5, 0.5)


def triangles() -> Iterator[tuple[Any, ...]]:
    for k in FLOOR:
        yield flat([(k, 0), (k, -1), (k + 1, -1)])
        yield flat([(k, 0), (k + 1, -1), (k + 1, 0)])


def uneven() -> Iterator[tuple[Any, ...]]:
    rng = random.Random(4)
    for k in FLOOR:
        half = 0.5 + rng.uniform(-0.002, 0.002)
        yield Transform(k + 0.5, -0.5), AABBCollider(half, half)


def tenths() -> Iterator[tuple[Any, ...]]:
    for k in range(10 * FLOOR.start, 10 * FLOOR.stop):
        yield Transform(0.1 * k + 0.05, -0.05), OBBCollider(0.05, 0.05)


def mixed() -> Iterator[tuple[Any, ...]]:
    for k in FLOOR:
        if k % 4 == 0:
            yield Transform(), ChainCollider([(k, 0), (k + 1, 0)], side="left")
        elif k % 4 == 1:
            yield Transform(k + 0.5, -0.5), AABBCollider(0.5, 0.5)
        elif k % 4 == 2:
            yield flat([(k, 0), (k + 0.3, -1), (k + 0.7, -1), (k + 1, 0)])
        else:
            yield box(k, -0.4, k + 1, 0)


def compound() -> Iterator[tuple[Any, ...]]:
    yield Transform(), CompoundCollider([OBBCollider(0.5, 0.5, offset_x=k + 0.5, offset_y=-0.5) for k in FLOOR])


FLOORS = {each.__name__: each for each in (squares, triangles, uneven, tenths, mixed, compound)}


def lay(parts: Iterator[tuple[Any, ...]], x: float = 0.0, y: float = 0.0, make: Callable[[], Any] = static) -> None:
    for transform, *others in parts:
        transform.x += x
        transform.y += y
        esper.create_entity(transform, *others, make())


def launch(shape: Shape, x: float, y: float, vx: float, vy: float, *more: Any) -> tuple[Transform, Velocity]:
    transform, velocity = Transform(x, y), Velocity(vx, vy)
    body = RigidBody(lock_rotation=not shape.turns, friction=0.0, can_sleep=False)
    entity = esper.create_entity(transform, velocity, shape.collider(), body, *more)
    return esper.component_for_entity(entity, Transform), esper.component_for_entity(entity, Velocity)


def slide(name: str, speed: float, x: float, y: float, *more: Any, most: float = 0.01) -> None:
    """Let something slide over the floor at y, and see that it keeps its speed, and its height but for ``most``."""
    shape = SHAPES[name]
    start = random.Random(f"{name} {speed}").uniform(0.2, 1.2)
    at, velocity = launch(shape, x + start, y + shape.height, speed, 0.0, *more)
    for _ in range(min(40, int(20.0 / speed / DT))):
        esper.process(DT)
        assert abs(at.y - y - shape.height) < most
    assert velocity.x > (0.99 if "ball" in name else 0.95) * speed


@pytest.mark.parametrize(("floor", "name"), list(itertools.product(FLOORS, SHAPES)))
def test_what_slides_over_flush_colliders_keeps_its_speed_and_does_not_hop(floor: str, name: str) -> None:
    for speed in (2.0, 20.0, 50.0):
        with a_world():
            lay(FLOORS[floor]())
            # Steps of up to 0.004 turn a fast box a little.
            slide(name, speed, 0.0, 0.0, most=0.015 if floor == "uneven" else 0.01)


@pytest.mark.parametrize("name", SHAPES)
def test_solid_tiles_have_no_seams(name: str) -> None:
    with a_world():
        lay(squares(), make=Solid)
        slide(name, 20.0, 0.0, 0.0)


@pytest.mark.parametrize(("floor", "name"), list(itertools.product(("squares", "mixed"), SOME)))
def test_tiles_far_from_the_origin_have_no_seams(floor: str, name: str) -> None:
    with a_world():
        lay(FLOORS[floor](), 1e5, -1e5)
        slide(name, 20.0, 1e5, -1e5)


@pytest.mark.parametrize(("floor", "name"), list(itertools.product(("squares", "triangles"), SOME)))
def test_bullets_are_not_stopped_at_seams(floor: str, name: str) -> None:
    with a_world():
        lay(FLOORS[floor]())
        slide(name, 50.0, 0.0, 0.0, Bullet())


@pytest.mark.parametrize(("angle", "name"), list(itertools.product((0.3, -2.0), SHAPES)))
def test_floors_turned_with_their_entity_have_no_seams(angle: float, name: str) -> None:
    c, s = math.cos(angle), math.sin(angle)
    shape = SHAPES[name]
    if name == "locked AABB":
        return
    for speed in (5.0, 50.0):
        with a_world((10.0 * s, -10.0 * c)):
            for transform, collider in compound():
                transform.angle = angle
                esper.create_entity(transform, collider, RigidBody(kind="kinematic", friction=0.0))
            at, velocity = launch(shape, -s * shape.height, c * shape.height, speed * c, speed * s)
            at.angle = angle
            for _ in range(min(40, int(20.0 / speed / DT))):
                esper.process(DT)
                assert abs(c * at.y - s * at.x - shape.height) < 0.01
            assert velocity.x * c + velocity.y * s > (0.99 if "ball" in name else 0.95) * speed


@pytest.mark.parametrize("name", SHAPES)
def test_kinematic_tiles_that_move_as_one_have_no_seams(name: str) -> None:
    shape = SHAPES[name]
    with a_world():
        for transform, collider in squares():
            esper.create_entity(transform, collider, RigidBody(kind="kinematic", friction=0.0), Velocity(-3.0, 1.0))
        at, velocity = launch(shape, 0.3, shape.height, 17.0, 1.0)
        for step in range(1, 61):
            esper.process(DT)
            assert abs(at.y - step * DT - shape.height) < 0.012
        assert velocity.x > 16.5


@pytest.mark.parametrize(("gap", "speed"), list(itertools.product((0.004, 0.01), (1.0, 20.0))))
def test_a_small_gap_between_tiles_neither_stops_a_ball_nor_lets_it_sink(gap: float, speed: float) -> None:
    with a_world():
        for k in FLOOR:
            esper.create_entity(*box(k + 0.5 * gap, -1, k + 1 - 0.5 * gap, 0), static())
        slide("ball", speed, 0.0, 0.0)


@pytest.mark.parametrize("speed", [0.0, 5.0])
def test_a_ball_that_falls_onto_a_seam_lies_there(speed: float) -> None:
    with a_world():
        lay(squares())
        at, velocity = launch(SHAPES["ball"], 3.0, 1.0, speed, 0.0)
        for _ in range(90):
            esper.process(DT)
        assert abs(at.y - 0.5) < 0.01
        assert abs(velocity.y) < 0.01


def wall_of_tiles() -> Iterator[tuple[Any, ...]]:
    for k in range(-2, 10):
        yield box(k, -1, k + 1, 0)
    for row in range(-1, 3):
        yield box(10, row, 11, row + 1)


def wall_on_floor() -> Iterator[tuple[Any, ...]]:
    for k in range(-2, 12):
        yield box(k, -1, k + 1, 0)
    yield box(10, 0, 11, 3)


def wall_through_floor() -> Iterator[tuple[Any, ...]]:
    for k in range(-2, 12):
        yield box(k, -1, k + 1, 0)
    yield box(10, -0.5, 11, 3)


WALLS = {each.__name__: each for each in (wall_of_tiles, wall_on_floor, wall_through_floor)}


@pytest.mark.parametrize(("wall", "name"), list(itertools.product(WALLS, (*SHAPES, *SHARP))))
def test_walls_stop_what_slides_on_flush_tiles(wall: str, name: str) -> None:
    shape = (SHAPES | SHARP)[name]
    for speed, sunk in itertools.product((2.0, 50.0), (0.0, 0.004)):
        with a_world():
            lay(WALLS[wall]())
            start = 10.0 - shape.front - max(1.0, 0.15 * speed)
            at, velocity = launch(shape, start, shape.height - sunk, speed, 0.0)
            for _ in range(int((10.0 - shape.front - start) / speed / DT) + 20):
                esper.process(DT)
                assert at.x + shape.front < 10.05
            assert velocity.x < 0.1


@pytest.mark.parametrize(("name", "step"), list(itertools.product(("box", "locked AABB", "wedge"), (0.02, 0.06))))
def test_a_step_higher_than_the_tolerance_stops_what_runs_into_it(name: str, step: float) -> None:
    shape = (SHAPES | SHARP)[name]._replace(turns=False)
    for speed in (1.0, 20.0, 50.0):
        with a_world():
            lay(box(k, -1, k + 1, 0 if k < 10 else step) for k in range(-2, 14))
            start = 10.0 - shape.front - max(1.0, 0.15 * speed)
            at, velocity = launch(shape, start, shape.height, speed, 0.0)
            for _ in range(int((10.0 - shape.front - start) / speed / DT) + 20):
                esper.process(DT)
                assert at.x + shape.front < 10.05
            assert velocity.x < 0.1


def slope_tiles(points: Sequence[tuple[int, float]]) -> Iterator[tuple[Any, ...]]:
    """Columns of tiles below a line, with triangles where it slopes."""
    for (from_x, from_y), (to_x, to_y) in itertools.pairwise(points):
        rise = (to_y - from_y) / (to_x - from_x)
        for k in range(to_x - from_x):
            x, left, right = from_x + k, from_y + k * rise, from_y + (k + 1) * rise
            low = min(left, right)
            if left != right:
                yield flat([(x, low), (x + 1, low), (x + 1, right) if rise > 0.0 else (x, left)])
            yield flat([(x, low), (x, low - 1), (x + 1, low - 1), (x + 1, low)])


BENDS: dict[str, Callable[[float], list[tuple[int, float]]]] = {
    "a slope up": lambda t: [(-4, 0.0), (10, 0.0), (20, 10 * t)],
    "a slope down": lambda t: [(-4, 0.0), (10, 0.0), (20, -10 * t)],
    "a ridge": lambda t: [(-4, -14 * t), (10, 0.0), (20, 0.0)],
    "a valley": lambda t: [(-4, 14 * t), (10, 0.0), (20, 10 * t)],
}


@pytest.mark.parametrize(("bend", "degrees", "name"), list(itertools.product(BENDS, (5, 45), ("ball", "box"))))
def test_slopes_of_tiles_take_no_more_energy_than_a_chain_of_the_same_outline(
    bend: str, degrees: int, name: str
) -> None:
    points = BENDS[bend](math.tan(math.radians(degrees)))
    (from_x, from_y), (to_x, to_y) = points[:2]
    length = math.hypot(to_x - from_x, to_y - from_y)
    ux, uy = (to_x - from_x) / length, (to_y - from_y) / length
    shape = SHAPES[name]
    for speed in (3.0, 20.0):
        left = []
        for is_chain in (True, False):
            with a_world():
                lay(iter([(Transform(), ChainCollider(points, side="left"))]) if is_chain else slope_tiles(points))
                x, y = 10.0 - 2.0 * ux - shape.height * uy, -2.0 * uy + shape.height * ux
                at, velocity = launch(shape, x, y, speed * ux, speed * uy)
                at.angle = math.atan2(uy, ux)
                for _ in range(int(5.0 / speed / DT)):
                    esper.process(DT)
                left.append(0.5 * (velocity.x**2 + velocity.y**2) + 10.0 * at.y)
        assert left[1] > left[0] - 0.025 * speed**2 - 0.1


def bricks() -> Iterator[tuple[Any, ...]]:
    for k in range(-30, 30):
        yield box(0, k, 1.3, k + 0.5)
        yield box(0, k + 0.5, 0.6, k + 1)
        yield box(0.6, k + 0.5, 1.3, k + 1)


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_pressed_against_a_wall_of_bricks_falls_freely(name: str) -> None:
    shape = SHAPES[name]
    with a_world((10.0, -5.0)):
        lay(bricks())
        at, velocity = launch(shape, -shape.front, 0.37, 0.0, -10.0)
        for _ in range(60):
            esper.process(DT)
            assert abs(at.x + shape.front) < 0.01
        assert abs(velocity.y + 15.0) < 0.2


@pytest.mark.parametrize(("tile", "radius", "speed"), [(10.0, 0.02, 20.0), (0.1, 3.0, 50.0), (0.02, 0.5, 10.0)])
def test_small_movers_on_big_tiles_and_big_ones_on_small_feel_no_seam(tile: float, radius: float, speed: float) -> None:
    with a_world():
        for k in range(-int(2 * radius / tile) - 2, int((speed * 0.5 + 4 * radius) / tile) + 3):
            esper.create_entity(*box(k * tile, -tile, (k + 1) * tile, 0.0), static())
        at, velocity = launch(Shape(lambda: CircleCollider(radius), radius, radius), 0.3 * tile, radius, speed, 0.0)
        for _ in range(30):
            esper.process(DT)
            assert abs(at.y - radius) < 0.01
        assert velocity.x > 0.99 * speed


def test_a_floor_tile_that_is_vetoed_does_not_hide_the_side_of_the_next() -> None:
    with a_world() as physics:
        lay(box(k, -4, k + 1, 0) for k in range(-3, 3))
        hole = esper.create_entity(*box(3, -4, 4, 0), static())
        lay(box(k, -4, k + 1, 0) for k in range(4, 8))

        def open_hole(contacts: Any) -> None:
            contacts.is_vetoed[(contacts.entity_a == hole) | (contacts.entity_b == hole)] = True

        physics.pre_solve = open_hole
        at, _ = launch(SHAPES["ball"]._replace(collider=lambda: CircleCollider(0.3)), 3.2, 0.5, 2.0, 0.0)
        for _ in range(40):
            esper.process(DT)
            assert at.x < 3.75
        assert at.y < -1.0


def test_a_contact_at_a_seam_is_still_a_hit_without_an_impulse() -> None:
    with a_world() as physics:
        lay(squares())
        at, _ = launch(SHAPES["ball"], 3.95, 0.48, 0.0, 0.0)
        for _ in range(3):
            esper.process(DT)
            impulses = sorted(hit.impulse for hit in physics.hits)
            assert len(impulses) == 2
            assert impulses[0] == 0.0
        assert impulses[1] > 0.0
        assert abs(at.x - 3.95) < 1e-9


@pytest.mark.parametrize(("floor", "move"), list(itertools.product(FLOORS, ("character", "slide"))))
def test_characters_walk_over_flush_tiles_at_any_speed(floor: str, move: str) -> None:
    if floor == "uneven":
        return
    for name, speed in itertools.product(("ball", "locked AABB", "locked capsule"), (1.0, 20.0, 120.0)):
        shape = SHAPES[name]
        with a_world() as physics:
            lay(FLOORS[floor](), make=Solid)
            hero = esper.create_entity(Transform(0.3, shape.height + 0.01), shape.collider(), Character())
            at = esper.component_for_entity(hero, Transform)
            walk = physics.move_character if move == "character" else physics.move_and_slide
            for step in range(min(30, int(20.0 / speed / DT))):
                before = at.x
                walk(hero, (speed * DT, -0.05))
                assert at.x - before > 0.98 * speed * DT
                assert step < 2 or abs(at.y - shape.height) < 0.01


@pytest.mark.parametrize("spin", [0.0, 1.0, -0.25])
def test_parts_of_a_floor_move_as_one_only_if_they_turn_alike(spin: float) -> None:
    # A floor at rest and a flap that turns about the seam between them: there the velocities are the same.
    bodies, centers = np.zeros((2, 8)), np.zeros((2, 2))
    bodies[1, OMEGA] = spin
    rows: Any = SimpleNamespace(bodies=bodies, centers=centers)
    assert _move_as_one(0, 1, 0.0, 0.0, rows) is (spin == 0.0)
    assert _move_as_one(1, 1, 0.0, 0.0, rows)
    # Beside the seam they part, unless the floor goes along.
    assert _move_as_one(0, 1, 1.0, 0.0, rows) is (spin == 0.0)
    bodies[0, OMEGA] = spin
    assert _move_as_one(0, 1, 1.0, 0.0, rows)

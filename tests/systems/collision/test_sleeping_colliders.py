"""Colliders at rest: nothing of what they do may differ from a world in which everything is looked at all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    CircularTrajectory,
    CollisionFilter,
    Parent,
    Physics,
    PolygonCollider,
    Transform,
    Velocity,
)
from ecsphys.systems import BroadphaseSystem, BruteForceBroadphaseSystem

SETTLE = 8


def settle(frames: int = SETTLE) -> None:
    for _ in range(frames):
        esper.process(1 / 60)


def floor_of_tiles(side: int) -> list[int]:
    return [
        esper.create_entity(Transform(2.0 * (i % side), 2.0 * (i // side)), AABBCollider(1.0, 1.0))
        for i in range(side * side)
    ]


def test_what_does_not_move_is_at_rest_after_a_few_steps_and_awake_when_it_moves() -> None:
    physics = ecsphys.install()
    floor_of_tiles(5)
    mover = esper.create_entity(Transform(3.0, 3.0), velocity := Velocity(), CircleCollider(0.5))
    settle()
    assert physics.debug.profile.counters["sleeping"] == 26
    velocity.x = 1.0
    esper.process(1 / 60)
    assert physics.debug.profile.counters["sleeping"] == 25
    assert {hit.other(mover) for hit in physics.hits.of(mover)} == {7, 8, 12, 13}


def test_boxes_at_rest_are_not_compared_again() -> None:
    physics = ecsphys.install()
    floor_of_tiles(20)
    esper.process(1 / 60)
    assert physics.debug.profile.counters["tests"] > 1000
    settle()
    assert physics.debug.profile.counters["tests"] == physics.debug.profile.counters["candidate pairs"] == 0


def test_hits_among_colliders_at_rest_go_on_and_end_for_every_reason() -> None:
    physics = ecsphys.install()
    movers = [Transform(0.5 * i) for i in range(8)]
    entities = [esper.create_entity(transform, CircleCollider(1.0)) for transform in movers]
    esper.process(1 / 60)
    before = list(zip(physics.hits.entity_a.tolist(), physics.hits.entity_b.tolist(), strict=True))
    normals = physics.hits.normal.copy()
    settle()
    assert physics.debug.profile.counters["sleeping"] == 8
    assert list(zip(physics.hits.entity_a.tolist(), physics.hits.entity_b.tolist(), strict=True)) == before
    assert np.array_equal(physics.hits.normal, normals)
    assert not len(physics.hits.started)
    assert not len(physics.hits.ended)

    def ended() -> set[tuple[int, int, str]]:
        esper.process(1 / 60)
        rows = physics.hits.ended
        return set(zip(rows.entity_a.tolist(), rows.entity_b.tolist(), rows.reason.tolist(), strict=True))

    first, second = entities[:2]
    esper.add_component(first, CollisionFilter(layers=0, mask=0))
    assert ended() == {(first, other, "filtered") for other in entities[1:4]}
    movers[1].y = 50.0
    assert ended() == {(second, other, "separated") for other in entities[2:5]}
    third, last = entities[2], entities[7]
    esper.add_component(third, CircleCollider(1.0))
    assert ended() == {(third, other, "removed") for other in entities[3:6]}
    esper.delete_entity(last)
    assert ended() == {(other, last, "despawned") for other in entities[4:7]}


def test_a_filter_changed_in_place_ends_and_starts_hits_at_rest() -> None:
    physics = ecsphys.install()
    layers = CollisionFilter()
    esper.create_entity(Transform(), CircleCollider(1.0), layers)
    esper.create_entity(Transform(1.0), CircleCollider(1.0))
    settle()
    layers.mask = 0
    esper.process(0.0)
    assert physics.hits.ended.reason.tolist() == ["filtered"]
    layers.mask = 1
    esper.process(0.0)
    assert len(physics.hits.started) == 1


def test_a_filter_changed_at_rest_that_lets_meet_what_met_ends_no_hit() -> None:
    physics = ecsphys.install()
    middle = CollisionFilter()
    for x, *more in ((-1.0,), (0.0, middle), (1.0,)):
        esper.create_entity(Transform(x, 0.0), CircleCollider(0.75), *more)
    settle()
    assert physics.debug.profile.counters["sleeping"] == 3
    middle.mask = 0b11
    esper.process(1 / 60)
    assert (len(physics.hits), len(physics.hits.started), len(physics.hits.ended)) == (2, 0, 0)
    assert physics.debug.profile.counters["sleeping"] < 3


def test_what_moved_in_steps_without_a_narrowphase_has_its_hits_as_they_are() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1.0))
    esper.create_entity(mover := Transform(1.0, 0.0), CircleCollider(1.0))
    settle()
    narrowphase = esper.get_processor(ecsphys.systems.NarrowphaseSystem)
    assert narrowphase is not None
    esper.remove_processor(ecsphys.systems.NarrowphaseSystem)
    mover.x = 1.5
    settle(2 * SETTLE)
    esper.add_processor(narrowphase, ecsphys.Priority.NARROWPHASE)
    esper.process(1 / 60)
    assert physics.hits.depth.tolist() == [0.5]
    settle()
    assert physics.debug.profile.counters["sleeping"] == 2


def write_property(transform: Transform, collider: CircleCollider) -> None:
    transform.x = 1.5


def write_column(transform: Transform, collider: CircleCollider) -> None:
    Transform.column("x")[transform._row] = 1.5


def write_size(transform: Transform, collider: CircleCollider) -> None:
    collider.radius = 3.0


def write_size_column(transform: Transform, collider: CircleCollider) -> None:
    CircleCollider.column("radius")[collider._row] = 3.0


@pytest.mark.parametrize("write", [write_property, write_column, write_size, write_size_column])
def test_whatever_way_a_collider_at_rest_is_changed_is_seen_by_the_next_step(
    write: Callable[[Transform, CircleCollider], None],
) -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(3.0), CircleCollider(1.0))
    esper.create_entity(transform := Transform(0.0), collider := CircleCollider(1.0))
    settle()
    assert not len(physics.hits)
    assert physics.debug.profile.counters["sleeping"] == 2
    write(transform, collider)
    esper.process(0.0)
    assert len(physics.hits.started) == 1


@pytest.mark.parametrize("write", [write_property, write_column, write_size, write_size_column])
@pytest.mark.parametrize("comes_another", [False, True])
def test_what_changed_at_rest_is_seen_though_somebody_read_the_boxes_before_the_step(
    write: Callable[[Transform, CircleCollider], None], comes_another: bool
) -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(3.0), CircleCollider(1.0))
    esper.create_entity(transform := Transform(0.0), collider := CircleCollider(1.0))
    settle()
    write(transform, collider)
    assert len(physics.debug.colliders.boxes) == 2
    if comes_another:
        esper.create_entity(Transform(90.0), CircleCollider(1.0))
    assert len(physics.debug.colliders.boxes) == 2 + comes_another
    esper.process(0.0)
    assert len(physics.hits.started) == 1


def test_a_column_kept_since_long_ago_is_watched() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(3.0), CircleCollider(1.0))
    esper.create_entity(transform := Transform(0.0), CircleCollider(1.0))
    x = Transform.column("x")[:]
    settle(20)
    x[transform._row] = 2.0
    esper.process(0.0)
    assert len(physics.hits.started) == 1


def test_a_polygon_at_rest_that_gets_other_vertices_of_the_same_number_is_seen() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), polygon := PolygonCollider([(0, 0), (1, 0), (0, 1)]))
    esper.create_entity(Transform(3.0, 0.5), CircleCollider(1.0))
    settle()
    polygon.vertices = ((0, 0), (4, 0), (0, 4))
    esper.process(0.0)
    assert len(physics.hits.started) == 1


def test_colliders_that_others_carry_or_that_follow_a_trajectory_are_never_left_behind() -> None:
    physics = ecsphys.install()
    floor_of_tiles(10)
    parent = esper.create_entity(Transform(-20.0), velocity := Velocity())
    child = esper.create_entity(Transform(), Parent(parent, x=1.0), CircleCollider(0.5))
    runner = esper.create_entity(Transform(), path := CircularTrajectory(-40.0, 0.0, 5.0, 0.0), CircleCollider(0.5))
    settle()
    assert physics.debug.profile.counters["sleeping"] == 102
    velocity.x = 60.0
    path.center_x, path.angular_speed = 5.0, 1.0
    settle(20)
    assert physics.hits.of(child)
    assert physics.hits.of(runner)


def test_whoever_loses_its_velocity_between_the_search_and_the_next_step_is_found_where_it_is() -> None:
    physics = Physics()
    esper.add_processor(BroadphaseSystem(physics), priority=3)
    esper.add_processor(ecsphys.systems.NarrowphaseSystem(physics), priority=2)
    esper.add_processor(ecsphys.systems.EulerMotionSystem(physics), priority=1)
    floor_of_tiles(6)
    mover = esper.create_entity(Transform(-30.0, 4.0), velocity := Velocity(), CircleCollider(0.5))
    settle()
    velocity.x = 34.0 * 60.0
    esper.process(1 / 60)
    esper.remove_component(mover, Velocity)
    esper.process(1 / 60)
    assert physics.hits.of(mover)


def test_colliders_at_rest_stay_so_while_others_come_and_go() -> None:
    physics = ecsphys.install()
    tiles = floor_of_tiles(20)
    settle()
    for frame in range(10):
        bullet = esper.create_entity(Transform(2.0 * frame, 2.0), Velocity(1.0), CircleCollider(0.5))
        esper.delete_entity(tiles.pop(7), immediate=True)
        esper.process(1 / 60)
        assert physics.hits.of(bullet)
        assert physics.debug.profile.counters["tests"] < 100
        esper.delete_entity(bullet)


def test_a_replaced_narrowphase_finds_pairs_at_rest_among_the_candidates() -> None:
    physics = ecsphys.install()
    floor_of_tiles(4)
    settle()
    named = {tuple(sorted(pair)) for pair in physics.debug.candidate_pairs.tolist()}
    assert len(named) == 2 * 4 * 3 + 2 * 3 * 3


def everything(physics: Physics) -> list[Any]:
    hits, started, ended = physics.hits, physics.hits.started, physics.hits.ended
    return [
        hits.entity_a.tolist(), hits.entity_b.tolist(), hits.collider_a.tolist(), hits.normal.tolist(),
        hits.depth.tolist(), np.nan_to_num(hits.points, nan=-1.0).tolist(), hits.approach_speed.tolist(),
        started.entity_a.tolist(), started.entity_b.tolist(), ended.entity_a.tolist(), ended.reason.tolist(),
    ]  # fmt: skip


def random_body(rng: np.random.Generator) -> list[Any]:
    x, y = rng.uniform(0, 22, 2).tolist()
    size = float(rng.uniform(0.3, 0.9)) * float(rng.choice([1.0, 1.0, 1.0, 12.0]))
    match rng.integers(4):
        case 0:
            collider: Any = CircleCollider(size)
        case 1:
            collider = AABBCollider(size, 0.6 * size)
        case 2:
            collider = CapsuleCollider(size, 0.4 * size, angle=0.7)
        case _:
            collider = PolygonCollider([(size, 0.0), (0.0, size), (-size, -0.5 * size)])
    parts: list[Any] = [Transform(x, y, float(rng.uniform(0, 6))), collider]
    if rng.random() < 0.4:
        moves = rng.random() < 0.5
        parts.append(Velocity(*(rng.uniform(-4, 4, 3) * moves).tolist()))
    if rng.random() < 0.2:
        parts.append(CollisionFilter(layers=int(rng.integers(1, 4)), mask=int(rng.integers(1, 4))))
    return parts


@pytest.mark.parametrize("seed", range(12))
def test_hits_of_a_world_with_colliders_at_rest_are_to_the_last_bit_those_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rested = 0
    name = esper.current_world
    worlds = (name, f"{name} twin")
    physics = {}
    for world in worlds:
        esper.switch_world(world)
        physics[world] = ecsphys.install()
    esper.remove_processor(BroadphaseSystem)
    esper.add_processor(BruteForceBroadphaseSystem(physics[worlds[1]]), priority=ecsphys.Priority.BROADPHASE)
    bodies: list[list[list[Any]]] = []
    entities: list[int] = []

    def both(action: Callable[[int], Any]) -> list[Any]:
        answers = []
        for number, world in enumerate(worlds):
            esper.switch_world(world)
            answers.append(action(number))
        return answers

    def spawn() -> None:
        state = rng.bit_generator.state
        pair = []
        for _ in worlds:
            rng.bit_generator.state = state
            pair.append(random_body(rng))
        bodies.append(pair)
        one, two = both(lambda number: esper.create_entity(*pair[number]))
        assert one == two
        entities.append(one)

    def change() -> None:
        k = int(rng.integers(len(bodies)))
        pair, entity = bodies[k], entities[k]
        x, y = rng.uniform(0, 22, 2).tolist()
        rows = [body[0]._row for body in pair]
        match rng.integers(8):
            case 0:
                spawn()
            case 1 if len(bodies) > 20:
                both(lambda number: esper.delete_entity(entity, immediate=True))
                del bodies[k], entities[k]
            case 2:
                both(lambda number: setattr(pair[number][0], "x", x))
            case 3:
                both(lambda number: Transform.column("y").__setitem__(rows[number], y))
            case 4:
                both(lambda number: esper.add_component(entity, CircleCollider(0.5 + 0.01 * x)))
            case 5 if isinstance(pair[0][1], CircleCollider):
                both(lambda number: setattr(pair[number][1], "radius", 0.2 + 0.05 * x))
            case 6:
                both(lambda number: esper.add_component(entity, Velocity(0.1 * (x - 11), 0.1 * (y - 11))))
            case 7 if esper.has_component(entity, Velocity):
                both(lambda number: esper.remove_component(entity, Velocity))

    def step() -> None:
        dt = 0.0 if rng.random() < 0.2 else 1 / 30
        both(lambda number: esper.process(dt))

    for _ in range(40):
        spawn()
    for _ in range(120):
        for _ in range(int(rng.integers(1, 3)) if rng.random() < 0.4 else 0):
            change()
        step()
        grid, brute = (physics[world] for world in worlds)
        assert everything(grid) == everything(brute)
        rested += grid.debug.profile.counters["sleeping"]
    assert rested > 1000

"""The workloads: that they are what they say, in numbers, sizes, density and motion."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import AABBCollider, CircleCollider, CollisionFilter, Transform, Velocity
from ecsphys.demo.scenes import WORKLOADS
from ecsphys.demo.scenes.workloads import MOVERS_ALONE, Body, LiveWorkload, Workload
from ecsphys.geometry import aabb

STEP = 1.0 / 60.0
NAMES = list(WORKLOADS)


def made(name: str, count: int, seed: int = 5) -> Workload:
    return WORKLOADS[name].make(np.random.default_rng(seed), count)


def half_extent(body: Body) -> float:
    """Half the diameter of a shape: the widest box of it over all directions, to within 1 in 5,000."""
    collider = body.collider(*body.arguments)
    boxes = [aabb(collider, Transform(0.0, 0.0, angle)) for angle in np.linspace(0.0, math.pi, 91)]
    return 0.5 * max(max_x - min_x for min_x, _, max_x, _ in boxes)


def velocities(workload: Workload) -> NDArray[float64]:
    return np.array([body.velocity for body in workload.bodies if body.velocity is not None])


class Play:
    """A workload being played in the current world."""

    def __init__(self, name: str, count: int, seed: int = 5) -> None:
        self.workload = made(name, count, seed)
        self.live = LiveWorkload(self.workload)
        self.physics = ecsphys.install()

    def frame(self) -> None:
        started = self.physics.hits.started
        self.live.change((started.entity_a, started.entity_b))
        esper.process(STEP)

    def state(self) -> list[NDArray[Any]]:
        hits = self.physics.hits
        return [
            self.physics.debug.colliders.boxes.copy(),
            hits.entity_a.copy(),
            hits.entity_b.copy(),
            hits.depth.copy(),
        ]


def test_the_table_has_the_scenes_of_the_benchmarks() -> None:
    assert NAMES == ["swarm", "swarm_circles", "crowd", "giants", "tiles", "bullets", "churn", "rest"]
    assert all(WORKLOADS[name].name == name and WORKLOADS[name].summary for name in NAMES)


def test_the_swarm_has_five_kinds_of_shapes_in_equal_parts() -> None:
    kinds = Counter(body.collider.__name__ for body in made("swarm", 1000).bodies)
    assert kinds == dict.fromkeys(
        ("CircleCollider", "OBBCollider", "CapsuleCollider", "FanCollider", "PolygonCollider"), 200
    )


@pytest.mark.parametrize("name", ["swarm", "swarm_circles"])
def test_half_the_largest_extent_of_every_shape_is_between_four_and_eight_tenths(name: str) -> None:
    halves = [half_extent(body) for body in made(name, 60).bodies]
    assert min(halves) > 0.4 * (1.0 - 2e-4)
    assert max(halves) < 0.8 + 1e-12
    assert np.mean(halves) == pytest.approx(0.6, abs=0.04)


def test_circles_are_circles_of_all_sizes_alike() -> None:
    bodies = made("swarm_circles", 2000).bodies
    assert {body.collider for body in bodies} == {CircleCollider}
    counts, _ = np.histogram([body.arguments[0] for body in bodies], bins=4, range=(0.4, 0.8))
    assert counts.sum() == 2000
    assert counts.min() > 400


@pytest.mark.parametrize("name", ["swarm", "swarm_circles", "crowd", "churn"])
def test_all_move_at_half_a_unit_to_three_a_second_in_all_directions_and_spin(name: str) -> None:
    workload = made(name, 2000)
    vx, vy, spin = velocities(workload).T
    assert vx.size == 2000
    speed = np.hypot(vx, vy)
    assert 0.5 <= speed.min() < 0.55
    assert 2.95 < speed.max() <= 3.0
    quadrants, _ = np.histogram(np.arctan2(vy, vx), bins=4, range=(-math.pi, math.pi))
    assert quadrants.min() > 400
    assert -2.0 <= spin.min() < -1.95
    assert 1.95 < spin.max() <= 2.0


@pytest.mark.parametrize(
    ("name", "side"), [("swarm", 2.6), ("swarm_circles", 2.6), ("crowd", 1.3), ("giants", 2.6), ("rest", 2.6)]
)
def test_the_arena_is_a_square_in_which_they_lie_evenly(name: str, side: float) -> None:
    workload = made(name, 1600)
    assert workload.arena == pytest.approx((0.0, 0.0, 40.0 * side, 40.0 * side))
    places = np.array([(body.x, body.y) for body in workload.bodies if body.velocity is not None])
    assert len(places) == 1600
    columns, rows = (places // (10.0 * side)).astype(int).T
    counts = np.bincount(4 * columns + rows)
    assert counts.size == 16
    assert counts.min() > 60


def test_ten_floors_without_a_velocity_are_a_thousand_times_as_long_as_the_shapes() -> None:
    bodies = made("giants", 400).bodies
    floors = [body for body in bodies if body.velocity is None]
    assert len(floors) == 10
    assert len(bodies) == 410
    assert {body.collider for body in floors} == {AABBCollider}
    (half_length,) = {body.arguments[0] for body in floors}
    assert half_length == pytest.approx(1000.0 * 0.6)


def test_tiles_stand_in_rows_and_columns_and_five_hundred_movers_fly_over_them() -> None:
    play = Play("tiles", 2000)
    assert Counter(body.velocity is None for body in play.workload.bodies) == {True: 2000, False: 500}
    play.frame()
    hits = play.physics.hits
    tile = ecsphys.COLLIDER_CLASSES.index(AABBCollider)
    over_tiles = (hits.collider_a == tile) | (hits.collider_b == tile)
    assert not ((hits.collider_a == tile) & (hits.collider_b == tile)).any()
    assert 100 < over_tiles.sum() < 1000
    tiles = {(body.x, body.y) for body in play.workload.bodies if body.velocity is None}
    assert len({x for x, _ in tiles}) == len({y for _, y in tiles}) == 45
    for _ in range(10):
        play.frame()
    assert play.physics.debug.profile.counters["sleeping"] >= 2000


def test_the_movers_alone_are_those_of_the_tiles() -> None:
    alone = MOVERS_ALONE.make(np.random.default_rng(5), 2000)
    tiles = made("tiles", 2000)
    assert alone.arena == tiles.arena
    assert alone.bodies == [body for body in tiles.bodies if body.velocity is not None]


def test_of_those_at_rest_one_in_twenty_moves_and_all_have_a_velocity() -> None:
    moving = velocities(made("rest", 1000))
    assert len(moving) == 1000
    assert moving.any(axis=1).sum() == 50


def test_bullets_that_hit_are_gone_in_the_next_frame_and_as_many_are_fired() -> None:
    play = Play("bullets", 1000)
    enemy = play.workload.bodies[-1].filters
    is_enemy = [body.filters == enemy for body in play.workload.bodies]
    assert sum(is_enemy) == 50
    assert len(is_enemy) == 1050
    enemies = {entity for entity, yes in zip(play.workload.entities, is_enemy, strict=True) if yes}
    deaths = 0
    for _ in range(30):
        play.frame()
        pairs = zip(
            play.physics.hits.started.entity_a.tolist(), play.physics.hits.started.entity_b.tolist(), strict=True
        )
        shot = set()
        for a, b in pairs:
            assert (a in enemies) != (b in enemies)
            shot.add(b if a in enemies else a)
        play.live.between()
        play.frame()
        assert not any(esper.entity_exists(entity) for entity in shot)
        assert all(esper.entity_exists(entity) for entity in enemies)
        assert len(ecsphys.join(Transform, CircleCollider, CollisionFilter)[0]) == 1050
        deaths += len(shot)
    assert deaths > 50


def test_churn_replaces_one_in_a_hundred_in_every_frame() -> None:
    play = Play("churn", 600)
    for _ in range(5):
        before = set(play.workload.entities)
        play.frame()
        after = set(play.workload.entities)
        assert len(before - after) == len(after - before) == 6
        assert set(ecsphys.join(Transform)[0].tolist()) == after
        play.live.between()


def test_the_border_turns_back_what_is_outside_and_touches_nothing_else() -> None:
    play = Play("swarm", 300)
    _, _, side, _ = play.workload.arena
    turned = 0
    for _ in range(60):
        play.frame()
        _, transforms, rows = ecsphys.join(Transform, Velocity)
        x, y = Transform.column("x")[transforms], Transform.column("y")[transforms]
        vx, vy = Velocity.column("x")[rows], Velocity.column("y")[rows]
        play.live.between()
        np.testing.assert_array_equal(Transform.column("x")[transforms], x)
        np.testing.assert_array_equal(Transform.column("y")[transforms], y)
        for place, before, axis in ((x, vx, "x"), (y, vy, "y")):
            after = Velocity.column(axis)[rows]
            expected = np.where(place < 0.0, abs(before), np.where(place > side, -abs(before), before))
            np.testing.assert_array_equal(after, expected)
            turned += int((after != before).sum())
    assert turned > 5


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_run_and_another_seed_another(name: str) -> None:
    runs = []
    for world, seed in (("first", 1), ("again", 1), ("other", 2)):
        esper.switch_world(f"{name} {world}")
        play = Play(name, 120, seed)
        for _ in range(4):
            play.frame()
            play.live.between()
        runs.append(play.state())
    first, again, other = runs
    for mine, theirs in zip(first, again, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert first[0].shape != other[0].shape or (first[0] != other[0]).any()

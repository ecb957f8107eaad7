"""The car's way is passable, nothing on it jumps, and the keys do what they say."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

from ecsphys import RigidBody, Transform, Velocity
from ecsphys.demo.scenes import LiveScene, open_scene
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.car.course_by_lot import STEEPEST, lay_course
from ecsphys.demo.scenes.car.driver import Driver
from ecsphys.demo.scenes.car.obstacles import Obstacles
from ecsphys.demo.scenes.car.restoring import Restoring
from ecsphys.demo.scenes.car.vehicle import STANDING, Car
from ecsphys.demo.scenes.scene import STEP, Box

SEEDS = (0, 4)


@pytest.fixture
def live() -> Iterator[LiveScene]:
    scene = open_scene("car", seed=2)
    yield scene
    scene.close()


def driver_of(live: LiveScene) -> Driver:
    live.enter()
    driver = esper.get_processor(Driver)
    assert isinstance(driver, Driver)
    return driver


def car_of(live: LiveScene) -> Car:
    return driver_of(live).car


def play(live: LiveScene, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        live.step()


def steer(live: LiveScene, x: float, y: float = 0.0) -> None:
    assert live.layout.steering is not None
    live.layout.steering.x, live.layout.steering.y = x, y


def speed_of(car: Car) -> float:
    return math.hypot(car.velocity.x, car.velocity.y)


def shown(live: LiveScene) -> Box:
    assert live.layout.follow is not None
    return live.layout.follow()


class Poses:
    """Where all dynamic bodies are, by entity."""

    def __init__(self) -> None:
        self._join = CachedJoin(RigidBody, Transform, Velocity)

    def __call__(self) -> tuple[NDArray[np.int64], NDArray[float64], NDArray[float64]]:
        entities, _, places, velocities = self._join()
        x, y = (Transform.column(name, writable=False)[places] for name in ("x", "y"))
        speed = np.hypot(*(Velocity.column(name, writable=False)[velocities] for name in ("x", "y")))
        return entities, np.column_stack((x, y)), speed


@pytest.mark.parametrize("seed", range(12))
def test_the_way_is_at_least_300_units_long_and_no_steeper_than_the_motor_climbs(seed: int) -> None:
    course = lay_course(np.random.default_rng(seed))
    assert course.end - course.start > 300.0
    for line in course.lines:
        way = line[(line[:, 0] >= course.start) & (line[:, 0] <= course.end)]
        slopes = np.diff(way[:, 1]) / np.diff(way[:, 0])
        below_bridges = [(way[:-1, 0] >= s.left) & (way[1:, 0] <= s.right) & (not s.is_rotten) for s in course.spans]
        assert np.abs(slopes[~np.any(below_bridges, axis=0)]).max() < 1.02 * STEEPEST
    kinds = {site.kind for site in course.sites} | {"rotten" if span.is_rotten else "bridge" for span in course.spans}
    assert kinds == {"seesaw", "wall", "pyramid", "tower", "barrels", "castle", "rotten", "bridge"}


def test_each_seed_has_a_way_of_its_own() -> None:
    ways = [lay_course(np.random.default_rng(seed)) for seed in (1, 2)]
    assert [site.kind for site in ways[0].sites] != [site.kind for site in ways[1].sites] or (
        ways[0].end != ways[1].end
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_with_d_held_the_car_passes_200_units_in_a_minute_and_nothing_jumps(seed: int) -> None:
    live = open_scene("car", seed=seed)
    car, poses = car_of(live), Poses()
    start = car.place.x
    steer(live, 1.0)
    last = poses()
    boxes = [shown(live)]
    seconds = 0.0
    while car.place.x - start < 200.0:
        live.step()
        seconds += STEP
        assert seconds < 60.0
        now = poses()
        known, a, b = np.intersect1d(last[0], now[0], return_indices=True)
        way = np.hypot(*(now[1][b] - last[1][a]).T)
        may = STEP * np.maximum(last[2][a], now[2][b]) + 0.25
        in_sight = np.abs(last[1][a, 0] - car.place.x) < 40.0
        assert (way[in_sight] < may[in_sight]).all(), known[in_sight & (way >= may)]
        last = now
        boxes.append(shown(live))
    live.close()
    views = np.array(boxes)
    speeds = np.diff(views, axis=0) / STEP
    # The car drives 13.5 units/s; a landing must not tear the picture.
    assert np.abs(speeds).max() < 40.0
    # The hardest landings of twelve seeds reach 11.7.
    assert np.abs(np.diff(speeds, axis=0)).max() < 13.0


def test_the_camera_keeps_the_car_in_the_picture_and_looks_ahead(live: LiveScene) -> None:
    car = car_of(live)
    steer(live, 1.0)
    for _ in range(480):
        live.step()
        left, bottom, right, top = shown(live)
        assert left < car.place.x - 4.0
        assert right > car.place.x + 4.0
        assert bottom < car.place.y - 2.0
        assert top > car.place.y + 3.0
    if car.velocity.x > 8.0:
        assert right - car.place.x > car.place.x - left


def test_without_a_key_for_five_seconds_the_car_stands_still_also_on_a_slope(live: LiveScene) -> None:
    car, course = car_of(live), driver_of(live).course
    slope = next(x for x in np.arange(14.0, 300.0, 0.25).tolist() if abs(course.slope(x)) > 0.3)
    car.put_at(slope, course.height(slope) + STANDING + 0.4, course.slope(slope))
    steer(live, 1.0)
    play(live, 1.0)
    steer(live, 0.0)
    play(live, 5.0)
    assert speed_of(car) == 0.0


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)])
def test_d_and_w_drive_forwards_alone_and_together(live: LiveScene, way: tuple[float, float]) -> None:
    steer(live, *way)
    play(live, 1.5)
    assert car_of(live).velocity.x > 3.0


def test_s_stops_it_within_three_seconds(live: LiveScene) -> None:
    car = car_of(live)
    steer(live, 1.0)
    play(live, 1.4)
    assert speed_of(car) > 5.0
    steer(live, 0.0, -1.0)
    play(live, 3.0)
    assert speed_of(car) < 0.3


def test_a_drives_back(live: LiveScene) -> None:
    car = car_of(live)
    steer(live, -1.0)
    play(live, 1.0)
    assert car.velocity.x < -2.0


@pytest.mark.parametrize("key", ["d", "s", "r"])
def test_it_drives_by_itself_until_the_first_key_and_never_again(live: LiveScene, key: str) -> None:
    car = car_of(live)
    play(live, 1.5)
    assert car.velocity.x > 3.0
    if key == "r":
        live.layout.keys[0].press()
        play(live, 1.0)
    else:
        steer(live, *((1.0, 0.0) if key == "d" else (0.0, -1.0)))
        live.step()
        steer(live, 0.0)
    play(live, 6.0)
    assert speed_of(car) == 0.0


def turn_over(live: LiveScene, angle: float = math.pi) -> Car:
    car = car_of(live)
    steer(live, 0.0, -1.0)
    play(live, 0.5)
    steer(live, 0.0)
    car.put_at(car.place.x, car.place.y + 1.5, angle)
    return car


def assert_stands_near(live: LiveScene, car: Car, x: float) -> None:
    course = driver_of(live).course
    assert math.cos(car.place.angle - course.slope(car.place.x)) > 0.95
    assert abs(car.place.x - x) < 3.0
    assert abs(car.place.y - course.height(car.place.x) - STANDING) < 0.4


def test_after_two_seconds_on_its_back_it_stands_again_where_it_is(live: LiveScene) -> None:
    car = turn_over(live)
    x = car.place.x
    play(live, 1.8)
    assert math.cos(car.place.angle) < 0.0
    play(live, 4.0)
    assert_stands_near(live, car, x)


def test_r_rights_it_at_once_and_gently(live: LiveScene) -> None:
    car = turn_over(live)
    play(live, 1.0)
    x, last = car.place.x, (car.place.x, car.place.y)
    live.layout.keys[0].press()
    for _ in range(150):
        live.step()
        now = car.place.x, car.place.y
        assert math.dist(last, now) < 0.2
        last = now
    assert_stands_near(live, car, x)


def test_a_car_that_fell_into_a_gorge_is_fetched_to_the_bank_and_into_nothing(live: LiveScene) -> None:
    driver = driver_of(live)
    car, course = driver.car, driver.course
    span = next(span for span in course.spans if not span.is_rotten)
    steer(live, 0.0, -1.0)
    car.put_at(span.left - 4.0, span.height + STANDING, 0.0)
    play(live, 0.5)
    car.put_at(0.5 * (span.left + span.right), span.height - 7.0, 0.0)
    play(live, 3.0)
    assert abs(car.place.x - (span.left - 4.0)) < 2.0
    assert abs(car.place.y - course.height(car.place.x) - STANDING) < 0.4


@pytest.mark.parametrize("in_gorge", [False, True])
def test_neither_righted_nor_fetched_while_the_mouse_holds_it(live: LiveScene, in_gorge: bool) -> None:
    car, course = turn_over(live), driver_of(live).course
    if in_gorge:
        span = next(span for span in course.spans if not span.is_rotten)
        car.put_at(0.5 * (span.left + span.right), span.height - 7.0, math.pi)
        live.step()
    assert live.grip.press(car.place.x, car.place.y)
    last = car.place.x, car.place.y
    for step in range(300):
        if step == 100:
            live.layout.keys[0].press()
        live.step()
        now = car.place.x, car.place.y
        assert math.dist(last, now) < 0.2
        last = now
    live.grip.release()
    play(live, 6.0)
    assert math.cos(car.place.angle - course.slope(car.place.x)) > 0.95


def obstacles_of(live: LiveScene) -> Obstacles:
    live.enter()
    restoring = esper.get_processor(Restoring)
    assert isinstance(restoring, Restoring)
    return restoring.obstacles


def drive_at(live: LiveScene, x: float, run_up: float, seconds: float) -> None:
    """Let the car drive from before x, where the ground is level."""
    car, course = car_of(live), driver_of(live).course
    car.put_at(x - run_up, course.height(x - run_up) + STANDING, course.slope(x - run_up))
    steer(live, 1.0)
    play(live, seconds)


def go_away(live: LiveScene) -> None:
    """Put the car at the start again, where the rest of the way is out of sight."""
    car, course = car_of(live), driver_of(live).course
    steer(live, 0.0, -1.0)
    car.put_at(0.0, course.height(0.0) + STANDING, 0.0)
    play(live, 1.5)


def test_smashed_crates_are_whole_again_once_they_are_out_of_sight(live: LiveScene) -> None:
    loose = obstacles_of(live).loose
    count = len(loose.whole())
    pile = next(site for site in driver_of(live).course.sites if site.kind == "pyramid")
    drive_at(live, pile.x, 10.0, 2.5)
    assert loose.smashed > 0
    assert len(loose.whole()) == count - loose.smashed
    go_away(live)
    assert len(loose.whole()) == count
    places = [esper.component_for_entity(item.entity, Transform) for item in loose.items if item.entity is not None]
    assert max(math.hypot(p.x - i.x, p.y - i.y) for p, i in zip(places, loose.items, strict=True)) < 0.5


def test_a_rotten_bridge_breaks_under_a_car_that_stands_on_it_and_is_whole_again_out_of_sight(live: LiveScene) -> None:
    spans = driver_of(live).course.spans
    number = max(number for number, span in enumerate(spans) if span.is_rotten)
    bridge, span = obstacles_of(live).bridges[number], spans[number]
    play(live, 0.6)
    assert bridge.whole() == bridge.hinges
    car = car_of(live)
    steer(live, 0.0, -1.0)
    car.put_at(0.5 * (span.left + span.right), span.height + STANDING + 0.6, 0.0)
    play(live, 2.0)
    assert bridge.whole() < bridge.hinges
    drive_at(live, span.left, 4.0, 6.0)
    assert car.place.x > span.right
    go_away(live)
    assert bridge.whole() == bridge.hinges


def test_the_other_bridges_hold(live: LiveScene) -> None:
    spans = driver_of(live).course.spans
    for bridge, span in zip(obstacles_of(live).bridges, spans, strict=True):
        if not span.is_rotten:
            drive_at(live, span.left, 4.0, 0.0)
            car_of(live).put_at(0.5 * (span.left + span.right), span.height + 5.0, 0.0)
            play(live, 3.0)
            assert bridge.whole() == bridge.hinges
            assert car_of(live).place.x > span.left


def test_bodies_out_of_sight_sleep(live: LiveScene) -> None:
    steer(live, 0.0, -1.0)
    play(live, 3.0)
    entities, _, speed = Poses()()
    assert len(entities) > 150
    assert np.count_nonzero(speed) == 0

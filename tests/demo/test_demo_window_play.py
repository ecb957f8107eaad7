"""Scenes that are played by the keys and the mouse of the real window code, for as long as a player would."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import pytest
from demo_user import User, demo_user

from ecsphys import AABBCollider, Controller, Transform, Velocity
from ecsphys.demo.scenes.car.driver import Driver

SECONDS = 20


@pytest.fixture(scope="module")
def user() -> Iterator[User]:
    with demo_user() as found:
        yield found


def test_with_the_key_d_held_for_20_seconds_the_car_passes_60_units_and_the_picture_glides(user: User) -> None:
    user.open("car")
    driver = esper.get_processor(Driver)
    assert isinstance(driver, Driver)
    user.press("D")
    start = driver.car.place.x
    place, camera = (driver.car.place.x, driver.car.place.y), user.view.viewport.camera
    for _ in range(60 * SECONDS):
        user.play(1.0 / 60.0)
        now = (driver.car.place.x, driver.car.place.y)
        speed = math.hypot(driver.car.velocity.x, driver.car.velocity.y)
        # No further than it is fast, but for what contacts push it out.
        assert math.dist(now, place) < speed / 60.0 + 0.25
        seen = user.view.viewport.camera
        assert math.dist((seen.x, seen.y), (camera.x, camera.y)) < 1.0
        assert abs(math.log(seen.scale / camera.scale)) < 0.02
        place, camera = now, seen
    assert driver.car.place.x - start > 60.0
    # It stops on firm ground: a bridge swings for longer.
    while any(span.left - 25.0 < driver.car.place.x < span.right + 3.0 for span in driver.course.spans):
        user.play(1.0 / 60.0)
    user.release("D")
    user.play(8.0)
    # It stands, and its springs come to rest: on its wheels within 5 s, from a roll over within 8.
    assert math.hypot(driver.car.velocity.x, driver.car.velocity.y) < 0.1
    user.play(2.0)
    assert math.hypot(driver.car.velocity.x, driver.car.velocity.y) == 0.0


@pytest.mark.parametrize("key", ["W", "A", "S", "D"])
def test_the_square_of_the_control_scene_stays_in_its_cell_with_a_key_held_for_20_seconds(user: User, key: str) -> None:
    user.open("control")
    (_, (place, _, _, box)), *_ = esper.get_components(Transform, Velocity, Controller, AABBCollider)
    cell = (-16.7, -7.7, -0.3, -1.1)
    user.press(key)
    start = (place.x, place.y)
    for _ in range(20 * 60):
        user.play(1.0 / 60.0)
        assert cell[0] - 1e-9 <= place.x - box.half_width < place.x + box.half_width <= cell[2] + 1e-9
        assert cell[1] - 1e-9 <= place.y - box.half_height < place.y + box.half_height <= cell[3] + 1e-9
    user.release(key)
    assert math.dist(start, (place.x, place.y)) > 0.05

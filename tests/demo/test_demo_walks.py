"""The walker stays in its cell, and balls roll on the ground."""

from __future__ import annotations

import esper
import numpy as np
import pytest

from ecsphys import Controller, Transform
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.chapters.scrolling import RADIUS, rests_at
from ecsphys.demo.scenes.control.scene import WALK_CELL, WALKER


@pytest.mark.parametrize("keys", [(0.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (0.0, -1.0)])
def test_the_walker_stays_in_its_cell_for_twenty_seconds(keys: tuple[float, float]) -> None:
    live = open_scene("control")
    live.layout.parameters[3].put(6.4)
    assert live.layout.steering is not None
    live.layout.steering.x, live.layout.steering.y = keys
    (_, (place, _)), *_ = esper.get_components(Transform, Controller)
    left, bottom, right, top = WALK_CELL
    for _ in range(60 * 20):
        live.step()
        assert left <= place.x - WALKER + 1e-9
        assert place.x + WALKER <= right + 1e-9
        assert bottom <= place.y - WALKER + 1e-9
        assert place.y + WALKER <= top + 1e-9


def test_a_ball_on_a_ridge_touches_it_and_is_nowhere_inside() -> None:
    xs = np.linspace(0.0, 100.0, 401)
    ridge = 3.0 + 1.5 * np.sin(0.9 * xs)
    fine = np.linspace(0.0, 100.0, 40001)
    for x in (20.3, 21.7, 23.4, 55.55):
        y = rests_at(ridge, x)
        distance = np.hypot(fine - x, np.interp(fine, xs, ridge) - y).min()
        assert distance == pytest.approx(RADIUS, abs=0.01)


def test_the_ball_turns_as_it_rolls_over_the_hills() -> None:
    live = open_scene("scrolling")
    (_, place), *_ = sorted(esper.get_component(Transform), key=lambda row: row[0])
    live.step()
    x, angle = place.x, place.angle
    for _ in range(30):
        live.step()
    assert place.x > x
    # Over slopes the way is longer than the way sideways.
    assert angle - place.angle >= (place.x - x) / RADIUS

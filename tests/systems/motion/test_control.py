"""Control: equal speed in eight directions, and the life of a button's press (A2)."""

from __future__ import annotations

import itertools
import math

import esper
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ecsphys
from ecsphys import Transform, Velocity
from ecsphys.components.motion.transform import Controller
from ecsphys.systems.motion.control import ControlSystem, InputState, eight_way_velocity

DIRECTIONS = [(x, y) for x, y in itertools.product((-1, 0, 1), repeat=2) if x or y]


def controlled(speed: float) -> tuple[InputState, Transform, Velocity]:
    physics = ecsphys.install()
    state = InputState()
    esper.add_processor(ControlSystem(physics, state), priority=ecsphys.Priority.INPUT)
    transform, velocity = Transform(), Velocity(angular=0.5)
    esper.create_entity(transform, velocity, Controller(speed))
    return state, transform, velocity


@pytest.mark.parametrize(("x", "y"), DIRECTIONS)
def test_speed_is_equal_in_all_eight_directions(x: int, y: int) -> None:
    state, transform, velocity = controlled(3.0)
    state.x, state.y = x, y
    esper.process(2.0)
    axis = 3.0 if x == 0 or y == 0 else 3.0 / math.sqrt(2.0)
    assert (velocity.x, velocity.y) == pytest.approx((x * axis, y * axis), rel=1e-15)
    assert math.hypot(velocity.x, velocity.y) == pytest.approx(3.0, rel=1e-15)
    assert math.hypot(transform.x, transform.y) == pytest.approx(6.0, rel=1e-15)
    assert velocity.angular == 0.5


def test_letting_go_stops_at_once() -> None:
    state, _, velocity = controlled(3.0)
    state.x = 1
    esper.process(0.1)
    state.x = 0
    esper.process(0.1)
    assert (velocity.x, velocity.y) == (0.0, 0.0)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_stick_is_never_faster_than_the_speed_and_keeps_its_direction(x: float, y: float) -> None:
    vx, vy = eight_way_velocity(x, y, 4.0)
    length = math.hypot(x, y)
    assert math.hypot(vx, vy) == pytest.approx(4.0 * min(length, 1.0), rel=1e-12, abs=1e-300)
    assert vx * y == pytest.approx(vy * x, rel=1e-12, abs=1e-300)


def test_only_entities_with_a_controller_follow_each_at_its_own_speed() -> None:
    state, _, fast = controlled(3.0)
    esper.create_entity(Transform(), slow := Velocity(), Controller(1.0))
    esper.create_entity(Transform(), other := Velocity(7, 7))
    esper.create_entity(Transform(), Controller(1.0))
    state.y = -1
    esper.process(0.1)
    assert (fast.y, slow.y, other.y) == (-3.0, -1.0, 7.0)


def test_a_bad_input_is_refused_before_anything_changes() -> None:
    state, transform, velocity = controlled(3.0)
    velocity.x = 1.0
    state.x = math.nan
    with pytest.raises(ValueError, match=r"InputState\.x and InputState\.y must be finite"):
        esper.process(0.1)
    assert (transform.x, velocity.x) == (0.0, 1.0)


def test_a_bad_speed_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Controller\.speed must be at least 0"):
        Controller(-1.0)
    state, _, _ = controlled(3.0)
    Controller.column("speed")[ecsphys.join(Controller)[1]] = -2.0
    with pytest.raises(ValueError, match=r"entity 1: Controller.speed must be at least 0, got -2.0"):
        esper.process(0.1)
    assert state.x == 0.0


def test_one_controller_on_two_entities_is_refused() -> None:
    controlled(3.0)
    shared = Controller(1.0)
    first, second = (esper.create_entity(Transform(), Velocity(), shared) for _ in range(2))
    with pytest.raises(ValueError, match=f"entities {first} and {second} share one Controller instance"):
        esper.process(0.1)


def test_a_press_is_seen_in_one_step_even_if_released_before_it() -> None:
    state, _, _ = controlled(3.0)
    state.press("jump")
    state.press("jump")
    state.release("jump")
    seen = []
    for _ in range(2):
        esper.process(0.1)
        seen.append("jump" in state.just_pressed)
    assert seen == [True, False]


def test_a_button_held_down_is_pressed_once() -> None:
    state, _, _ = controlled(3.0)
    state.press("fire")
    esper.process(0.1)
    state.press("fire")
    esper.process(0.1)
    assert state.pressed == {"fire"}
    assert state.just_pressed == set()
    state.release("fire")
    state.press("fire")
    esper.process(0.1)
    assert state.just_pressed == {"fire"}

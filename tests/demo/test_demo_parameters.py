"""The scenes' live parameters and readings, and what the mouse and the keys for steering do in them."""

from __future__ import annotations

import math

import esper
import pytest

from ecsphys import Controller, Transform, Velocity
from ecsphys.demo.scenes import GAME, SCENES, open_scene
from ecsphys.demo.scenes.parameter import Parameter, option, with_minus

NAMES = list(SCENES)
CHANGEABLE = [name for name in NAMES if name != GAME]


def test_a_parameter_takes_its_choices_in_turn_and_stops_at_the_ends() -> None:
    values = [2.0]
    parameter = Parameter("size", lambda: values[-1], values.append, (1.0, 2.0, 4.0), "{:g} m")
    for turn in (1, 1, 1, -1, -1, -1):
        parameter.change(turn)
    assert values == [2.0, 4.0, 4.0, 4.0, 2.0, 1.0, 1.0]
    assert str(parameter) == "1 m"


def test_a_value_between_the_choices_moves_on_from_the_nearest() -> None:
    values = [2.3]
    Parameter("size", lambda: values[-1], values.append, (1.0, 2.0, 4.0)).change(1)
    assert values[-1] == 4.0


def test_an_option_shows_names() -> None:
    values = ["left"]
    side = option("side", lambda: values[-1], values.append, ("left", "right"))
    assert str(side) == "left"
    side.change(1)
    assert str(side) == "right"


@pytest.mark.parametrize("name", CHANGEABLE)
def test_each_scene_has_parameters_that_can_be_changed_while_it_plays(name: str) -> None:
    live = open_scene(name)
    assert live.layout.parameters
    for parameter in live.layout.parameters:
        for turn in (1, 1, -1, -1, -1):
            before = parameter.get()
            parameter.change(turn)
            live.step()
            at_end = before in (parameter.choices[0], parameter.choices[-1])
            assert at_end or parameter.get() != before, parameter.name
            assert str(parameter)
    assert all(reading.get() for reading in live.layout.readings)


@pytest.mark.parametrize("name", NAMES)
def test_each_scene_says_what_it_shows_in_a_line_that_fits_its_card(name: str) -> None:
    assert SCENES[name].title
    assert 30 < len(SCENES[name].summary) < 90


def test_a_cells_lamp_says_what_its_test_says() -> None:
    from ecsphys.demo.scenes.board import Board
    from ecsphys.demo.scenes.collision.cells import CELLS, Settings

    settings = Settings()
    for cell in CELLS:
        inside, outside = (cell.say(Board(), *place, settings) for place in ((0.3, 0.1), (-30.0, -40.0)))
        assert len(inside) == len(outside)
        if cell.row not in ("C9", "C14", "C15", "C7"):
            assert all(inside), cell
        if cell.row not in ("C14", "C15", "C13", "C9"):
            assert not any(outside), cell


@pytest.mark.parametrize(("x", "y"), [(1.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (0.0, -1.0)])
def test_the_walker_follows_the_keys_at_one_speed(x: float, y: float) -> None:
    live = open_scene("control")
    steering = live.layout.steering
    assert steering is not None
    steering.x, steering.y = x, y
    live.step()
    (_, (controller, velocity)), *_ = esper.get_components(Controller, Velocity)
    assert math.hypot(velocity.x, velocity.y) == pytest.approx(controller.speed)
    assert velocity.x * y == pytest.approx(velocity.y * x)


def test_the_error_of_stepped_gravity_is_the_expected_one() -> None:
    """Row A4 as the scene shows it: ±½·G·t·h, for each method and number of substeps."""
    live = open_scene("control")
    method, substeps = live.layout.parameters[:2]
    error, expected = live.layout.readings
    for _ in range(3):
        for _ in range(3):
            for _ in range(20):
                live.step()
            assert float(error.get()) == pytest.approx(float(expected.get()), abs=2e-4)
            substeps.change(1)
        method.change(1)


def test_shots_in_any_direction_are_equally_fast() -> None:
    """Row A3: v = (δ cos θ, δ sin θ) has |v| = δ, so after t all are δ·t from where they were fired."""
    live = open_scene("control")
    delta = live.layout.parameters[4].get()
    shots = [
        (transform, velocity)
        for _, (transform, velocity) in sorted(esper.get_components(Transform, Velocity), key=lambda row: row[0])
        if math.dist((transform.x, transform.y), (10.8, -4.0)) < 1e-9
    ]
    assert len(shots) == 16
    for _ in range(30):
        live.step()
    turns = []
    for transform, velocity in shots:
        assert math.hypot(velocity.x, velocity.y) == pytest.approx(delta)
        assert math.dist((transform.x, transform.y), (10.8, -4.0)) == pytest.approx(30 / 60 * delta)
        turns.append(math.atan2(velocity.y, velocity.x) % math.tau)
    assert sorted(turns) == pytest.approx([math.tau * number / 16 for number in range(16)])


def test_a_negative_number_has_a_minus_and_a_name_keeps_its_hyphen() -> None:
    values: list[float] = [-20.0]
    gravity = Parameter("gravity", lambda: values[-1], values.append, (-20.0,), "{:g} units/s²")
    assert str(gravity) == "−20 units/s²"
    assert with_minus("semi-implicit, -0.5") == "semi-implicit, −0.5"

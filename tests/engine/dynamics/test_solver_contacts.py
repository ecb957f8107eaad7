"""Two or three bodies that touch: bounces, friction, surfaces that run, dominance, deep overlaps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy import nan, uint8
from rigid_scene import KINEMATIC, STATIC, RigidScene

from ecsphys.engine.dynamics.contacts.materials import (
    MIX_GEOMETRIC,
    MIX_GREATER,
    MIX_LESSER,
    MIX_MEAN,
    MIX_PRODUCT,
    ContactChanges,
    mixed,
)


@pytest.mark.parametrize("height", [0.9, 1.0, 2.0, 3.7])
@pytest.mark.parametrize("restitution", [0.75, 0.9, 1.0])
def test_a_ball_bounces_to_the_square_of_its_restitution(restitution: float, height: float) -> None:
    scene = RigidScene(margin=0.2)
    scene.ground()
    ball = scene.circle(0.5, 0.0, 0.5 + height, restitution=restitution)
    scene.build()
    while scene.velocities[ball, 1] <= 0.0:
        scene.step()
    while scene.velocities[ball, 1] > 0.0:
        scene.step()
    at_top = scene.centers[ball, 1] - 0.5 + scene.velocities[ball, 1] ** 2 / (2.0 * 9.81)
    assert at_top == pytest.approx(restitution**2 * height, rel=0.01)


def test_a_box_that_lands_flat_bounces_without_turning() -> None:
    scene = RigidScene(margin=0.2)
    scene.ground()
    box = scene.box(1.5, 0.3, 0.0, 2.3, restitution=0.8)
    scene.step(60)
    assert abs(scene.velocities[box, 2]) < 1e-3
    assert abs(scene.angles[box]) < 1e-3


def test_slow_contacts_do_not_bounce() -> None:
    scene = RigidScene(bounce_threshold=1.0)
    scene.ground()
    ball = scene.circle(0.5, 0.0, 0.53, restitution=1.0)
    scene.step(60)
    assert abs(scene.velocities[ball, 1]) < 1e-6


@pytest.mark.parametrize("friction", [0.2, 0.5, 0.8])
def test_boxes_slide_down_slopes_steeper_than_their_friction(friction: float) -> None:
    for excess in (-0.5, 0.5):
        angle = math.atan(friction) + math.radians(excess)
        scene = RigidScene()
        scene.box(50.0, 1.0, 0.0, 0.0, angle=-angle, kind=STATIC, friction=friction)
        box = scene.box(0.5, 0.5, 1.5 * math.sin(angle), 1.5 * math.cos(angle), angle=-angle, friction=friction)
        scene.step(60)
        before = scene.centers[box].copy()
        scene.step(120)
        way = float(np.hypot(*(scene.centers[box] - before)))
        # From 1 s to 3 s after the start.
        expected = 9.81 * (math.sin(angle) - friction * math.cos(angle)) * 4.0 if excess > 0 else 0.0
        assert way == pytest.approx(expected, rel=0.03, abs=1e-4)


def test_a_ball_on_a_slope_rolls() -> None:
    scene = RigidScene(gravity=(3.0, -9.81))
    scene.ground()
    ball = scene.circle(0.5, 0.0, 0.5)
    scene.step(120)
    assert scene.velocities[ball, 0] == pytest.approx(2.0 / 3.0 * 3.0 * 2.0, rel=0.005)
    assert scene.velocities[ball, 2] == pytest.approx(-scene.velocities[ball, 0] / 0.5, rel=0.005)


def test_rolling_resistance_slows_a_ball_down() -> None:
    for resistance in (0.0, 0.05):
        scene = RigidScene()
        scene.ground()
        ball = scene.circle(0.5, 0.0, 0.5, velocity=(5.0, 0.0, -10.0), rolling_resistance=resistance)
        scene.step(60)
        # The torque, resistance times weight, on mass and inertia: 3/2 m r a = torque.
        assert scene.velocities[ball, 0] == pytest.approx(5.0 - resistance * 9.81 / (1.5 * 0.5), rel=0.002)


def test_running_surfaces_carry_things_along() -> None:
    scene = RigidScene()
    scene.ground(tangent_speed=2.0)
    box = scene.box(0.5, 0.5, 0.0, 0.5)
    ball = scene.circle(0.5, 10.0, 0.5)
    scene.step(240)
    assert scene.velocities[box] == pytest.approx([2.0, 0.0, 0.0], abs=1e-9)
    # The ball's surface has the belt's speed: v + ω r = 2, of a ball that only friction has moved, v = −ω r / 2.
    assert scene.velocities[ball, 0] == pytest.approx(2.0 / 3.0, rel=0.005)


def test_a_body_has_infinite_mass_for_those_it_dominates() -> None:
    scene = RigidScene(gravity=(0.0, 0.0))
    feather = scene.box(0.5, 0.5, 0.0, 0.0, dominance=1, density=0.01, velocity=(2.0, 0.0, 0.0))
    block = scene.box(0.5, 0.5, 3.0, 0.0, density=100.0)
    scene.step(120)
    assert scene.velocities[feather].tolist() == [2.0, 0.0, 0.0]
    assert scene.velocities[block, 0] >= 2.0


def test_a_heavy_box_rests_on_a_light_one() -> None:
    scene = RigidScene()
    scene.ground()
    light = scene.box(0.5, 0.5, 0.0, 0.5)
    heavy = scene.box(0.5, 0.5, 0.0, 1.5, density=100.0)
    scene.step(600)
    assert scene.centers[[light, heavy], 1] == pytest.approx([0.5, 1.5], abs=0.05)
    assert abs(scene.velocities).max() < 1e-6


def test_deep_overlaps_separate_no_faster_than_the_push_out_speed() -> None:
    scene = RigidScene(gravity=(0.0, 0.0))
    boxes = [scene.box(0.5, 0.5, 0.3 * k, 0.0) for k in range(2)]
    scene.build()
    for _ in range(120):
        scene.step()
        assert abs(scene.velocities[boxes[1], 0] - scene.velocities[boxes[0], 0]) <= scene.settings.push_speed
    assert scene.centers[boxes[1], 0] - scene.centers[boxes[0], 0] >= 0.99
    assert abs(scene.velocities).max() < 0.5
    scene = RigidScene()
    scene.ground()
    box = scene.box(0.5, 0.5, 0.0, -0.3)
    scene.build()
    for _ in range(120):
        scene.step()
        assert abs(scene.velocities[box]).max() < 1.0
    assert scene.centers[box, 1] == pytest.approx(0.5, abs=1e-3)


def test_changes_of_single_contacts_replace_what_materials_give() -> None:
    def changed(**fields: float) -> Any:
        def changes(count: int) -> ContactChanges:
            friction, restitution, tangent_speed = (
                np.full(count, fields.get(name, nan)) for name in ("friction", "restitution", "tangent_speed")
            )
            return ContactChanges(
                friction, restitution, tangent_speed, np.full(count, fields.get("is_vetoed", 0), uint8)
            )

        return changes

    def played(changes: Any) -> list[float]:
        scene = RigidScene(gravity=(2.0, -9.81), margin=0.1)
        scene.ground()
        box = scene.box(0.5, 0.5, 0.0, 1.0, velocity=(0.0, -3.0, 0.0))
        scene.changes = changes
        scene.step(30)
        return [float(number) for number in (*scene.velocities[box, :2], scene.centers[box, 1])]

    assert played(changed()) == played(lambda count: RigidScene().changes(count))
    assert played(changed(friction=0.0))[0] == pytest.approx(1.0)
    assert played(changed(restitution=1.0))[1] > 0.0
    assert played(changed(tangent_speed=-1.0))[0] < -0.9
    assert played(changed(is_vetoed=1))[2] < -1.0


def test_mixing_rules() -> None:
    assert mixed(MIX_GEOMETRIC, 0.25, 1.0) == 0.5
    assert mixed(MIX_GREATER, 0.25, 1.0) == 1.0
    assert mixed(MIX_LESSER, 0.25, 1.0) == 0.25
    assert mixed(MIX_MEAN, 0.25, 0.75) == 0.5
    assert mixed(MIX_PRODUCT, 0.25, 0.5) == 0.125


def test_the_totals_are_the_impulses_of_the_step() -> None:
    scene = RigidScene(gravity=(1.0, -10.0))
    scene.ground()
    box = scene.box(0.5, 0.5, 0.0, 0.5)
    scene.step(240)
    mass = 1.0 / scene.bodies[box, 3]
    normal, tangent = scene.contacts.points.totals[: scene.count, :2].sum(0)
    assert normal == pytest.approx(mass * 10.0 / 60.0, rel=1e-6)
    assert abs(tangent) == pytest.approx(mass * 1.0 / 60.0, rel=1e-6)


def test_colliders_without_a_body_take_no_part() -> None:
    scene = RigidScene()
    scene.ground()
    box = scene.box(0.5, 0.5, 0.0, 0.6)
    scene.build()
    scene.body_of[0] = -1
    scene.step(60)
    assert scene.centers[box, 1] == pytest.approx(0.6 - 0.5 * 9.81, abs=1e-9)
    assert not scene.contacts.points.totals[: scene.count].any()


def test_a_fast_kinematic_door_pushes_without_sticking() -> None:
    scene = RigidScene(gravity=(0.0, 0.0), margin=0.2)
    scene.box(0.2, 2.0, 0.0, 0.0, kind=KINEMATIC, velocity=(4.0, 0.0, 0.0))
    box = scene.box(0.5, 0.5, 2.0, 0.0)
    scene.step(60)
    assert scene.velocities[box, 0] == pytest.approx(4.0, rel=0.01)

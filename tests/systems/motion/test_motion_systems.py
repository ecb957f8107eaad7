"""Motion as a game sees it: components in a world, stepped by ``esper.process``."""

from __future__ import annotations

import math
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import (
    Acceleration,
    BallisticTrajectory,
    CircleCollider,
    CircularTrajectory,
    Drag,
    Gravity,
    HarmonicTrajectory,
    LinearTrajectory,
    Orbit,
    Spring,
    Transform,
    Velocity,
)
from ecsphys.systems import AnalyticMotionSystem, EulerMotionSystem

TRAJECTORIES = [
    LinearTrajectory(1, 2, 3, 4),
    BallisticTrajectory(1, 2, 3, 4, 0.5, -9.8),
    CircularTrajectory(1, 2, 3, 0.7, 0.2),
    HarmonicTrajectory(1, 2, 3, 4, 1.3, 0.2, 0.1),
]


def expected_position(path: Any, t: float) -> tuple[float, float]:
    """Rows A1, A5, A8 and A11 written once more, plainly."""
    match path:
        case LinearTrajectory():
            return path.x + path.vx * t, path.y + path.vy * t
        case BallisticTrajectory():
            return path.x + path.vx * t + path.ax * t * t / 2, path.y + path.vy * t + path.ay * t * t / 2
        case CircularTrajectory():
            angle = path.phase + path.angular_speed * t
            return path.center_x + path.radius * math.cos(angle), path.center_y + path.radius * math.sin(angle)
    w, z = path.angular_frequency, path.damping
    damped = w * math.sqrt(1 - z * z)
    start = math.sin(path.phase)
    slope = (w * math.cos(path.phase) + z * w * start) / damped
    u = math.exp(-z * w * t) * (start * math.cos(damped * t) + slope * math.sin(damped * t))
    return path.center_x + path.amplitude_x * u, path.center_y + path.amplitude_y * u


@pytest.mark.parametrize("path", TRAJECTORIES, ids=lambda path: type(path).__name__)
def test_a_trajectory_writes_position_and_velocity_and_turns_the_angle(path: Any) -> None:
    ecsphys.install(gravity=(0, -9.8), motion_substeps=3)
    path.elapsed = 0.0
    transform, velocity = Transform(99, 99, 0.5), Velocity(7, 7, angular=2.0)
    esper.create_entity(transform, velocity, path, Gravity(), Acceleration(5, 5), Drag(1))
    for _ in range(4):
        esper.process(0.25)
    assert path.elapsed == pytest.approx(1.0)
    assert (transform.x, transform.y) == pytest.approx(expected_position(path, 1.0), rel=1e-12)
    assert transform.angle == pytest.approx(2.5)
    h = 1e-6
    after, before = expected_position(path, 1.0 + h), expected_position(path, 1.0 - h)
    slope = ((after[0] - before[0]) / (2 * h), (after[1] - before[1]) / (2 * h))
    assert (velocity.x, velocity.y) == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("path", TRAJECTORIES, ids=lambda path: type(path).__name__)
def test_elapsed_is_settable_and_a_step_of_zero_writes_the_position_there(path: Any) -> None:
    ecsphys.install()
    esper.create_entity(transform := Transform(), path)
    path.elapsed = 17.25
    esper.process(0.0)
    assert (transform.x, transform.y) == pytest.approx(expected_position(path, 17.25), rel=1e-12)
    assert path.elapsed == 17.25


def test_a_trajectory_counts_in_approach_speed_without_a_velocity() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), LinearTrajectory(-1.0, 0, 2.0, 0), CircleCollider(1))
    esper.create_entity(Transform(0.5, 0), CircleCollider(1))
    esper.process(0.5)
    assert physics.hits.approach_speed.tolist() == pytest.approx([2.0])


def test_only_entities_with_gravity_fall_by_their_scale() -> None:
    ecsphys.install(gravity=(0, -10), integrator="verlet")
    stone, feather, bird = Velocity(), Velocity(), Velocity()
    esper.create_entity(Transform(), stone, Gravity())
    esper.create_entity(Transform(), feather, Gravity(0.1))
    esper.create_entity(Transform(), bird)
    esper.process(2.0)
    assert (stone.y, feather.y, bird.y) == (-20.0, -2.0, 0.0)


def test_gravity_integrator_and_substeps_may_change_between_steps() -> None:
    physics = ecsphys.install()
    esper.create_entity(place := Transform(), Velocity(), Gravity())
    esper.process(1.0)
    assert place.y == 0.0
    physics.gravity = (0, -2)
    physics.settings.integrator = "explicit"
    esper.process(1.0)
    assert place.y == 0.0
    physics.settings.integrator = "semi_implicit"
    physics.settings.motion_substeps = 2
    esper.process(1.0)
    assert place.y == pytest.approx(-2 - 0.5 - 1.0)


def test_spring_orbit_and_drag_sum_as_documented() -> None:
    """One explicit step of 0.5 s: the new velocity shows the acceleration at the old state, then the drag."""
    ecsphys.install(gravity=(0, -10), integrator="explicit")
    velocity = Velocity(3, 0, angular=4)
    place = Transform(2, 1)
    esper.create_entity(
        place,
        velocity,
        Acceleration(1, 2, angular=6),
        Gravity(0.5),
        Spring(anchor_x=1, anchor_y=1, stiffness=8, mass=2, damping=4),
        Orbit(center_x=0, center_y=0, angular_speed=2),
        Drag(linear=0.3, angular=0.7),
    )
    esper.process(0.5)
    ax = 1 - (8 * (2 - 1) + 4 * 3) / 2 - 4 * 2
    ay = 2 + 0.5 * -10 - 0.0 - 4 * 1
    assert velocity.x == pytest.approx((3 + ax * 0.5) * math.exp(-0.15))
    assert velocity.y == pytest.approx((0 + ay * 0.5) * math.exp(-0.15))
    assert velocity.angular == pytest.approx((4 + 6 * 0.5) * math.exp(-0.35))
    assert (place.x, place.y, place.angle) == pytest.approx((3.5, 1.0, 2.0))


def test_taking_a_trajectory_away_hands_the_entity_back_to_its_velocity() -> None:
    ecsphys.install()
    entity = esper.create_entity(place := Transform(), Velocity(), LinearTrajectory(0, 0, 2, 0))
    esper.process(1.0)
    assert place.x == 2.0
    esper.remove_component(entity, LinearTrajectory)
    esper.process(1.0)
    assert place.x == 4.0


def test_motion_systems_leave_each_others_entities_alone() -> None:
    physics = ecsphys.install()
    esper.remove_processor(EulerMotionSystem)
    esper.create_entity(free := Transform(), Velocity(1, 0))
    esper.create_entity(bound := Transform(), LinearTrajectory(0, 0, 1, 0))
    esper.process(1.0)
    assert (free.x, bound.x) == (0.0, 1.0)
    esper.remove_processor(AnalyticMotionSystem)
    esper.add_processor(EulerMotionSystem(physics), ecsphys.Priority.EULER_MOTION)
    esper.process(1.0)
    assert (free.x, bound.x) == (1.0, 1.0)


def test_approach_speed_is_of_the_right_trajectory_after_entities_came_and_went_before_the_narrowphase() -> None:
    physics = ecsphys.install()
    gone = esper.create_entity(Transform(), LinearTrajectory(-50, 0, 3, 0), CircleCollider(1))
    kept = esper.create_entity(Transform(), LinearTrajectory(0, 0, 7, 0), CircleCollider(1))
    wall = esper.create_entity(Transform(1, 0), CircleCollider(1))

    class Between(esper.Processor):
        def process(self, dt: float) -> None:
            if esper.entity_exists(gone):
                esper.delete_entity(gone, immediate=True)
                for y in range(100, 200, 10):
                    esper.create_entity(Transform(0, y), LinearTrajectory(0, y, 5, 0), CircleCollider(1))
                    esper.create_entity(Transform(1, y), CircleCollider(1))

    esper.add_processor(Between(), priority=350)
    esper.process(0.0)
    (hit,) = physics.hits.of(kept)
    assert hit.other(kept) == wall
    assert hit.approach_speed == 7.0
    assert physics.hits.approach_speed.tolist() == [7.0] + [0.0] * 10
    esper.process(0.0)
    assert physics.hits.approach_speed.tolist() == [7.0] + [5.0] * 10


def test_approach_speed_without_the_analytic_stage_is_zero_for_trajectories() -> None:
    physics = ecsphys.install()
    esper.remove_processor(AnalyticMotionSystem)
    for n in range(100):
        esper.create_entity(Transform(10 * n, 0), LinearTrajectory(0, 0, 1, 0), CircleCollider(1))
        esper.create_entity(Transform(10 * n + 0.5, 0), CircleCollider(1))
    esper.process(0.1)
    assert physics.hits.approach_speed.tolist() == [0.0] * 100

"""What joints hold, drive and carry, against what mechanics says."""

from __future__ import annotations

import copy
import hashlib
import math
from itertools import pairwise

import esper
import numpy as np
import pytest
from fresh_python import python
from jointed_scene import LINK_LENGTH, ball, box, chain, moving_scene, of, place, speed, state, steps

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    DistanceJoint,
    GearJoint,
    LinearTrajectory,
    MotorJoint,
    MouseJoint,
    Parent,
    Physics,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0))


@pytest.fixture
def empty_space() -> Physics:
    return ecsphys.install()


def crossings(values: list[float]) -> list[float]:
    """When a row of values goes down through 0."""
    return [i + a / (a - b) for i, (a, b) in enumerate(pairwise(values)) if a > 0.0 >= b]


def period_of(values: list[float]) -> float:
    """In steps."""
    times = crossings(values)
    return (times[-1] - times[0]) / (len(times) - 1)


@pytest.mark.parametrize(("load", "iterations", "most"), [(10.0, 1, 0.01), (100.0, 4, 0.02)])
def test_a_chain_of_thirty_links_hardly_stretches_under_a_heavy_load(
    physics: Physics, load: float, iterations: int, most: float
) -> None:
    physics.settings.joint_iterations = iterations
    bodies, joints = chain(30, load)
    steps(600)
    length = 30 * LINK_LENGTH
    x, y, _ = place(bodies[-1])
    assert math.hypot(x, y) == pytest.approx(length * (1.0 + 0.5 * most), abs=0.5 * most * length)
    weight = 10.0 * sum(physics.bodies.mass_of(body).mass for body in bodies)
    assert of(joints[0], RevoluteJoint).force[1] == pytest.approx(weight, rel=0.05)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_limits_hold_within_half_a_degree_while_an_arm_falls_on_them(physics: Physics, side: float) -> None:
    arm = box(side, 0.0, 1.0, 0.1)
    lower, upper = sorted((-side * math.pi / 4, side * 0.2))
    hinge = esper.create_entity(RevoluteJoint.at(None, arm, 0.0, 0.0, has_limits=True, lower=lower, upper=upper))
    lowest = 0.0
    for _ in range(240):
        steps(1)
        lowest = min(lowest, side * place(arm)[2])
    assert math.degrees(lowest) == pytest.approx(-45.0, abs=0.5)
    assert math.degrees(side * place(arm)[2]) == pytest.approx(-45.0, abs=0.05)
    torque = 0.4 * 10.0 * math.cos(math.pi / 4)
    assert of(hinge, RevoluteJoint).torque == pytest.approx(side * torque, rel=1e-3)


def test_a_row_of_links_hangs_on_its_upper_limits_as_its_mirror_image_hangs_on_the_lower(physics: Physics) -> None:
    sides = []
    for side in (1.0, -1.0):
        links = [box(side * (k + 1.0), 0.0, 0.5, 0.1) for k in range(6)]
        for k, (last, link) in enumerate(pairwise([None, *links])):
            limits = {"has_limits": True, "lower": -0.1, "upper": 0.1}
            esper.create_entity(RevoluteJoint.at(last, link, side * (k + 0.5), 0.0, **limits))
        sides.append(links)
    for _ in range(60):
        steps(1)
        for right, left in zip(*sides, strict=True):
            (x, y, angle), (other_x, other_y, other_angle) = place(right), place(left)
            assert (x, y, angle) == pytest.approx((-other_x, other_y, -other_angle), abs=1e-6)


def test_a_motor_reaches_its_speed_and_no_more_torque_than_it_may(empty_space: Physics) -> None:
    wheel = ball(0.0, 0.0, 1.0, mass=2.0)
    hinge = esper.create_entity(RevoluteJoint.at(None, wheel, 0.0, 0.0, motor_speed=3.0, max_torque=0.5))
    steps(60)
    # The inertia is 1.
    assert speed(wheel)[2] == pytest.approx(0.5, rel=1e-9)
    assert of(hinge, RevoluteJoint).torque == pytest.approx(0.5, rel=1e-9)
    steps(400)
    assert speed(wheel)[2] == pytest.approx(3.0, rel=1e-9)
    of(hinge, RevoluteJoint).motor_speed = -1.0
    steps(600)
    assert speed(wheel)[2] == pytest.approx(-1.0, rel=1e-9)


def test_a_slider_stays_on_its_axis_and_within_its_limits_and_is_driven(physics: Physics) -> None:
    body = box(0.0, 0.0)
    joint = esper.create_entity(PrismaticJoint.at(None, body, 0.3, 0.2, (1.0, -1.0), has_limits=True, upper=2.0))
    steps(240)
    x, y, angle = place(body)
    assert (x, y, angle) == pytest.approx((math.sqrt(2.0), -math.sqrt(2.0), 0.0), abs=1e-3)
    slider = of(joint, PrismaticJoint)
    assert slider.force == pytest.approx((0.0, 10.0), abs=1e-2)
    slider.motor_speed, slider.max_force = -1.0, 100.0
    steps(60)
    assert math.hypot(*speed(body)[:2]) == pytest.approx(1.0, rel=1e-3)
    assert place(body)[0] == pytest.approx(-place(body)[1], abs=1e-3)


def test_a_rod_keeps_its_length_and_carries_the_weight(physics: Physics) -> None:
    hanging = box(0.0, -1.0, mass=7.0)
    joint = esper.create_entity(DistanceJoint.at(None, hanging, 0.0, 0.0, 0.0, -1.0))
    swinging = box(5.0, 0.0)
    esper.create_entity(DistanceJoint.at(None, swinging, 3.0, 0.0, 5.0, 0.0))
    worst = 0.0
    for _ in range(180):
        steps(1)
        x, y, _ = place(swinging)
        worst = max(worst, abs(math.hypot(x - 3.0, y) - 2.0))
    assert worst < 2e-3
    assert place(hanging)[1] == pytest.approx(-1.0, abs=2e-4)
    assert of(joint, DistanceJoint).force == pytest.approx((0.0, 70.0), abs=1e-3)


def test_hinges_that_a_rod_tears_apart_gain_nothing_by_it(physics: Physics) -> None:
    load = esper.create_entity(Transform(50, 0), CircleCollider(0.5), RigidBody())
    links = [esper.create_entity(Transform(x, 6), AABBCollider(0.5, 0.1), RigidBody()) for x in (9, 10)]
    pins = [RevoluteJoint.at(None, links[0], 8.5, 6), RevoluteJoint.at(links[0], links[1], 9.5, 6)]
    geared = [esper.create_entity(pin) for pin in pins]
    esper.create_entity(GearJoint(geared[0], geared[1], ratio=2.0))
    # Ten times as short as where it begins: it pulls at 2,000 units/s.
    esper.create_entity(DistanceJoint(links[1], load, length=4.0))
    steps(60)
    assert max(abs(of(link, Velocity).angular) for link in links) < 100.0
    assert math.dist(place(links[0])[:2], (8.5, 6)) < 1.0


def test_a_rope_is_slack_and_then_taut(physics: Physics) -> None:
    body = box(0.0, -1.0, mass=2.0)
    rope = of(esper.create_entity(DistanceJoint.at(None, body, 0.0, 0.0, 0.0, -1.0, max_length=3.0)), DistanceJoint)
    steps(30)
    assert place(body)[1] == pytest.approx(-2.25, abs=0.02)
    assert rope.force == (0.0, 0.0)
    lowest = 0.0
    for _ in range(120):
        steps(1)
        lowest = min(lowest, place(body)[1])
    assert lowest == pytest.approx(-3.0, abs=0.02)
    assert place(body)[1] == pytest.approx(-3.0, abs=1e-3)
    assert rope.force == pytest.approx((0.0, 20.0), rel=1e-6)


def test_a_spring_swings_at_its_frequency_and_loses_only_what_its_damping_takes(empty_space: Physics) -> None:
    bodies = [box(2.5, 3.0 * k, mass=3.0) for k in range(2)]
    for k, damping in enumerate((0.0, 0.1)):
        esper.create_entity(
            DistanceJoint.at(
                None, bodies[k], 0.0, 3.0 * k, 2.5, 3.0 * k, length=2.0, frequency=1.5, damping_ratio=damping
            )
        )
    rows: list[list[float]] = [[], []]
    for _ in range(480):
        steps(1)
        for row, body in zip(rows, bodies, strict=True):
            row.append(place(body)[0] - 2.0)
    assert period_of(rows[0]) / 60.0 == pytest.approx(1.0 / 1.5, rel=1e-3)
    assert max(rows[0][-60:]) == pytest.approx(0.5, rel=2e-3)
    assert period_of(rows[1]) / 60.0 == pytest.approx(1.0 / (1.5 * math.sqrt(1.0 - 0.01)), rel=3e-3)
    peaks = [b for a, b, c in zip(rows[1], rows[1][1:], rows[1][2:], strict=False) if a < b > c]
    decay = math.log(peaks[0] / peaks[4]) / 4.0
    assert decay == pytest.approx(2.0 * math.pi * 0.1 / math.sqrt(1.0 - 0.01), rel=0.03)


def test_a_spring_hangs_by_what_its_frequency_says(physics: Physics) -> None:
    body = box(0.0, -2.0, mass=3.0)
    esper.create_entity(DistanceJoint.at(None, body, 0.0, 0.0, 0.0, -2.0, length=2.0, frequency=2.0, damping_ratio=1.0))
    steps(240)
    assert place(body)[1] == pytest.approx(-2.0 - 10.0 / (4.0 * math.pi) ** 2, rel=1e-4)


def test_welds_hold_a_cantilever_and_carry_its_moment(physics: Physics) -> None:
    last, joints = None, []
    for k in range(4):
        body = box(0.5 + k, 0.0, 0.5, 0.1, can_sleep=False)
        joints.append(esper.create_entity(WeldJoint.at(last, body, float(k), 0.0)))
        last = body
    steps(900)
    assert place(body)[1] == pytest.approx(0.0, abs=0.1)
    # Four beams of 0.2 each, their centre two units out.
    assert of(joints[0], WeldJoint).force == pytest.approx((0.0, 8.0), abs=0.2)
    assert of(joints[0], WeldJoint).torque == pytest.approx(16.0, rel=0.05)


def test_a_soft_weld_swings_at_its_frequency(empty_space: Physics) -> None:
    body = box(0.0, 0.0, 0.5, 0.1)
    esper.create_entity(WeldJoint.at(None, body, 0.0, 0.0, angular_frequency=2.0, angular_damping_ratio=0.0))
    empty_space.bodies.apply_angular_impulse(body, 0.02)
    angles = []
    for _ in range(240):
        steps(1)
        angles.append(place(body)[2])
    assert period_of(angles) / 60.0 == pytest.approx(0.5, rel=2e-3)


def test_a_car_sinks_into_its_suspension_and_drives(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(100.0, 0.5), Solid())
    car = box(0.0, 1.0, 1.0, 0.25, mass=4.0)
    joints = []
    for x in (-0.8, 0.8):
        wheel = ball(x, 0.4, 0.4, mass=1.0, friction=1.0)
        joints.append(esper.create_entity(WheelJoint.at(car, wheel, x, 0.4, (0.0, 1.0), damping_ratio=1.0)))
    steps(180)
    # A spring is as stiff as its frequency says for the two bodies as they meet there.
    inverse = 1.0 / 4.0 + 0.8**2 / physics.bodies.mass_of(car).inertia + 1.0
    stiffness = (2.0 * math.pi * 4.0) ** 2 / inverse
    assert place(car)[1] == pytest.approx(1.0 - 20.0 / stiffness, abs=2e-3)
    assert of(joints[0], WheelJoint).force[1] == pytest.approx(-20.0, rel=1e-2)
    for joint in joints:
        suspension = of(joint, WheelJoint)
        suspension.motor_speed, suspension.max_torque = -5.0, 10.0
    steps(240)
    assert speed(car)[0] == pytest.approx(0.4 * 5.0, rel=0.01)
    assert place(car)[2] == pytest.approx(0.0, abs=0.01)


def test_a_mouse_pulls_a_point_of_a_body_to_it_with_no_more_than_its_strength(physics: Physics) -> None:
    light, heavy = box(0.0, 0.0), box(5.0, 0.0, mass=50.0)
    pulls = [esper.create_entity(MouseJoint.at(light, 0.0, 0.5)), esper.create_entity(MouseJoint.at(heavy, 5.0, 0.5))]
    of(pulls[0], MouseJoint).target = 2.0, 3.0
    of(pulls[1], MouseJoint).max_force = 100.0
    steps(400)
    x, y, angle = place(light)
    assert (x - 0.5 * math.sin(angle), y + 0.5 * math.cos(angle)) == pytest.approx((2.0, 3.0), abs=0.05)
    assert np.hypot(*of(pulls[1], MouseJoint).force) == pytest.approx(100.0, rel=1e-9)
    assert place(heavy)[1] < -10.0


@pytest.mark.parametrize(
    "joint", [MouseJoint(1, x_b=9.0, max_force=0), MotorJoint(-1, 1, x_a=9.0, max_force=0, max_torque=0)]
)
def test_a_joint_of_no_strength_lets_a_body_fall_freely(physics: Physics, joint: MouseJoint | MotorJoint) -> None:
    fall = [box(0.0, 0.0), box(50.0, 0.0)]
    assert fall[0] == 1
    esper.create_entity(copy.copy(joint))
    steps(30)
    assert place(fall[0]) == pytest.approx((0.0, place(fall[1])[1], 0.0), abs=0.02)


def test_without_a_strength_a_motor_has_any_and_none_is_told_from_zero(physics: Physics) -> None:
    drone = box(0.0, 0.0)
    joint = of(esper.create_entity(MotorJoint.at(None, drone, 0.0, 0.0)), MotorJoint)
    assert joint.max_force is joint.max_torque is None
    steps(60)
    assert place(drone)[1] == pytest.approx(0.0, abs=0.02)
    joint.max_force = 0
    assert joint.max_force == 0.0
    steps(60)
    assert place(drone)[1] < -4.0
    joint.max_force = None
    assert joint.max_force is None
    with pytest.raises(ValueError, match=r"^MotorJoint\.max_force must be at least 0 or None, got -1"):
        joint.max_force = -1.0


def test_a_motor_joint_moves_a_body_to_a_place_and_an_angle(physics: Physics) -> None:
    base, body = box(0.0, 0.0, mass=1e6), box(0.0, 1.0)
    esper.create_entity(DistanceJoint.at(None, base, 0.0, 0.0, 0.0, 0.0, max_length=1e-3))
    joint = of(esper.create_entity(MotorJoint.at(base, body, 0.0, 1.0, max_force=100.0, max_torque=20.0)), MotorJoint)
    steps(60)
    joint.x_a, joint.y_a, joint.angle = 2.0, 1.5, 1.0
    steps(300)
    assert np.subtract(place(body), place(base)) == pytest.approx((2.0, 1.5, 1.0), abs=0.02)
    assert joint.force == pytest.approx((0.0, 10.0), abs=0.01)


@pytest.mark.parametrize("ratio", [2.0, -0.5])
def test_gears_keep_their_ratio_between_angles_and_slides(empty_space: Physics, ratio: float) -> None:
    first, second, rack = ball(0.0, 0.0, 1.0), ball(3.0, 0.0, 2.0), box(0.0, 5.0)
    a = esper.create_entity(RevoluteJoint.at(None, first, 0.0, 0.0, motor_speed=2.0, max_torque=100.0))
    b = esper.create_entity(RevoluteJoint.at(None, second, 3.0, 0.0))
    c = esper.create_entity(PrismaticJoint.at(None, rack, 0.0, 5.0, (1.0, 0.0)))
    esper.create_entity(GearJoint(a, b, ratio))
    esper.create_entity(GearJoint(a, c, -1.0))
    steps(300)
    assert speed(first)[2] == pytest.approx(2.0, rel=1e-3)
    assert place(first)[2] + ratio * place(second)[2] == pytest.approx(0.0, abs=1e-6)
    assert place(rack)[0] == pytest.approx(place(first)[2], rel=1e-6)


@pytest.mark.parametrize("frame_mass", [0.02, 1.0, 50.0])
@pytest.mark.parametrize("ratio", [2.0, 1.0, -0.5])
def test_gears_on_a_frame_that_turns_itself_keep_their_ratio_and_the_spin(
    empty_space: Physics, ratio: float, frame_mass: float
) -> None:
    frame = box(1.5, 0.0, 1.5, 0.1, mass=frame_mass)
    wheels = [ball(x, 0.0, 1.0, mass=2.0) for x in (0.0, 3.0)]
    pins = [RevoluteJoint.at(frame, wheel, x, 0.0) for wheel, x in zip(wheels, (0.0, 3.0), strict=True)]
    pins[0].motor_speed, pins[0].max_torque = 2.0, 5.0
    gear_a, gear_b = map(esper.create_entity, pins)
    esper.create_entity(GearJoint(gear_a, gear_b, ratio))
    for _ in range(240):
        steps(1)
        turned, first, second = (place(one)[2] for one in (frame, *wheels))
        assert first - turned + ratio * (second - turned) == pytest.approx(0.0, abs=5e-3)
        # Gears are solved last, so their two speeds go together exactly, although the frame is an end of both joints.
        turning, first, second = (speed(one)[2] for one in (frame, *wheels))
        assert first - turning + ratio * (second - turning) == pytest.approx(0.0, abs=1e-10)
    assert speed(wheels[0])[2] - speed(frame)[2] == pytest.approx(2.0, rel=1e-2)
    spin = 0.0
    for body in (frame, *wheels):
        mass, (x, y, _), (vx, vy, omega) = empty_space.bodies.mass_of(body), place(body), speed(body)
        spin += mass.inertia * omega + mass.mass * (x * vy - y * vx)
    assert spin == pytest.approx(0.0, abs=1e-6)


def test_a_child_of_a_moving_kinematic_body_holds_a_joint_as_the_body_itself_does() -> None:
    played = []
    for by_child in (False, True):
        esper.switch_world(f"carried {by_child}")
        ecsphys.install(gravity=(0.0, -10.0))
        wheel = esper.create_entity(
            Transform(0.0, 0.0, 0.3), CircleCollider(0.5), RigidBody("kinematic"), Velocity(3.0, 1.0, 2.0)
        )
        child = esper.create_entity(Transform(), Parent(wheel, 2.0, 0.5))
        steps(2)
        x, y, _ = place(child)
        weight = esper.create_entity(Transform(x, y - 1.0), CircleCollider(0.3), RigidBody(), Velocity(3.0, 0.0))
        joint = of(esper.create_entity(RevoluteJoint.at(child if by_child else wheel, weight, x, y)), RevoluteJoint)
        states = []
        for k in range(12):
            if k > 5:
                # Contacts are found again, and children placed for that.
                ball(50.0 + 2.0 * k, 0.0)
            steps(1)
            states.append((*place(weight), *speed(weight), *joint.force))
        played.append(states)
    np.testing.assert_allclose(played[1], played[0], rtol=1e-9, atol=1e-9)


def test_free_bodies_with_joints_keep_their_momentum(empty_space: Physics) -> None:
    physics = empty_space
    bodies = [box(float(k), 0.3 * (k % 2), 0.4, 0.2, mass=1.0 + k) for k in range(8)]
    for k in range(7):
        cls = (RevoluteJoint, WeldJoint)[k % 2]
        esper.create_entity(cls.at(bodies[k], bodies[k + 1], k + 0.5, 0.1))
    esper.create_entity(DistanceJoint.at(bodies[0], bodies[7], 0.0, 0.0, 7.0, 0.3, length=5.0, frequency=1.0))
    rng = np.random.default_rng(4)
    for body in bodies:
        physics.bodies.set_velocity(body, rng.uniform(-2, 2, 2), rng.uniform(-3, 3))

    def momenta() -> tuple[list[float], float, float]:
        masses = [physics.bodies.mass_of(body) for body in bodies]
        v = [speed(body) for body in bodies]
        linear = [math.fsum(m.mass * one[axis] for m, one in zip(masses, v, strict=True)) for axis in range(2)]
        spin = [
            m.mass * (m.center[0] * one[1] - m.center[1] * one[0]) + m.inertia * one[2]
            for m, one in zip(masses, v, strict=True)
        ]
        scale = sum(m.mass * math.hypot(*one[:2]) for m, one in zip(masses, v, strict=True))
        return linear, math.fsum(spin), scale

    linear, spin, scale = momenta()
    steps(300)
    assert momenta()[0] == pytest.approx(linear, abs=1e-12 * scale)
    assert momenta()[1] == pytest.approx(spin, rel=1e-11)


def test_a_pendulum_neither_gains_energy_nor_loses_much(physics: Physics) -> None:
    bob = ball(2.0, 0.0, 0.5, can_sleep=False)
    esper.create_entity(RevoluteJoint.at(None, bob, 0.0, 0.0))
    mass, _, inertia = physics.bodies.mass_of(bob)

    def energy() -> float:
        x, y, omega = speed(bob)
        return 0.5 * mass * (x * x + y * y) + 0.5 * inertia * omega * omega + 10.0 * mass * place(bob)[1]

    energies = []
    for _ in range(1200):
        steps(1)
        energies.append(energy())
    depth = 10.0 * mass * 2.0
    assert max(energies) < 0.005 * depth
    assert min(energies) > -0.02 * depth


def test_a_pendulum_swings_as_long_as_a_physical_one(physics: Physics) -> None:
    bob = ball(0.1, -2.0, 0.5)
    esper.create_entity(RevoluteJoint.at(None, bob, 0.0, 0.0))
    mass, center, inertia = physics.bodies.mass_of(bob)
    length = math.hypot(*center)
    xs = []
    for _ in range(900):
        steps(1)
        xs.append(place(bob)[0])
    expected = 2.0 * math.pi * math.sqrt((inertia + mass * length**2) / (mass * 10.0 * length))
    assert period_of(xs) / 60.0 == pytest.approx(expected, rel=2e-3)


def test_far_from_the_origin_joints_hold_as_well() -> None:
    # A power of two: all places are exact there.
    ends = []
    for x in (0.0, 2.0**23):
        esper.switch_world(f"far {x}")
        ecsphys.install(gravity=(0.0, -10.0))
        bodies, _ = chain(6, 5.0, x)
        for body in bodies:
            of(body, Transform).x += 0.25
        for joint, hinge in esper.get_component(RevoluteJoint)[:1]:
            assert joint
            hinge.x_a += 0.25
        steps(240)
        ends.append([(px - x, py, angle) for px, py, angle in map(place, bodies)])
    assert np.array(ends[1]) == pytest.approx(np.array(ends[0]), abs=1e-5)


def test_the_same_scene_has_the_same_bits_in_any_run_with_any_threads() -> None:
    def run(threads: int | None) -> bytes:
        esper.switch_world(f"run {threads} {len(esper.list_worlds())}")
        moving_scene(threads)
        steps(90)
        return state()

    first = run(1)
    assert run(1) == first
    assert run(2) == first
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "import hashlib\nfrom jointed_scene import *\n"
        "moving_scene(2); steps(90); print(hashlib.sha256(state()).hexdigest())"
    )
    done = python("-c", code)
    assert done.stdout.strip() == hashlib.sha256(first).hexdigest(), done.stderr


def test_joints_hold_to_what_is_solid_static_or_moves_by_itself(physics: Physics) -> None:
    wall = esper.create_entity(Transform(0.0, 0.0), AABBCollider(0.2, 0.2), Solid())
    rail = esper.create_entity(Transform(5.0, 0.0), LinearTrajectory(5.0, 0.0, 1.0, 0.0), CircleCollider(0.1))
    hand = esper.create_entity(Transform(10.0, 0.0), CircleCollider(0.1), RigidBody("kinematic"), Velocity(1.0, 0.5))
    child = esper.create_entity(Transform(), Parent(hand, x=0.5), CircleCollider(0.1))
    hung = []
    for entity, x in ((wall, 0.0), (rail, 5.0), (hand, 10.0)):
        body = box(x, -2.0, 0.2, 0.2)
        esper.create_entity(DistanceJoint.at(entity, body, x, 0.0, x, -2.0))
        hung.append(body)
    steps(1)
    held = box(place(child)[0], 3.0, 0.2, 0.2, angle=0.0)
    esper.create_entity(WeldJoint.at(child, held, place(child)[0], 3.0))
    apart = place(held)[0] - place(hand)[0], place(held)[1] - place(hand)[1]
    for _ in range(120):
        steps(1)
        for entity, body in zip((wall, rail, hand), hung, strict=True):
            x, y, _ = np.subtract(place(body), place(entity))
            assert math.hypot(x, y) == pytest.approx(2.0, abs=0.01)
    assert np.subtract(place(held), place(hand))[:2] == pytest.approx(apart, abs=0.02)
    assert place(rail)[0] == pytest.approx(5.0 + 121 / 60.0, abs=1e-9)


def test_joints_move_no_freedom_that_is_locked(physics: Physics) -> None:
    slider = box(0.0, 0.0, lock_y=True, lock_rotation=True)
    bob = ball(1.0, 0.0, 0.2)
    esper.create_entity(RevoluteJoint.at(slider, bob, 0.0, 0.0))
    both = box(9.0, 0.0, lock_x=True, lock_y=True)
    esper.create_entity(RevoluteJoint.at(None, both, 9.5, 0.0))
    steps(120)
    assert place(slider)[1:] == (0.0, 0.0)
    assert math.hypot(place(bob)[0] - place(slider)[0], place(bob)[1]) == pytest.approx(1.0, abs=0.01)
    assert place(both)[:2] == (9.0, 0.0)


def test_a_motor_limit_or_spring_that_is_taken_away_leaves_no_impulse_behind(empty_space: Physics) -> None:
    body = box(0.0, 0.0)
    hinge = RevoluteJoint.at(None, body, 0.0, 0.0, motor_speed=5.0, max_torque=0.5, frequency=3.0, rest=2.0)
    esper.create_entity(hinge)
    steps(10)
    hinge.max_torque, hinge.frequency = 0.0, None
    steps(1)
    before = speed(body)[2]
    steps(30)
    assert speed(body)[2] == pytest.approx(before, rel=1e-6)
    assert hinge.torque == 0.0


@pytest.mark.parametrize("swaps", [False, True])
@pytest.mark.parametrize("is_child", [False, True])
def test_a_hinge_at_a_moving_body_or_its_child_keeps_two_points_together(
    physics: Physics, is_child: bool, swaps: bool
) -> None:
    hand = esper.create_entity(Transform(), Velocity(3.0, 0.0, 0.5), RigidBody("kinematic"))
    end = esper.create_entity(Transform(1.0, 0.0), Parent(hand, x=1.0)) if is_child else hand
    bob = ball(1.0, -2.0, 0.3)
    a, b = (bob, end) if swaps else (end, bob)
    esper.create_entity(RevoluteJoint.at(a, b, 1.0, 0.0))
    for step in range(60):
        steps(1)
        x, y, angle = place(hand)
        held = x + math.cos(angle), y + math.sin(angle)
        x, y, angle = place(bob)
        own = x - 2.0 * math.sin(angle), y + 2.0 * math.cos(angle)
        if step >= 10:
            assert own == pytest.approx(held, abs=2e-3)

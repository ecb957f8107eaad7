"""Bodies that nothing touches, or that meet in empty space: motion, momentum, energy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from rigid_scene import KINEMATIC, STATIC, RigidScene

from ecsphys.engine.dynamics.bodies import LOCK_X, LOCK_Y


def test_free_fall_is_exact() -> None:
    scene = RigidScene()
    ball = scene.circle(0.5, 3.0, 100.0, velocity=(2.0, 1.0, 4.0))
    scene.step(120)
    t = 2.0
    assert scene.centers[ball] == pytest.approx([3.0 + 2.0 * t, 100.0 + t - 0.5 * 9.81 * t * t], abs=1e-9)
    assert scene.bodies[ball, :3] == pytest.approx([2.0, 1.0 - 9.81 * t, 4.0], abs=1e-9)
    assert scene.angles[ball] == pytest.approx(4.0 * t, abs=1e-9)


def test_damping_decays_exponentially() -> None:
    scene = RigidScene(gravity=(0.0, 0.0))
    ball = scene.circle(0.5, 0.0, 0.0, velocity=(8.0, 0.0, 3.0), damping=(0.7, 1.9))
    scene.step(90)
    assert scene.bodies[ball, 0] == pytest.approx(8.0 * math.exp(-0.7 * 1.5), rel=1e-12)
    assert scene.bodies[ball, 2] == pytest.approx(3.0 * math.exp(-1.9 * 1.5), rel=1e-12)
    assert scene.centers[ball, 0] == pytest.approx(8.0 / 0.7 * (1.0 - math.exp(-0.7 * 1.5)), rel=1e-4)


def test_kinematic_bodies_go_their_way_and_carry_what_lies_on_them() -> None:
    scene = RigidScene()
    lift = scene.box(3.0, 0.5, 0.0, -0.5, kind=KINEMATIC, velocity=(1.0, 0.5, 0.0))
    box = scene.box(0.5, 0.5, 0.0, 0.5)
    scene.step(180)
    assert scene.centers[lift] == pytest.approx([3.0, 1.0], abs=1e-12)
    assert scene.bodies[box, :3] == pytest.approx([1.0, 0.5, 0.0], abs=1e-9)
    assert scene.centers[box, 1] == pytest.approx(2.0, abs=1e-3)


def _shower(restitution: float) -> RigidScene:
    """Boxes and circles that fall in on each other in empty space."""
    rng = np.random.default_rng(3)
    scene = RigidScene(gravity=(0.0, 0.0), margin=0.1)
    for k in range(49):
        x, y = 1.3 * (k % 7) - 4.0, 1.3 * (k // 7) - 4.0
        velocity = (-x + rng.uniform(-1, 1), -y + rng.uniform(-1, 1), rng.uniform(-3, 3))
        if k % 2:
            scene.box(0.5, 0.5, x, y, velocity=velocity, restitution=restitution)
        else:
            scene.circle(0.5, x, y, velocity=velocity, restitution=restitution, density=3.0)
    scene.build()
    return scene


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_collisions_conserve_linear_and_nearly_angular_momentum(restitution: float) -> None:
    scene = _shower(restitution)
    masses, inertias = 1.0 / scene.bodies[1:, 3], 1.0 / scene.bodies[1:, 7]

    def momenta() -> tuple[list[float], float]:
        (x, y), (vx, vy, omega) = scene.centers[1:].T, scene.velocities[1:].T
        return [masses @ vx, masses @ vy], float((masses * (x * vy - y * vx) + inertias * omega).sum())

    (x, y), (vx, vy, _) = scene.centers[1:].T, scene.velocities[1:].T
    scale = float((masses * np.hypot(x, y) * np.hypot(vx, vy)).sum())
    linear, angular = momenta()
    energy = scene.energy()
    scene.step(300)
    assert scene.energy() < 0.1 * energy  # there were collisions enough
    assert momenta()[0] == pytest.approx(linear, abs=1e-12 * scale)
    # Lever arms are those of the middle of the step.
    assert momenta()[1] == pytest.approx(angular, abs=1e-4 * scale)


@pytest.mark.parametrize("restitution", [0.0, 1.0])
def test_two_discs_that_meet_off_centre_keep_angular_momentum_and_without_friction_their_spin(
    restitution: float,
) -> None:
    for friction in (0.0, 0.6):
        scene = RigidScene(gravity=(0.0, 0.0), margin=0.1)
        more = {"friction": friction, "restitution": restitution}
        scene.circle(0.5, -2.0, 0.3, velocity=(5.0, 0.0, 2.0), density=2.0, **more)
        scene.circle(0.4, 2.0, -0.3, velocity=(-5.0, 0.1, 0.0), **more)
        scene.build()
        masses, inertias = 1.0 / scene.bodies[1:, 3], 1.0 / scene.bodies[1:, 7]

        def spin(masses: Any = masses, inertias: Any = inertias, scene: RigidScene = scene) -> float:
            (x, y), (vx, vy, omega) = scene.centers[1:].T, scene.velocities[1:].T
            return float((masses * (x * vy - y * vx) + inertias * omega).sum())

        before = spin()
        scene.step(40)
        assert abs(scene.velocities[1, 1]) > 0.5  # they have met
        assert spin() == pytest.approx(before, rel=2e-3)
        if friction == 0.0:
            assert scene.velocities[:, 2] == pytest.approx([0.0, 2.0, 0.0], abs=1e-12)


def test_a_box_of_bouncing_bodies_never_has_more_energy_than_before() -> None:
    rng = np.random.default_rng(1)
    scene = RigidScene(margin=0.1)
    for w, h, x, y in ((6, 1, 0, -6), (6, 1, 0, 6), (1, 6, -6, 0), (1, 6, 6, 0)):
        scene.box(w, h, x, y, kind=STATIC, restitution=0.9)
    for k in range(36):
        at, velocity = (1.4 * (k % 6) - 3.5, 1.4 * (k // 6) - 3.5), tuple(rng.uniform(-5, 5, 3))
        if k % 2:
            scene.box(0.4, 0.4, *at, velocity=velocity, restitution=0.9)
        else:
            scene.circle(0.4, *at, velocity=velocity, restitution=0.9)
    scene.build()
    least = scene.energy()
    scale = scene.energy() + 36 * 9.81 * 0.64 * 5.0
    for _ in range(100):
        scene.step(10)
        assert scene.energy() < least + 2e-4 * scale
        least = min(least, scene.energy())


def test_locked_axes_have_infinite_mass() -> None:
    # A ball bounces off a box that cannot move along x as off a wall.
    scene = RigidScene(gravity=(0.0, 0.0))
    box = scene.box(0.5, 0.5, 0.0, 0.0, locks=LOCK_X | 4)
    ball = scene.circle(0.3, -3.0, 0.0, velocity=(5.0, 0.0, 0.0), restitution=1.0)
    scene.step(60)
    assert scene.velocities[box].tolist() == [0.0, 0.0, 0.0]
    assert scene.velocities[ball] == pytest.approx([-5.0, 0.0, 0.0], abs=1e-12)
    # A wedge that can move along y only takes its part of the momentum along y, and none along x.
    scene = RigidScene(gravity=(0.0, 0.0))
    wedge = scene.box(0.5, 0.5, 0.0, 0.0, angle=math.pi / 4, locks=LOCK_X | 4, friction=0.0)
    ball = scene.circle(0.3, 0.8, 3.0, velocity=(0.0, -3.0, 0.0), friction=0.0)
    scene.step(90)
    assert scene.velocities[wedge, 0] == 0.0
    assert scene.velocities[wedge, 1] < -0.1
    masses = 1.0 / scene.bodies[[wedge, ball], 3]
    assert masses @ scene.velocities[[wedge, ball], 1] == pytest.approx(-3.0 * masses[1], rel=1e-12)


def test_a_body_locked_along_y_carries_others_like_a_static_one() -> None:
    heights = []
    for more in ({"locks": LOCK_Y | 4}, {"kind": STATIC}):
        scene = RigidScene()
        scene.box(2.0, 0.5, 0.0, 0.0, friction=0.0, **more)
        scene.box(0.5, 0.5, 0.0, 1.0, density=10.0)
        scene.box(0.5, 0.5, 0.0, 2.0, density=10.0)
        scene.step(240)
        heights.append(scene.centers[1:, 1].tolist())
        assert abs(scene.velocities).max() < 1e-9
    assert heights[0][0] == heights[1][0] == 0.0
    assert heights[0] == pytest.approx(heights[1], abs=1e-3)

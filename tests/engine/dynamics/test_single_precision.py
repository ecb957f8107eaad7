"""What the solver keeps of contacts in single precision: nothing that a game could tell from double."""

from __future__ import annotations

import numpy as np
import pytest
from rigid_scene import STATIC, RigidScene

from ecsphys.engine.dynamics.contacts.contact_blocks import LARGEST


@pytest.mark.parametrize("floor_first", [True, False])
def test_a_box_rests_flat_on_a_floor_whose_centre_is_far_away(floor_first: bool) -> None:
    scene = RigidScene()
    far = 80_000.0
    if floor_first:
        scene.box(1e5, 1.0, 0.0, -1.0, kind=STATIC)
    box = scene.box(0.5, 0.5, far, 0.5)
    if not floor_first:
        scene.box(1e5, 1.0, 0.0, -1.0, kind=STATIC)
    scene.step(240)
    # Arms seen from the floor's centre would be wrong by millimetres.
    assert scene.angles[box] == pytest.approx(0.0, abs=1e-9)
    assert scene.centers[box] == pytest.approx([far, 0.5], abs=1e-3)
    impulses = scene.contacts.points.impulses[0, :2]
    assert impulses[0] == pytest.approx(impulses[1], rel=1e-5)


def test_a_box_rests_the_same_whichever_of_box_and_floor_comes_first() -> None:
    played = []
    for floor_first in (True, False):
        scene = RigidScene()
        if floor_first:
            scene.ground()
        box = scene.box(0.5, 0.3, 0.0, 0.6, angle=0.3, velocity=(2.0, 0.0, 1.0))
        if not floor_first:
            scene.ground()
        scene.step(30)
        played.append([*scene.centers[box], scene.angles[box], *scene.velocities[box]])
    assert played[0] == pytest.approx(played[1], abs=1e-5)


def test_impulses_change_no_momentum_of_bodies_in_empty_space() -> None:
    rng = np.random.default_rng(4)
    scene = RigidScene(gravity=(0.0, 0.0), margin=0.1)
    for k in range(36):
        x, y = 1.3 * (k % 6 - 2.5), 1.3 * (k // 6 - 2.5)
        velocity = (-2.0 * x, -2.0 * y, float(rng.uniform(-1.0, 1.0)))
        density, restitution = float(rng.uniform(0.5, 2.0)), float(rng.choice([0.0, 0.5]))
        if k % 2:
            scene.circle(0.5, x, y, velocity=velocity, density=density, restitution=restitution)
        else:
            scene.box(0.5, 0.4, x, y, velocity=velocity, density=density, restitution=restitution)
    scene.build()
    masses = 1.0 / scene.bodies[1:, 3]
    before = masses @ scene.velocities[1:, :2]
    pressed = 0
    for _ in range(90):
        scene.step()
        pressed += int(np.count_nonzero(scene.contacts.points.totals[: scene.count, 0]))
    assert pressed > 90
    assert masses @ scene.velocities[1:, :2] == pytest.approx(before, abs=1e-11 * masses.sum())


@pytest.mark.parametrize("factor", [1e-60, 1.0, 1e60])
def test_masses_and_friction_beyond_single_precision_stay_finite(factor: float) -> None:
    scene = RigidScene()
    scene.ground(friction=10.0 * LARGEST)
    scene.box(0.5, 0.5, 0.0, 0.5, density=factor, friction=10.0 * LARGEST)
    scene.circle(0.5, 0.2, 1.5, density=factor, velocity=(1.0, 0.0, 0.0))
    scene.step(20)
    assert np.isfinite(scene.bodies).all()
    assert np.isfinite(scene.centers).all()

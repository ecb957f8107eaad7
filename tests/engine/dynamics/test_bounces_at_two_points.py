"""Bounces of boxes, which meet the ground with two points: how high, and that they gain no energy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rigid_scene import RigidScene

from ecsphys.engine.dynamics.contacts.contact_impacts import Pair, Two, affordable_part, push_apart

_GRAVITY = 9.81


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("size", [(0.5, 0.5), (1.5, 0.3)])
def test_a_flat_box_bounces_to_the_square_of_its_restitution(restitution: float, size: tuple[float, float]) -> None:
    for height in (1.0, 1.7, 2.6):
        scene = RigidScene(margin=0.2)
        scene.ground()
        box = scene.box(*size, 0.0, size[1] + height, restitution=restitution)
        scene.build()
        while scene.velocities[box, 1] <= 0.0:
            scene.step()
        scene.step()
        at_top = scene.centers[box, 1] - size[1] + scene.velocities[box, 1] ** 2 / (2.0 * _GRAVITY)
        assert at_top == pytest.approx(restitution**2 * height, rel=0.01)


@pytest.mark.parametrize("tilt", [0.005, 0.02, 0.06])
def test_a_tilted_box_with_friction_gains_next_to_nothing_by_bounces(tilt: float) -> None:
    for height in (1.0, 1.7, 2.2):
        scene = RigidScene(margin=0.2)
        scene.ground()
        box = scene.box(0.5, 0.5, 0.0, 0.5 + height, angle=tilt, restitution=1.0, friction=0.6)
        scene.build()
        first = most = _energy(scene, box)
        for _ in range(300):
            scene.step()
            most = max(most, _energy(scene, box))
        assert most < 1.04 * first


def _energy(scene: RigidScene, box: int) -> float:
    """Of a square box of side 1, by its mass."""
    vx, vy, spin = scene.velocities[box]
    return float(0.5 * (vx * vx + vy * vy + spin * spin / 6.0) + _GRAVITY * scene.centers[box, 1])


_SPEEDS = st.floats(-10.0, 10.0)


@given(_SPEEDS, _SPEEDS, st.floats(0.1, 10.0), st.floats(0.1, 10.0), st.floats(-0.99, 0.99))
def test_two_points_push_as_turns_of_one_after_the_other_would_in_the_end(
    lacking_0: float, lacking_1: float, own_0: float, own_1: float, share: float
) -> None:
    both = share * math.sqrt(own_0 * own_1)
    impulse_0 = impulse_1 = 0.0
    for _ in range(2000):
        impulse_0 = max((lacking_0 - both * impulse_1) / own_0, 0.0)
        impulse_1 = max((lacking_1 - both * impulse_0) / own_1, 0.0)
    found = push_apart(Two(lacking_0, lacking_1), Pair(own_0, both, own_1))
    assert found == pytest.approx((impulse_0, impulse_1), rel=1e-6, abs=1e-6)


@given(st.floats(0.0, 10.0), st.floats(0.1, 10.0))
def test_of_two_points_one_may_be_left_out(lacking: float, own: float) -> None:
    for both in (-0.5 * own, 0.0, 0.5 * own):
        answer = Pair(own, both, own)
        assert push_apart(Two(lacking, -math.inf), answer) == pytest.approx((lacking / own, 0.0))
        assert push_apart(Two(-math.inf, lacking), answer) == pytest.approx((0.0, lacking / own))


def test_two_points_at_one_place_push_as_one() -> None:
    first, second = push_apart(Two(3.0, 3.0), Pair(2.0, 2.0, 2.0))
    assert first + second == pytest.approx(1.5)


@given(st.floats(-5.0, 5.0), st.floats(0.1, 10.0), st.floats(0.0, 10.0))
def test_a_part_of_impulses_does_the_work_that_is_allowed(at_first: float, answered: float, allowed: float) -> None:
    part = affordable_part(at_first, answered, allowed)
    assert 0.0 <= part <= 1.0
    work = part * at_first + 0.5 * part * part * answered
    assert work == pytest.approx(min(allowed, at_first + 0.5 * answered), abs=1e-9)

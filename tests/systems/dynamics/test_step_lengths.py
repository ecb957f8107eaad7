"""No step, short or long, moves what rests, or pushes it through what it rests on."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    OBBCollider,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
)

DT = 1.0 / 60.0


def stand(count: int, can_sleep: bool = False) -> list[int]:
    """A stack of boxes on a floor, in a world of its own, at rest."""
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
    boxes = [
        esper.create_entity(Transform(0.0, 0.5 + k), OBBCollider(0.5, 0.5), RigidBody(can_sleep=can_sleep))
        for k in range(count)
    ]
    for _ in range(120):
        esper.process(DT)
    assert physics.bodies.is_asleep(boxes[0]) == can_sleep
    return boxes


def top(boxes: list[int]) -> float:
    return esper.component_for_entity(boxes[-1], Transform).y


def random_lengths(seed: int, seconds: float) -> NDArray[float64]:
    """Step lengths from 1 µs to 33 ms, as often one as another on a logarithmic scale."""
    random = np.random.default_rng(seed)
    lengths = np.exp(random.uniform(np.log(1e-6), np.log(0.033), int(400 * seconds)))
    return lengths[: np.searchsorted(np.cumsum(lengths), seconds) + 1]


@pytest.mark.parametrize("dt", [1e-6, 1e-5, 3e-4, 0.004, 0.033])
def test_one_step_of_another_length_moves_no_stack(dt: float) -> None:
    boxes = stand(5)
    before = top(boxes)
    esper.process(dt)
    for _ in range(60):
        esper.process(DT)
        assert top(boxes) == pytest.approx(before, abs=1e-3)


def test_a_tower_stands_after_a_second_in_slow_motion() -> None:
    boxes = stand(10)
    before = top(boxes)
    for dt in [0.01 * DT] * 60 + [DT] * 120:
        esper.process(dt)
        assert top(boxes) == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize("count", [1, 5, 10])
@pytest.mark.parametrize("seed", range(3))
def test_a_stack_stands_through_steps_of_random_lengths(count: int, seed: int) -> None:
    boxes = stand(count)
    before = top(boxes)
    for dt in random_lengths(seed, 3.0).tolist():
        esper.process(dt)
        assert top(boxes) == pytest.approx(before, abs=0.01)
    for _ in range(60):
        esper.process(DT)
    assert top(boxes) == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize("rate", [30, 120, 1000])
def test_contacts_are_as_stiff_at_any_rate_of_steps(rate: int) -> None:
    boxes = stand(5)
    before = top(boxes)
    for _ in range(rate):
        esper.process(1.0 / rate)
    assert top(boxes) == pytest.approx(before, abs=1e-3)


def test_what_woke_in_another_step_length_than_it_fell_asleep_in_stays() -> None:
    boxes = stand(5, can_sleep=True)
    before = top(boxes)
    esper.component_for_entity(boxes[2], Velocity).x = 1e-6
    for _ in range(60):
        esper.process(0.001)
    assert top(boxes) == pytest.approx(before, abs=1e-3)


@pytest.mark.parametrize("lengths", [(1.0,), (DT, DT, DT, 0.25)], ids=["a second", "every fourth long"])
def test_nothing_falls_through_the_floor_in_long_steps(lengths: tuple[float, ...]) -> None:
    ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), RigidBody(kind="static"))
    shapes: list[Callable[[], object]] = [
        lambda: CircleCollider(0.5),
        lambda: OBBCollider(0.5, 0.5),
        lambda: AABBCollider(0.4, 0.5),
        lambda: CapsuleCollider(0.6, 0.3),
        lambda: PolygonCollider([(-0.5, -0.4), (0.5, -0.4), (0.0, 0.6)]),
    ]
    bodies = [
        esper.create_entity(Transform(4.0 * k - 20.0 * up, 0.5 + 4.0 * up), shape(), RigidBody())
        for up in (0, 1)
        for k, shape in enumerate(shapes)
    ]
    for _ in range(10):
        for dt in lengths:
            esper.process(dt)
            assert min(esper.component_for_entity(body, Transform).y for body in bodies) > 0.0


def hang(joint: type[RevoluteJoint] | type[WeldJoint], along: tuple[float, float]) -> list[int]:
    """Six links that hang from the world, or stand out from it."""
    ecsphys.install(gravity=(0.0, -10.0))
    x, y = along
    links: list[int] = []
    for k in range(6):
        body = RigidBody(can_sleep=False, density=5.0 if k == 5 else 1.0)
        link = esper.create_entity(
            Transform((k + 0.5) * x, (k + 0.5) * y), OBBCollider(0.5 * abs(x) + 0.1, 0.5 * abs(y) + 0.1), body
        )
        own = -0.5 * x, -0.5 * y
        other = (0.5 * x, 0.5 * y) if links else (0.0, 0.0)
        esper.create_entity(joint(links[-1] if links else -1, link, *other, *own))
        links.append(link)
    for _ in range(240):
        esper.process(DT)
    return links


@pytest.mark.parametrize(
    ("joint", "along"),
    [(RevoluteJoint, (0.0, -1.0)), (WeldJoint, (0.0, -1.0)), (WeldJoint, (0.4, 0.0))],
    ids=["chain", "rod", "beam"],
)
@pytest.mark.parametrize(
    "lengths",
    [[1e-6], [1e-5], [3e-4], [0.033], [0.01 * DT] * 60, random_lengths(1, 2.0).tolist()],
    ids=["1 µs", "10 µs", "300 µs", "33 ms", "slow motion", "random"],
)
def test_what_hangs_by_joints_stays_through_steps_of_any_length(
    joint: type[RevoluteJoint] | type[WeldJoint], along: tuple[float, float], lengths: list[float]
) -> None:
    links = hang(joint, along)
    before = [(t.x, t.y) for t in (esper.component_for_entity(link, Transform) for link in links)]
    for dt in [*lengths, *[DT] * 60]:
        esper.process(dt)
        now = [(t.x, t.y) for t in (esper.component_for_entity(link, Transform) for link in links)]
        # A beam sags by 0.29 at 60 steps a second, and less in shorter steps: they are truer.
        np.testing.assert_allclose(now, before, atol=0.1 if along[0] == 0.0 else 0.5)

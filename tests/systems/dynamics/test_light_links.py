"""Joints whose parts and bodies depend much on each other: light links under heavy bodies, limits, welds, springs."""

from __future__ import annotations

import math
import random
from typing import Any

import esper
import pytest
from jointed_scene import DT, of, place, speed, steps

import ecsphys
from ecsphys import (
    CircleCollider,
    CollisionFilter,
    DistanceJoint,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    Physics,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Transform,
    Velocity,
    WeldJoint,
)


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0), threads=1)


@pytest.fixture
def empty_space() -> Physics:
    return ecsphys.install(threads=1)


_Anchor = tuple[float, float]


def _body(x: float, y: float, angle: float, collider: Any, mass: float, velocity: Velocity | None = None) -> int:
    rigid = RigidBody(mass=mass, can_sleep=False)
    start = velocity or Velocity()
    return esper.create_entity(Transform(x, y, angle), collider, rigid, start, CollisionFilter(mask=0))


def _at(body: int | None, anchor: _Anchor) -> _Anchor:
    """Where an anchor in the frame of a body is."""
    if body is None:
        return anchor
    x, y, angle = place(body)
    c, s = math.cos(angle), math.sin(angle)
    return x + c * anchor[0] - s * anchor[1], y + s * anchor[0] + c * anchor[1]


class _Pendulum:
    """Light links in a row, of mass 1, and a heavy body at the end; all point the same way at first."""

    def __init__(self, kind: Any, ratio: float, links: int, length: float, thickness: float, angle: float) -> None:
        self._pivots: list[tuple[int | None, _Anchor, int, _Anchor]] = []
        self._rope = length if kind is DistanceJoint else 0.0
        step = length * math.cos(angle), length * math.sin(angle)
        last: int | None = None
        for k in range(links + 1):
            is_link = k < links
            x, y = k * step[0], k * step[1]
            if kind is DistanceJoint:
                collider: Any = CircleCollider(0.5 * thickness + 0.05)
                body = _body(x + step[0], y + step[1], angle, collider, 1.0 if is_link else ratio)
                ends = (0.0, 0.0), (0.0, 0.0)
                joint: Any = DistanceJoint.at(last, body, x, y, x + step[0], y + step[1], max_length=length)
            elif is_link:
                collider = OBBCollider(0.5 * length, 0.5 * thickness)
                body = _body(x + 0.5 * step[0], y + 0.5 * step[1], angle, collider, 1.0)
                ends = (0.5 * length if k else 0.0, 0.0), (-0.5 * length, 0.0)
                joint = (kind if k else RevoluteJoint).at(last, body, x, y)
            else:
                body = _body(x, y, angle, CircleCollider(0.4), ratio)
                ends = (0.5 * length, 0.0), (0.0, 0.0)
                joint = kind.at(last, body, x, y)
            esper.create_entity(joint)
            self._pivots.append((last, ends[0], body, ends[1]))
            last = body

    def widest_gap(self, seconds: float) -> float:
        widest = 0.0
        for _ in range(round(seconds / DT)):
            steps(1)
            for a, anchor_a, b, anchor_b in self._pivots:
                gap = math.dist(_at(a, anchor_a), _at(b, anchor_b)) - self._rope
                widest = max(widest, gap)
        return widest


# The seeds of the scenes that Box2D has played.
_SEEDS: dict[Any, str] = {
    RevoluteJoint: "revolute_joint.RevoluteJoint",
    WeldJoint: "weld_joint.WeldJoint",
    DistanceJoint: "distance_joint.DistanceJoint",
}


# The widest gaps of Box2D 3 (pyb2d3, 4 substeps) in the same scenes.
@pytest.mark.parametrize(
    ("kind", "ratio", "of_box2d"),
    [
        (RevoluteJoint, 100.0, 0.029),
        (RevoluteJoint, 500.0, 0.170),
        (RevoluteJoint, 1000.0, 0.938),
        (WeldJoint, 100.0, 0.040),
        (WeldJoint, 500.0, 0.191),
        (WeldJoint, 1000.0, 4.256),
        (DistanceJoint, 100.0, 0.034),
        (DistanceJoint, 500.0, 0.130),
        (DistanceJoint, 1000.0, 0.375),
    ],
)
def test_a_heavy_body_that_swings_at_light_links_parts_their_pivots_less_than_in_box2d(
    physics: Physics, kind: Any, ratio: float, of_box2d: float
) -> None:
    chance = random.Random(f"<class 'ecsphys.components.dynamics.joints.{_SEEDS[kind]}'> {ratio}")
    for _ in range(3):
        angle = chance.uniform(-math.pi, 0.0)
        scene = _Pendulum(kind, ratio, chance.randint(1, 4), chance.uniform(0.3, 2.0), chance.uniform(0.05, 0.3), angle)
        assert scene.widest_gap(5.0) < of_box2d


def test_a_light_link_under_a_heavy_body_keeps_its_energy_bounded(physics: Physics) -> None:
    for seed in range(4):
        chance = random.Random(seed)
        links = chance.randint(1, 4)
        _Pendulum(RevoluteJoint, 1000.0, links, 0.4, 0.1, chance.uniform(0.0, math.pi))
    heavy = [body for body, rigid in esper.get_component(RigidBody) if rigid.mass == 1000.0]
    for _ in range(600):
        steps(1)
        # It falls no farther than from the top to the bottom, with what is torn.
        assert all(math.hypot(*speed(body)[:2]) < math.sqrt(2.0 * 10.0 * 6.0) for body in heavy)


@pytest.mark.parametrize("seed", range(4))
def test_a_body_returns_nothing_of_the_speed_at_which_it_runs_into_a_hinge_limit(
    empty_space: Physics, seed: int
) -> None:
    chance = random.Random(seed)
    half, turning = chance.uniform(0.2, 1.0), chance.uniform(1.0, 10.0)
    rod = _body(
        half, 0.0, 0.0, OBBCollider(half, 0.1), chance.uniform(0.1, 10.0), Velocity(0.0, turning * half, turning)
    )
    esper.create_entity(RevoluteJoint.at(None, rod, 0.0, 0.0, has_limits=True, lower=-9.0, upper=0.4))
    for _ in range(60):
        steps(1)
        assert speed(rod)[2] > -1e-3 * turning
    assert place(rod)[2] == pytest.approx(0.4, abs=2e-3)


@pytest.mark.parametrize("seed", range(4))
def test_a_body_returns_nothing_of_the_speed_at_which_it_runs_into_a_slider_limit_beside_its_centre(
    empty_space: Physics, seed: int
) -> None:
    chance = random.Random(seed)
    start = chance.uniform(1.0, 10.0)
    block = _body(0.0, 0.0, 0.0, OBBCollider(0.5, 0.5), chance.uniform(0.1, 10.0), Velocity(start, 0.0))
    anchor = chance.uniform(-2.0, 2.0), chance.uniform(-2.0, 2.0)
    esper.create_entity(PrismaticJoint.at(None, block, *anchor, (1.0, 0.0), has_limits=True, lower=-9.0, upper=0.4))
    for _ in range(60):
        steps(1)
        assert speed(block)[0] > -1e-3 * start
        assert abs(speed(block)[2]) < 1e-2 * start


@pytest.mark.parametrize("mass", [0.2, 50.0])
def test_a_rope_pulled_tight_returns_nothing(empty_space: Physics, mass: float) -> None:
    first = _body(0.0, 0.0, 0.0, CircleCollider(0.5), 1.0)
    second = _body(1.0, 0.0, 0.0, CircleCollider(0.5), mass, Velocity(8.0, 0.0))
    esper.create_entity(DistanceJoint.at(first, second, 0.0, 0.0, 1.0, 0.0, max_length=1.7))
    for _ in range(60):
        steps(1)
        assert speed(second)[0] - speed(first)[0] > -1e-3 * 8.0
    assert mass * speed(second)[0] + speed(first)[0] == pytest.approx(8.0 * mass, rel=1e-9)


@pytest.mark.parametrize("kind", [WeldJoint, RevoluteJoint, PrismaticJoint])
@pytest.mark.parametrize("mass", [0.2, 50.0])
def test_a_new_joint_carries_what_hangs_at_its_side_from_the_first_step(
    physics: Physics, kind: Any, mass: float
) -> None:
    arm = 1.5
    body = _body(arm, 0.0, 0.0, OBBCollider(0.5, 0.5), mass)
    options: Any = {"has_limits": True, "lower": 0.0, "upper": 1.0} if kind is RevoluteJoint else {}
    axis = ((1.0, 0.0),) if kind is PrismaticJoint else ()
    joint = esper.create_entity(kind.at(None, body, 0.0, 0.0, *axis, **options))
    for _ in range(30):
        steps(1)
        assert of(joint, kind).force[1] == pytest.approx(10.0 * mass, rel=0.01)
        assert of(joint, kind).torque == pytest.approx(10.0 * mass * arm, rel=0.01)
        assert abs(place(body)[1]) < 5e-3


@pytest.mark.parametrize("first", [MouseJoint, MotorJoint])
@pytest.mark.parametrize("second", [MouseJoint, MotorJoint, DistanceJoint, RevoluteJoint])
def test_springs_that_pull_at_long_arms_do_not_drive_a_body_faster_and_faster(
    empty_space: Physics, first: Any, second: Any
) -> None:
    # Springs that were as stiff as their frequency says in each direction drove it to 2300.
    chance = random.Random(3)
    bodies = [
        esper.create_entity(
            Transform(*(chance.uniform(-3.0, 3.0) for _ in range(3))),
            CircleCollider(0.5),
            RigidBody(mass=1.0, inertia=0.1),
            Velocity(angular=chance.uniform(-5.0, 5.0)),
        )
        for _ in range(6)
    ]
    for body in bodies:
        for kind in (first, second):
            x_a, y_a, x_b, y_b = (chance.uniform(-7.0, 7.0) for _ in range(4))
            if kind is MouseJoint:
                esper.create_entity(MouseJoint(body, -1, x_b, y_b, x_a, y_a))
            elif kind is DistanceJoint:
                esper.create_entity(DistanceJoint(-1, body, x_a, y_a, x_b, y_b, length=1.0))
            else:
                esper.create_entity(kind(-1, body, x_a, y_a, x_b, y_b))
    for _ in range(1200):
        steps(1)
        assert max(abs(part) for body in bodies for part in speed(body)) < 1e3

"""One body pushed by itself is pushed as in an array: the same bits, the same errors."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import CircleCollider, FanCollider, OBBCollider, Physics, RigidBody, Solid, Transform, Velocity

PUSHES: list[tuple[str, tuple[Any, ...]]] = [
    ("apply_force", ((3.0, -0.7),)),
    ("apply_force", ((0.3, 1.1), (2.5, -0.3))),
    ("apply_force", ([1, 2], np.array([0.1, 0.2]))),
    ("apply_torque", (0.3,)),
    ("apply_torque", (np.float32(0.1),)),
    ("apply_impulse", ((0.7, 0.1),)),
    ("apply_impulse", ((0.1, 0.3), (9.1, 0.2))),
    ("apply_angular_impulse", (-0.3,)),
    ("set_velocity", ((0.1, -0.2),)),
    ("set_velocity", ((0.1, -0.2), 0.3)),
]


def _bodies() -> tuple[Physics, list[int]]:
    """Bodies with their centres of mass at their places and beside them, one that does not turn and one that sleeps."""
    physics = ecsphys.install()
    bodies = [
        esper.create_entity(Transform(0.1 + 3.0 * k, 0.3, 0.7 * k), Velocity(0.3, 0.1, 0.2), collider, body)
        for k, (collider, body) in enumerate(
            (
                (CircleCollider(0.7), RigidBody()),
                (OBBCollider(0.5, 0.3, 0.1, -0.2), RigidBody(density=0.3)),
                (FanCollider(1.3, 1.9), RigidBody(mass=1.7)),
                (OBBCollider(0.4, 0.4, 0.3), RigidBody(lock_rotation=True)),
                (FanCollider(1.1, 4.0), RigidBody()),
            )
        )
    ]
    physics.bodies.sleep(bodies[-1])
    return physics, bodies


def _state(bodies: list[int]) -> NDArray[float64]:
    values = []
    for body in bodies:
        place, speed = esper.component_for_entity(body, Transform), esper.component_for_entity(body, Velocity)
        values.append((place.x, place.y, place.angle, speed.x, speed.y, speed.angular))
    return np.array(values)


@pytest.mark.parametrize(("name", "arguments"), PUSHES)
def test_one_body_is_pushed_to_the_same_bits_by_its_number_as_by_an_array_of_it(
    name: str, arguments: tuple[Any, ...]
) -> None:
    states = []
    for is_array in (False, True):
        esper.switch_world(f"{name} {is_array}")
        physics, bodies = _bodies()
        for body in bodies:
            for _ in range(2):
                getattr(physics.bodies, name)(np.array([body]) if is_array else body, *arguments)
        at_once = _state(bodies)
        esper.process(1 / 60)
        states.append(np.concatenate((at_once, _state(bodies))).tobytes())
    assert states[0] == states[1]


@pytest.mark.parametrize(("name", "arguments"), PUSHES)
@pytest.mark.parametrize("bad", [math.nan, -math.inf, "1", None, 1j, (1.0, 2.0, 3.0), (1.0, "2"), 1e999, [[]]])
def test_what_is_no_number_is_refused_alike_and_nothing_is_pushed(
    name: str, arguments: tuple[Any, ...], bad: Any
) -> None:
    _, untouched = _bodies()
    esper.process(1 / 60)
    after_a_step = _state(untouched)
    esper.switch_world("another")
    physics, bodies = _bodies()
    state = _state(bodies)
    for place in range(len(arguments)):
        if place == 1 and bad is None:
            continue  # no point, or no angular velocity
        wrong = (*arguments[:place], bad, *arguments[place + 1 :])
        messages = []
        for entity in (bodies[0], np.array([bodies[0]])):
            with pytest.raises((TypeError, ValueError)) as refused:
                getattr(physics.bodies, name)(entity, *wrong)
            messages.append((refused.type, str(refused.value)))
        assert messages[0] == messages[1]
    assert np.array_equal(_state(bodies), state)
    esper.process(1 / 60)
    assert np.array_equal(_state(bodies), after_a_step)


def test_what_is_no_body_is_refused_by_its_number() -> None:
    physics, _ = _bodies()
    wall = esper.create_entity(Transform(90.0), CircleCollider(1.0), RigidBody("static"))
    plain = esper.create_entity(Transform(99.0), CircleCollider(1.0))
    for other in (wall, plain, 0, -1, 10**30):
        for name, arguments in (*PUSHES, ("mass_of", ()), ("wake", ()), ("sleep", ())):
            with pytest.raises((TypeError, ValueError), match="entity"):
                getattr(physics.bodies, name)(other, *arguments)


def test_static_and_kinematic_bodies_never_sleep_and_what_has_no_body_is_refused() -> None:
    physics, bodies = _bodies()
    others = [
        esper.create_entity(Transform(90.0 + 5.0 * k), CircleCollider(1.0), body)
        for k, body in enumerate((RigidBody("static"), RigidBody("kinematic")))
    ]
    physics.bodies.sleep(bodies[0])
    assert [physics.bodies.is_asleep(body) for body in (bodies[0], *others)] == [True, False, False]
    for other in (esper.create_entity(Transform(99.0), CircleCollider(1.0), Solid(), Velocity()), 0, -1, 10**30):
        with pytest.raises(ValueError, match=f"is_asleep: entity {other} (has no RigidBody|does not exist)"):
            physics.bodies.is_asleep(other)


def test_a_push_of_one_body_takes_no_array_at_all() -> None:
    physics, bodies = _bodies()
    body = bodies[0]
    physics.bodies.apply_force(body, (1.0, 0.0))
    made: list[object] = []

    class Watched:
        """numpy, as the module of the pushes sees it."""

        def __getattr__(self, name: str) -> Any:
            made.append(name)
            return getattr(np, name)

    module: Any = __import__("ecsphys.systems.dynamics.bodies", fromlist=["np"])
    module.np = Watched()
    try:
        physics.bodies.apply_force(body, (1.0, 0.0), (0.5, 0.5))
        physics.bodies.apply_impulse(body, (1.0, 0.0))
        physics.bodies.set_velocity(body, (1.0, 0.0), 0.0)
        assert not physics.bodies.is_asleep(body)
    finally:
        module.np = np
    assert not made

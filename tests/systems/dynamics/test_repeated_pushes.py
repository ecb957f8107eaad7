"""Pushes of the same body in each frame: its row is found once, as long as nothing changes but by steps."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, OBBCollider, Physics, RigidBody, Transform, Velocity


def _body(x: float, mass: float = 1.0) -> int:
    return esper.create_entity(Transform(x, 0), Velocity(), CircleCollider(0.5), RigidBody(mass=mass))


def _speed(entity: int) -> float:
    return esper.component_for_entity(entity, Velocity).x


def _write_mass(physics: Physics, entity: int) -> float:
    esper.component_for_entity(entity, RigidBody).mass = 4.0
    return 4.0


def _write_mass_through_a_view(physics: Physics, entity: int) -> float:
    RigidBody.column("mass", True)[RigidBody.rows_of([entity])] = 4.0
    return 4.0


def _replace_the_body(physics: Physics, entity: int) -> float:
    esper.add_component(entity, RigidBody(mass=4.0))
    return 4.0


def _delete_another_that_stands_before(physics: Physics, entity: int) -> float:
    esper.delete_entity(entity - 1, immediate=True)
    return 1.0


def _take_a_snapshot_after_deleting(physics: Physics, entity: int) -> float:
    esper.delete_entity(entity - 1, immediate=True)
    esper.process(1 / 60)
    physics.bodies.apply_impulse(entity, (0.0, 1.0))
    physics.snapshot()
    return 1.0


def _restore(physics: Physics, entity: int) -> float:
    state = physics.snapshot()
    esper.component_for_entity(entity, RigidBody).mass = 4.0
    physics.bodies.apply_impulse(entity, (0.0, 1.0))
    physics.restore(state)
    return 1.0


def _step_many(physics: Physics, entity: int) -> float:
    for _ in range(30):
        esper.process(1 / 60)
    return 1.0


def _add_a_collider(physics: Physics, entity: int) -> float:
    esper.add_component(entity, OBBCollider(0.5, 0.5))
    return 1.0


ACTS = (
    _write_mass,
    _write_mass_through_a_view,
    _replace_the_body,
    _delete_another_that_stands_before,
    _take_a_snapshot_after_deleting,
    _restore,
    _step_many,
    _add_a_collider,
)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__[1:])
def test_a_push_after_any_change_acts_on_the_present_body(act: Callable[[Physics, int], float]) -> None:
    physics = ecsphys.install()
    _body(-5.0)
    entity = _body(5.0)
    for _ in range(20):
        physics.bodies.apply_impulse(entity, (0.0, 0.5))
        physics.bodies.apply_force(entity, (0.0, -0.5))
        esper.process(1 / 60)
    mass = act(physics, entity)
    before = _speed(entity)
    physics.bodies.apply_impulse(entity, (2.0, 0.0))
    assert _speed(entity) == pytest.approx(before + 2.0 / mass)
    before = _speed(entity)
    physics.bodies.apply_force(entity, (60.0, 0.0))
    esper.process(1 / 60)
    assert _speed(entity) == pytest.approx(before + 1.0 / mass)


def test_a_push_of_a_body_that_is_gone_or_static_by_now_is_refused() -> None:
    physics = ecsphys.install()
    gone, changed = _body(0.0), _body(5.0)
    for _ in range(5):
        for entity in (gone, changed):
            physics.bodies.apply_impulse(entity, (0.0, 0.5))
        esper.process(1 / 60)
    esper.delete_entity(gone, immediate=True)
    esper.component_for_entity(changed, RigidBody).kind = "static"
    for entity in (gone, changed):
        with pytest.raises(ValueError, match=f"apply_impulse: entity {entity}"):
            physics.bodies.apply_impulse(entity, (0.0, 0.5))


def test_a_push_in_another_world_is_refused_where_an_entity_has_the_same_number() -> None:
    physics = ecsphys.install()
    entity = _body(0.0)
    for _ in range(5):
        physics.bodies.apply_impulse(entity, (0.0, 0.5))
        esper.process(1 / 60)
    esper.switch_world("another world of pushes")
    ecsphys.install()
    assert _body(0.0) == entity
    esper.process(1 / 60)
    with pytest.raises(RuntimeError, match="belongs to the world"):
        physics.bodies.apply_impulse(entity, (0.0, 0.5))


def test_a_push_leaves_steps_without_python_as_they_are() -> None:
    physics = ecsphys.install()
    entity = _body(0.0)
    for _ in range(30):
        physics.bodies.apply_impulse(entity, (0.0, 0.5))
        esper.process(1 / 60)
    assert physics._state.stepping.planned.is_ahead
    physics.bodies.apply_impulse(entity, (0.0, 0.5))
    physics.bodies.apply_force(entity, (1.0, 0.5), (3.0, 3.0))
    physics.bodies.set_velocity(entity, (1.0, 0.5))
    assert physics._state.stepping.planned.is_ahead

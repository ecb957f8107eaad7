"""A world of bodies does the same whatever other worlds do between its steps, and whatever is asked about it."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, OBBCollider, Physics, RigidBody, Solid, Transform, Velocity

DT = 1 / 60


def drifting() -> Physics:
    physics = ecsphys.install()
    for k in range(3):
        esper.create_entity(Transform(9.0 * k), Velocity(0.2, 0.1), CircleCollider(1.0), RigidBody())
    return physics


def seen(steps_of_other: int, name: str = "") -> list[object]:
    """What happens while the game moves a solid where it pushes nothing, with steps of another world between."""
    worlds = f"{name}other {steps_of_other}", f"{name}game {steps_of_other}"
    esper.switch_world(worlds[0])
    drifting()
    esper.switch_world(worlds[1])
    physics = ecsphys.install(gravity=(0.0, -9.8))
    for x in range(-20, 20):
        esper.create_entity(Transform(x + 0.5, -0.5), AABBCollider(0.5, 0.5), Solid())
    esper.create_entity(place := Transform(-8.0, 5.0), AABBCollider(0.4, 0.5), Solid())
    for k in range(6):
        where, velocity = Transform(1.1 * k, 1.0 + k), Velocity(3.0, 0.0, 2.0)
        esper.create_entity(where, velocity, OBBCollider(0.3, 0.2), RigidBody(restitution=0.8))
    found: list[object] = []
    for _ in range(40):
        place.x += 0.02
        esper.process(DT)
        solver = physics._state.solver
        assert solver is not None
        found.append((solver.found_anew, physics.digest()))
        esper.switch_world(worlds[0])
        for _ in range(steps_of_other):
            esper.process(DT)
        esper.switch_world(worlds[1])
    return found


@pytest.mark.parametrize("steps_of_other", [1, 3, 200])
def test_contacts_are_found_anew_in_the_same_steps_beside_another_world(steps_of_other: int) -> None:
    assert seen(steps_of_other) == seen(0)


def pushed_by_view(world: str, ask: Callable[[Physics], object]) -> list[int]:
    """The digests of bodies of which the game moves one through a view; between the two it asks something."""
    esper.switch_world(world)
    physics = ecsphys.install(gravity=(0.0, -9.8))
    for x in range(-20, 20):
        esper.create_entity(Transform(x + 0.5, -0.5), AABBCollider(0.5, 0.5), Solid())
    crates = [esper.create_entity(Transform(1.1 * k, 0.5), OBBCollider(0.5, 0.5), RigidBody()) for k in range(4)]
    xs, row = Transform.column("x"), Transform.rows_of(crates)[1]
    digests = []
    for step in range(30):
        if step % 10 == 5:
            xs[row] -= 0.15
        ask(physics)
        esper.process(DT)
        digests.append(physics.digest())
    return digests


@pytest.mark.parametrize(
    "ask",
    [lambda physics: physics.query_point((0.0, 0.0)), Physics.digest, Physics.snapshot],
    ids=["query", "digest", "snapshot"],
)
def test_a_question_after_a_write_through_a_view_changes_no_bit(ask: Callable[[Physics], object]) -> None:
    assert pushed_by_view("asked", ask) == pushed_by_view("not asked", lambda physics: None)


def test_a_view_of_another_world_changes_no_step() -> None:
    alone = seen(0)
    esper.switch_world("viewer")
    view = Transform.column("x")
    assert seen(0, "viewed ") == alone
    assert view.size

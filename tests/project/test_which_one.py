"""The table "Which one do I need?" of the quickstart: each kind of entity stands in the way of each mover."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import esper
import pytest

import ecsphys
from ecsphys import Bullet, Character, CircleCollider, OBBCollider, RigidBody, Solid, Transform, Velocity

KINDS: dict[str, Callable[[], list[Any]]] = {
    "body": lambda: [RigidBody(mass=1000)],
    "solid body": lambda: [RigidBody(mass=1000), Solid()],
    "solid": lambda: [Solid()],
    "velocity": lambda: [Velocity()],
    "collider": lambda: [],
    "character": lambda: [Character()],
    "solid character": lambda: [Character(), Solid()],
    "character with a mass": lambda: [Character(mass=1)],
    "bullet": lambda: [Bullet(), Velocity()],
    "sensor": lambda: [],
}
MOVERS: dict[str, Callable[[], list[Any]]] = {
    "body": lambda: [Velocity(10, 0), RigidBody()],
    "character": lambda: [Character()],
    "bullet": lambda: [Velocity(10, 0), Bullet()],
    "solid": lambda: [Velocity(10, 0), Solid()],
    "solid body": lambda: [Velocity(10, 0), RigidBody(), Solid()],
    "velocity": lambda: [Velocity(10, 0)],
    "collider": lambda: [],
}


class Meeting(NamedTuple):
    is_blocked: bool
    is_pushed: bool
    hits: int


def meet(kind: str, mover: str) -> Meeting:
    """A mover at the origin goes 10 units to the right in a second, to an entity of a kind at (3, 0)."""
    esper.switch_world(f"{kind} and {mover}")
    physics = ecsphys.install()
    place, obstacle, hits = Transform(), Transform(3, 0), 0
    box = esper.create_entity(obstacle, OBBCollider(0.5, 2, sensor=kind == "sensor"), *KINDS[kind]())
    moving = esper.create_entity(place, CircleCollider(0.5), *MOVERS[mover]())
    for _ in range(60):
        if mover == "character":
            physics.move_character(moving, (10 / 60, 0))
        if mover == "collider":
            physics.move_and_slide(moving, (10 / 60, 0), up=(0, 0))
        if "character" in kind:
            physics.move_character(box, (0, 0))
        esper.process(1 / 60)
        hits += len(physics.hits.started)
    return Meeting(place.x < 5, obstacle.x > 3.001, hits)


def kinds_that(name: str, mover: str) -> set[str]:
    return {kind for kind in KINDS if getattr(meet(kind, mover), name)}


@pytest.mark.parametrize(
    ("mover", "blocking"),
    [
        ("body", {"body", "solid body", "solid", "solid character", "character with a mass"}),
        ("character", {"solid body", "solid", "solid character"}),
        ("bullet", set(KINDS) - {"sensor"}),
        ("solid", set()),
        ("velocity", set()),
        ("collider", {"solid body", "solid", "solid character"}),
    ],
)
def test_what_blocks(mover: str, blocking: set[str]) -> None:
    assert kinds_that("is_blocked", mover) == blocking


@pytest.mark.parametrize(
    ("mover", "pushed"),
    [
        ("body", {"body", "solid body", "bullet"}),
        ("solid", {"body", "solid body", "character", "solid character", "character with a mass", "bullet"}),
        ("solid body", {"body", "solid body", "character", "character with a mass", "bullet"}),
        ("velocity", {"bullet"}),
        ("character", set()),
        ("bullet", set()),
        ("collider", set()),
    ],
)
def test_what_is_pushed(mover: str, pushed: set[str]) -> None:
    assert kinds_that("is_pushed", mover) == pushed


def test_every_kind_reports_hits() -> None:
    assert [(kind, mover) for kind in KINDS for mover in MOVERS if meet(kind, mover).hits == 0] == []


@pytest.mark.parametrize("kind", KINDS)
def test_rays_find_all_but_sensors(kind: str) -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(3, 0), OBBCollider(0.5, 2, sensor=kind == "sensor"), *KINDS[kind]())
    assert (physics.raycast((0, 0), (1, 0)) is None) == (kind == "sensor")

"""Bullets that do not move cost little, and miss nothing of what passes them then."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import count
from typing import Any

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CircleCollider,
    Gravity,
    LinearTrajectory,
    OBBCollider,
    Parent,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.systems.stepping.planned_steps import PlannedSteps
from ecsphys.systems.stepping.step_gate import CalmSteps

STEP = 1 / 60
_NUMBERS = count()


class Range:
    """Boxes at rest, a bullet with a velocity of 0, one without a velocity, and one that is a body; all in the air but
    the last."""

    def __init__(self) -> None:
        last = esper.current_world
        esper.switch_world(f"range {next(_NUMBERS)}")
        esper.delete_world(last)
        self.physics = ecsphys.install(gravity=(0.0, -9.8))
        esper.create_entity(Transform(0, -1), AABBCollider(40, 1), Solid())
        for k in range(3):
            esper.create_entity(Transform(3 * k, 0.5), OBBCollider(0.5, 0.5), RigidBody())
        self.velocity, self.place = Velocity(), Transform(0, 9)
        self.bullet = esper.create_entity(self.place, CircleCollider(0.1), self.velocity, Bullet())
        self.nail = esper.create_entity(Transform(6, 9), CircleCollider(0.1), Bullet())
        self.body = esper.create_entity(Transform(-6, 1), CircleCollider(0.1), RigidBody(), Bullet())
        self.kept: Any = None
        self.seen: list[Any] = []

    def run(self, steps: int) -> None:
        for _ in range(steps):
            esper.process(STEP)
            hits = self.physics.hits
            self.seen.append(
                (self.physics.digest(), hits.entity_a.tolist(), hits.entity_b.tolist(), hits.time.tolist())
            )


def shoot(game: Range) -> None:
    game.velocity.x = 400


def shoot_through_a_column(game: Range) -> None:
    game.kept = Velocity.column("x")
    game.kept[game.velocity._row] = 300


def pass_by(game: Range) -> None:
    esper.create_entity(Transform(-20, 9), CircleCollider(0.3), Velocity(500, 0))


def pass_by_as_a_bullet(game: Range) -> None:
    esper.create_entity(Transform(20, 9), CircleCollider(0.3), Velocity(-500, 0), Bullet(stop=0))


def pass_by_as_a_kinematic_body(game: Range) -> None:
    esper.create_entity(Transform(-20, 9), CircleCollider(0.3), Velocity(500, 0), RigidBody("kinematic"))


def pass_by_on_a_path(game: Range) -> None:
    esper.create_entity(Transform(-20, 9), CircleCollider(0.3), LinearTrajectory(-20, 9, 500, 0))


def carry_one(game: Range) -> None:
    esper.add_component(game.nail, Parent(game.bullet, 1, 0))


def put_a_wall(game: Range) -> None:
    game.place.x = 11
    esper.create_entity(Transform(11.5, 9), AABBCollider(0.41, 1))


def fall(game: Range) -> None:
    esper.add_component(game.bullet, Gravity())


def fly_on(game: Range) -> None:
    esper.component_for_entity(game.bullet, Bullet).stop = 0
    game.velocity.y = -900


def give_a_velocity(game: Range) -> None:
    esper.add_component(game.nail, Velocity(-700, 0))


def push(game: Range) -> None:
    game.physics.bodies.apply_impulse(game.body, (2.0, 1.0))


def restore(game: Range) -> None:
    taken = game.physics.snapshot()
    game.velocity.x = 100
    esper.process(STEP)
    game.physics.restore(taken)


CHANGES: list[Callable[[Range], None]] = [
    shoot,
    shoot_through_a_column,
    pass_by,
    pass_by_as_a_bullet,
    pass_by_as_a_kinematic_body,
    pass_by_on_a_path,
    carry_one,
    put_a_wall,
    fall,
    fly_on,
    give_a_velocity,
    push,
    restore,
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("with_velocity", [True, False])
def test_each_change_is_seen(
    change: Callable[[Range], None], with_velocity: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen() -> list[Any]:
        game = Range()
        if not with_velocity:
            esper.remove_component(game.bullet, Velocity)
        game.run(200)
        change(game)
        game.run(20)
        change(game)
        game.run(20)
        return game.seen

    quick = seen()
    monkeypatch.setattr(CalmSteps, "note_step", lambda *_: None)
    monkeypatch.setattr(PlannedSteps, "make", lambda *_: False)
    assert quick == seen()


@pytest.mark.parametrize("seed", range(3))
def test_the_bits_are_those_of_whole_steps_whatever_the_game_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def seen() -> list[Any]:
        game, random = Range(), np.random.default_rng(seed)
        for _ in range(8):
            game.run(int(random.integers(1, 150)))
            CHANGES[int(random.integers(len(CHANGES)))](game)
            if random.random() < 0.5:
                game.velocity.x = game.velocity.y = 0.0
        return game.seen

    quick = seen()
    monkeypatch.setattr(CalmSteps, "note_step", lambda *_: None)
    monkeypatch.setattr(PlannedSteps, "make", lambda *_: False)
    assert quick == seen()


def test_still_bullets_cost_a_few_calls() -> None:
    gc.collect()
    game = Range()
    game.run(200)
    assert game.physics._state.stepping.planned.is_ready
    assert calls_while(lambda: esper.process(STEP)) < 260
    esper.remove_component(game.bullet, Velocity)
    game.run(20)
    assert calls_while(lambda: esper.process(STEP)) < 110

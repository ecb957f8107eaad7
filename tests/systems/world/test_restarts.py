"""After ``esper.clear_database`` a world begins again, as it began first, wherever it was cleared."""

from __future__ import annotations

import random
from typing import Any

import esper
import numpy as np
import pytest
from interrupted_lines import Interrupt, interrupted_at
from restarted_level import DT, EVENTS, FRAMES, HEARD, PLACES, Game
from whole_world import WholeWorld, first_difference

import ecsphys
from ecsphys import CircleCollider, Emitter, HitListener, RigidBody, Transform, Velocity


def first_start(fixed_step: float | None) -> list[tuple[Any, ...]]:
    """What is seen when the level begins, and after each of its frames."""
    here = esper.current_world
    esper.switch_world("first start")
    game = Game(fixed_step)
    seen = [game.seen()]
    for _ in range(FRAMES):
        game.frame()
        seen.append(game.seen())
    esper.switch_world(here)
    esper.delete_world("first start")
    return seen


def test_the_level_reaches_every_place_and_tells_of_everything() -> None:
    names = {told[0] for told in first_start(None)[-1][-1]}
    assert names == {*EVENTS, *HEARD}


@pytest.mark.parametrize("fixed_step", [None, 80.0])
def test_five_hundred_random_restarts_anywhere_are_as_the_first_start(fixed_step: float | None) -> None:
    wanted = first_start(fixed_step)
    game, chance = Game(fixed_step), random.Random(11)
    reached: set[str] = set()
    frame = 0
    while game.restarts < 500:
        place = chance.choice(PLACES)
        game.restart_at(place, chance.randint(1, 6))
        while game.is_waiting:
            before = game.restarts
            game.frame()
            frame += 1
            if game.restarts > before:
                reached.add(place)
                # A step in which the level was built goes no further; one that had not begun is its first.
                frame = 0 if game.physics.state.clock == 0.0 else 1
                assert frame == (place in ("700", "450") and fixed_step is None)
            elif frame == FRAMES:
                game.restart()
                frame = 0
            assert game.seen() == wanted[frame], (place, frame)
        for _ in range(chance.randint(0, 3)):
            game.frame()
            frame += 1
            assert game.seen() == wanted[frame], (place, frame)
    assert reached == set(PLACES)

"""Tests of a small game: what to test, and how. No window is opened, and a minute of play takes less than a second.

Run them:

    pip install pytest
    pytest examples/test_my_game.py
"""

import random
from collections.abc import Iterator, Set

import esper
import pytest

import ecsphys
from ecsphys import CapsuleCollider, CircleCollider, HitListener, OBBCollider, Solid, Transform, Velocity
from ecsphys.types import Hit

# --- The game. In your project, put it into a module: from my_game import Game. ---

STEP = 1 / 60
RUN_SPEED = 5.0
JUMP_SPEED = 9.0
GRAVITY = 22.0


class Game:
    """A hero, a ledge to jump on, and a coin on the ledge. There is no window and no keyboard in here."""

    def __init__(self) -> None:
        self.physics = ecsphys.install(fixed_step=60)
        self.held: Set[str] = set()  # the keys that are down; the window or a test sets them
        self.coins = 0
        self.rise = 0.0
        esper.create_entity(Transform(0, -0.5), OBBCollider(20, 0.5), Solid())
        esper.create_entity(Transform(4, 0.75), OBBCollider(1, 0.75), Solid())  # the ledge, 1.5 high
        for x in (-9, 9):  # a thin wall at each end
            esper.create_entity(Transform(x, 3), OBBCollider(0.1, 3), Solid())
        self.place = Transform(0, 1)
        self.hero = esper.create_entity(self.place, CapsuleCollider.upright(1.8, 0.4), ecsphys.Character())
        esper.create_entity(Transform(4, 2.2), CircleCollider(0.3), HitListener(on_started=self.collect))
        self.physics.fixed_step.add(Moving(self), ecsphys.Priority.BROADPHASE + 25)

    def collect(self, hit: Hit) -> None:
        esper.delete_entity(hit.entity_a)
        self.coins += 1

    def shoot(self, speed: float) -> Transform:
        place = Transform(self.place.x + 1, self.place.y)
        esper.create_entity(place, Velocity(speed, 0), CircleCollider(0.05), ecsphys.Bullet())
        return place


class Moving(esper.Processor):
    def __init__(self, game: Game) -> None:
        self.game = game

    def process(self, dt: float) -> None:
        game = self.game
        run = RUN_SPEED * (("right" in game.held) - ("left" in game.held))
        game.rise -= GRAVITY * dt
        move = game.physics.move_character(game.hero, (run * dt, game.rise * dt))
        if move.on_floor:
            game.rise = JUMP_SPEED if "jump" in game.held else 0.0


# --- The tests. ---


@pytest.fixture
def game() -> Iterator[Game]:
    """A new game in an esper world of its own. A test leaves nothing behind for the next one."""
    esper.switch_world("test")
    yield Game()
    esper.switch_world("default")
    esper.delete_world("test")


def play(game: Game, held: Set[str], seconds: float, frame: float = STEP) -> None:
    """Hold some keys for a time. The test chooses the length of a frame, and does not wait for a clock."""
    game.held = held
    for _ in range(round(seconds / frame)):
        esper.process(frame)
    game.held = set()


def test_the_level_is_set_up_without_mistakes(game: Game) -> None:
    # check() finds forgotten components, sensors that should block, layers that never meet, and more.
    play(game, set(), 1.0)
    assert game.physics.debug.check() == []


def test_the_hero_lands_on_the_ground(game: Game) -> None:
    play(game, set(), 1.0)
    # Do not compare floats with ==. Here the hero keeps a tiny gap above the ground.
    assert game.place.y == pytest.approx(0.9, abs=0.02)


def test_the_ledge_stops_a_hero_who_walks(game: Game) -> None:
    play(game, {"right"}, 2.0)
    assert game.place.x < 3.0
    assert game.coins == 0


def test_a_jump_reaches_the_ledge_and_its_coin(game: Game) -> None:
    play(game, {"right"}, 0.4)
    play(game, {"right", "jump"}, 0.4)
    play(game, set(), 1.0)
    assert game.place.y == pytest.approx(1.5 + 0.9, abs=0.02)
    assert game.coins == 1


@pytest.mark.parametrize("speed", [10, 100, 1000, 100_000])
def test_shots_never_tunnel_through_the_wall(game: Game, speed: float) -> None:
    play(game, set(), 1.0)
    esper.component_for_entity(game.hero, Transform).x = 6.0
    shot = game.shoot(speed)
    play(game, set(), 1.0)
    assert shot.x == pytest.approx(9 - 0.1 - 0.05, abs=0.01)


def test_the_frame_rate_does_not_change_the_game() -> None:
    # A digest is one number for the whole state of a world. Equal digests mean equal games.
    digests = set()
    for frame in (STEP, STEP / 4, 4 * STEP):
        esper.switch_world(f"frames of {frame}")
        game = Game()
        play(game, {"right"}, 0.4, frame)
        play(game, {"right", "jump"}, 0.8, frame)
        digests.add(game.physics.digest())
        esper.switch_world("default")
        esper.delete_world(f"frames of {frame}")
    assert len(digests) == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_player_who_presses_anything_stays_in_the_level(game: Game, seed: int) -> None:
    # A minute of random keys finds holes that people overlook. With a seed, a failure can be repeated.
    keys = random.Random(seed)
    for _ in range(120):
        play(game, {key for key in ("left", "right", "jump") if keys.random() < 0.5}, 0.5)
        assert -9 < game.place.x < 9
        assert game.place.y > 0
    assert game.physics.debug.check() == []

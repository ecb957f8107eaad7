"""The demo's game: its rules by themselves, and its world played by hand and by script. No picture, no pyglet."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import numpy as np
import pytest
from fresh_python import python
from played_game import run, tap

from ecsphys import CircleCollider, HitListener, Lifetime, LinearTrajectory, Transform
from ecsphys.demo import headless
from ecsphys.demo.game import Game, open_game
from ecsphys.demo.game.boss import LASERS
from ecsphys.demo.game.controls import DIRECTIONS, KEYS
from ecsphys.demo.game.damage import DamageSystem
from ecsphys.demo.game.enemies import add_foe
from ecsphys.demo.game.level import ARENA_LEFT, GATES, START, Foothold
from ecsphys.demo.game.parts import DIVER, LASER, MOTH, SPARK, TABLE, THROWER, Crate, Foe, Harm, Layer, Mote, Strike
from ecsphys.demo.game.rules import ENERGY, HEALTH, LIVES, State, Tally
from ecsphys.demo.game.weapons import BOLT_SPEED, HAND_Y
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import GAME
from ecsphys.demo.scenes.scene import STEP


@pytest.fixture
def game() -> Iterator[Game]:
    """A game that has begun; the hero has landed, and no foe has come yet."""
    game = open_game()
    game.begin()
    run(game, 20)
    yield game
    game.close()


def state_of(game: Game) -> State:
    """Asked anew each time: a type checker takes a property for unchanging."""
    return game.state


def names(game: Game) -> set[str]:
    return {moment.name for moment in game.session.moments}


# The rules without a world.


def test_a_chain_of_foes_multiplies_their_points_up_to_five_times() -> None:
    tally = Tally()
    assert [tally.defeat(100) for _ in range(6)] == [100, 200, 300, 400, 500, 500]
    assert tally.score == 2000


def test_a_chain_ends_with_time_and_with_a_wound() -> None:
    tally = Tally()
    tally.defeat(100)
    tally.pass_time(3.0)
    assert tally.defeat(100) == 100
    tally.hurt(1)
    assert tally.defeat(100) == 100


def test_a_wound_makes_safe_for_a_while() -> None:
    tally = Tally()
    assert tally.hurt(1)
    assert not tally.hurt(1)
    assert tally.health == HEALTH - 1
    tally.pass_time(2.0)
    assert tally.hurt(1)
    assert tally.health == HEALTH - 2


def test_no_health_costs_a_life_and_no_life_is_the_end() -> None:
    tally = Tally()
    for left in range(LIVES - 1, -1, -1):
        assert not tally.is_over
        tally.safe = 0.0
        tally.hurt(HEALTH)
        assert tally.is_down
        assert tally.lives == left
        if left:
            tally.rise()
            assert tally.health == HEALTH
    assert tally.is_over


def test_a_fall_costs_a_life_even_while_safe() -> None:
    tally = Tally(safe=1.0)
    tally.fall()
    assert tally.is_down
    assert tally.lives == LIVES - 1


def test_energy_is_spent_and_comes_back() -> None:
    tally = Tally()
    assert tally.spend(ENERGY)
    assert not tally.spend(1.0)
    tally.pass_time(60.0)
    assert tally.energy == ENERGY


# States.


def test_it_begins_with_the_title_and_start_begins_the_game() -> None:
    game = open_game()
    assert state_of(game) is State.TITLE
    game.controls.x = 1.0
    run(game, 30)
    assert game.session.hero.transform.x == START[0]
    tap(game, "start")
    assert state_of(game) is State.PLAY


def test_start_does_nothing_in_the_middle_of_a_game(game: Game) -> None:
    game.session.tally.score = 70
    tap(game, "start")
    assert game.session.tally.score == 70


def test_losing_the_last_life_loses_and_start_begins_anew(game: Game) -> None:
    for _ in range(LIVES):
        game.session.hero.transform.y = -10.0
        run(game, 150)
    assert state_of(game) is State.LOSE
    assert game.outcome() == f"lose {game.session.tally.score}"
    tap(game, "start")
    assert state_of(game) is State.PLAY
    assert (game.session.tally.lives, game.session.tally.score) == (LIVES, 0)
    assert abs(game.session.hero.transform.x - START[0]) < 0.1


def test_the_keeper_defeated_is_the_game_won(game: Game) -> None:
    game.session.hero.transform.x = ARENA_LEFT + 5.0
    run(game, 10)
    assert game.session.boss is not None
    esper.component_for_entity(game.session.boss.entity, Foe).health = 0.5
    keeper = esper.component_for_entity(game.session.boss.entity, Transform)
    game.session.hero.transform.x, game.session.hero.transform.y = keeper.x - 2.0, keeper.y
    tap(game, "sword")
    run(game, 5)
    assert "defeat" in names(game)
    run(game, 240)
    assert state_of(game) is State.WIN
    assert game.outcome().startswith("win ")
    assert not any(esper.entity_exists(entity) for entity, _ in esper.get_component(Harm))


# The hero's ways.


def test_it_runs_and_stops_at_a_wall(game: Game) -> None:
    game.controls.x = -1.0
    run(game, 60)
    assert 0.0 < game.session.hero.transform.x < 0.5
    assert game.session.hero.on_floor


def test_it_jumps_three_units_high_and_lower_if_let_go(game: Game) -> None:
    def height(held: int) -> float:
        floor = highest = game.session.hero.transform.y
        game.controls.hold("jump")
        for frame in range(60):
            if frame == held:
                game.controls.release("jump")
            game.step()
            highest = max(highest, game.session.hero.transform.y)
        return highest - floor

    assert height(held=50) == pytest.approx(3.0, abs=0.3)
    assert 0.5 < height(held=4) < 2.2


def test_one_press_is_one_jump(game: Game) -> None:
    game.controls.hold("jump")
    run(game, 120)
    assert sum(moment.name == "jump" for moment in game.session.moments) == 1


def test_falling_into_the_sea_costs_a_life_and_it_gets_up_on_land(game: Game) -> None:
    game.session.hero.transform.x, game.session.hero.transform.y = 28.0, -1.0
    run(game, 30)
    assert game.session.tally.lives == LIVES - 1
    run(game, 150)
    assert game.session.hero.on_floor
    assert game.session.tally.health == HEALTH


# Strikes and wounds.


def foe_ahead(game: Game, kind: int, ahead: float) -> int:
    place = game.session.hero.transform
    foe = add_foe(Foothold(place.x + ahead, place.y, kind))
    game.session.tally.safe = 100.0
    return foe


def test_the_sword_defeats_what_is_before_the_hero(game: Game) -> None:
    foe = foe_ahead(game, THROWER, 1.8)
    tap(game, "sword")
    run(game, 3)
    assert not esper.entity_exists(foe)
    assert game.session.tally.score == 200


def test_the_sword_strikes_once_a_swing(game: Game) -> None:
    foe = foe_ahead(game, THROWER, 1.8)
    esper.component_for_entity(foe, Foe).health = 10.0
    tap(game, "sword")
    run(game, 14)
    assert esper.component_for_entity(foe, Foe).health == 8.0


def test_the_sword_does_not_strike_behind(game: Game) -> None:
    foe = foe_ahead(game, THROWER, -1.8)
    tap(game, "sword")
    run(game, 14)
    assert esper.entity_exists(foe)


def test_a_bolt_costs_energy_and_strikes_once(game: Game) -> None:
    foe = foe_ahead(game, THROWER, 5.0)
    before = game.session.tally.energy
    tap(game, "bolt")
    assert game.session.tally.energy < before
    run(game, 30)
    assert esper.component_for_entity(foe, Foe).health == 1.0


def test_the_lance_pierces_and_carries_the_hero_along(game: Game) -> None:
    foes = [foe_ahead(game, THROWER, ahead) for ahead in (2.6, 4.2)]
    x = game.session.hero.transform.x
    tap(game, "lance")
    run(game, 25)
    assert not any(esper.entity_exists(foe) for foe in foes)
    assert game.session.hero.transform.x > x + 3.0


def test_a_crate_breaks_into_lights(game: Game) -> None:
    crates, motes = len(esper.get_component(Crate)), len(esper.get_component(Mote))
    game.session.hero.transform.x = 11.2
    tap(game, "sword")
    run(game, 3)
    assert len(esper.get_component(Crate)) == crates - 1
    assert len(esper.get_component(Mote)) == motes + 3


def test_a_crate_falls_when_the_one_below_it_breaks(game: Game) -> None:
    crates = sorted((place.y, place.x, entity) for entity, (_, place) in esper.get_components(Crate, Transform))
    below, above = (entity for _, x, entity in crates if round(x, 3) == 72.0)
    run(game, 60)
    place = esper.component_for_entity(above, Transform)
    assert place.y == pytest.approx(1.95, abs=0.02)
    esper.delete_entity(below, immediate=True)
    run(game, 60)
    assert place.y == pytest.approx(0.65, abs=0.02)


def test_a_light_is_ten_points(game: Game) -> None:
    mote, (_, place) = next(iter(esper.get_components(Mote, Transform)))
    game.session.hero.transform.x, game.session.hero.transform.y = place.x, place.y
    run(game, 2)
    assert not esper.entity_exists(mote)
    assert game.session.tally.score >= 10
    assert game.session.tally.score % 10 == 0


def test_touching_a_foe_hurts_and_throws_back(game: Game) -> None:
    foe_ahead(game, THROWER, 0.8)
    game.session.tally.safe = 0.0
    run(game, 2)
    assert game.session.tally.health == HEALTH - 1
    assert game.session.hero.vx < 0.0
    run(game, 5)
    assert game.session.tally.health == HEALTH - 1


def spark(x: float, y: float, vx: float) -> int:
    damage = esper.get_processor(DamageSystem)
    assert isinstance(damage, DamageSystem)
    harm, breaks = Harm(SPARK, 1, 1), HitListener(on_started=damage.on_shot)
    parts = CircleCollider(0.26), harm, Lifetime(4.0), TABLE.filter(Layer.SHOT), breaks
    return esper.create_entity(Transform(x, y), LinearTrajectory(x, y, vx, 0.0), *parts)


def test_a_spark_hurts_once_and_is_gone(game: Game) -> None:
    place = game.session.hero.transform
    shot = spark(place.x + 2.0, place.y, -8.0)
    run(game, 30)
    assert game.session.tally.health == HEALTH - 1
    assert not esper.entity_exists(shot)


def test_the_sword_cuts_a_spark_and_a_wall_breaks_it(game: Game) -> None:
    place = game.session.hero.transform
    cut, broken = spark(place.x + 1.6, place.y, -0.1), spark(13.0, 3.0, 0.0)
    esper.component_for_entity(broken, LinearTrajectory).vy = -8.0
    tap(game, "sword")
    run(game, 30)
    assert not esper.entity_exists(cut)
    assert not esper.entity_exists(broken)
    assert game.session.tally.health == HEALTH


# Foes.


def test_foes_come_when_the_view_comes_to_them(game: Game) -> None:
    first = len(esper.get_component(Foe))
    game.session.hero.transform.x = 26.0
    run(game, 90)
    assert len(esper.get_component(Foe)) > first


def test_a_thrower_s_bomb_comes_down_where_the_hero_stands(game: Game) -> None:
    foe_ahead(game, THROWER, 6.0)
    game.session.tally.safe = 0.0
    for _ in range(180):
        game.step()
        game.session.hero.vx = 0.0
        if game.session.tally.health < HEALTH:
            break
    assert game.session.tally.health == HEALTH - 1


def test_a_diver_is_gone_when_it_has_passed(game: Game) -> None:
    foe = foe_ahead(game, DIVER, 5.0)
    run(game, round(7.0 / STEP))
    assert not esper.entity_exists(foe)


def test_a_moth_stays_about_its_place(game: Game) -> None:
    foe = foe_ahead(game, MOTH, 6.0)
    place = esper.component_for_entity(foe, Transform)
    x = place.x
    seen = []
    for _ in range(240):
        game.step()
        seen.append(place.x - x)
    assert np.ptp(seen) > 1.0
    assert np.abs(seen).max() < 4.0


def test_the_game_itself_needs_no_pyglet() -> None:
    code = "import sys, ecsphys.demo.game as game; game.open_game().step(); sys.exit('pyglet' in sys.modules)"
    assert python("-c", code).returncode == 0


# Fights and the Keeper's light.


def test_a_fight_closes_the_way_until_its_foes_are_beaten(game: Game) -> None:
    session = game.session
    session.tally.safe = 1000.0
    session.tally.health = 1
    session.hero.transform.x = GATES[0].x
    run(game, 90)
    fight = session.fight
    assert fight is not None
    assert len(fight.foes) == len(GATES[0].waves[0])
    walls = fight.walls
    for _ in GATES[0].waves:
        assert session.fight is fight
        for foe in fight.foes:
            if esper.entity_exists(foe):
                esper.delete_entity(foe)
        run(game, 120)
    assert session.fight is None
    assert not any(esper.entity_exists(wall) for wall in walls)
    assert session.tally.health == 2


def test_the_view_stands_still_in_a_fight(game: Game) -> None:
    game.session.tally.safe = 1000.0
    game.session.hero.transform.x = GATES[0].x
    run(game, 300)
    assert game.session.view_x == pytest.approx(GATES[0].x, abs=0.01)


def test_the_keeper_s_lasers_come_to_the_hero_and_hurt_once_while_safe(game: Game) -> None:
    session = game.session
    session.hero.transform.x = ARENA_LEFT + 5.0
    run(game, 5)
    assert session.boss is not None
    session.boss.attack, session.boss.elapsed = LASERS, 0.8
    for _ in range(200):
        session.hero.vx = 0.0
        game.step()
        if session.tally.health < HEALTH:
            break
    assert session.tally.health == HEALTH - 1
    assert any(harm.kind == LASER for _, harm in esper.get_component(Harm))
    run(game, 10)
    assert session.tally.health == HEALTH - 1


def test_a_defeat_splashes_particles_that_die(game: Game) -> None:
    foe_ahead(game, MOTH, 1.5)
    game.session.particles.clear()
    tap(game, "sword")
    run(game, 2)
    assert len(game.session.particles) > 50
    run(game, 180)
    assert len(game.session.particles) == 0


# Keys.


def test_keys_are_directions_and_actions(game: Game) -> None:
    assert game.press("D")
    assert game.controls.x == 1.0
    game.press("LEFT")
    assert game.controls.x == 0.0
    game.release("D")
    assert game.controls.x == -1.0
    game.release("LEFT")
    assert game.controls.x == 0.0
    assert not game.press("F7")


def test_an_action_goes_on_while_one_of_its_keys_is_held(game: Game) -> None:
    game.press("J")
    game.press("PAD_X")
    game.release("J")
    assert "sword" in game.controls.held
    game.release("PAD_X")
    assert "sword" not in game.controls.held


def test_a_key_let_go_before_the_step_still_counts(game: Game) -> None:
    game.press("SPACE")
    game.release("SPACE")
    game.step()
    assert game.session.hero.vy > 0.0


@pytest.mark.parametrize("key", ["W", "UP", "SPACE", "PAD_A"])
def test_every_key_to_jump_jumps_straight_up(game: Game, key: str) -> None:
    game.press(key)
    run(game, 8)
    assert game.session.hero.vy > 5.0
    assert game.controls.y == 0.0


def bolt_after(game: Game, *keys: str) -> tuple[float, float]:
    """The direction of the bolt that is thrown when keys go down, one after the other."""
    for key in keys:
        game.press(key)
    game.step()
    (_, (_, way)) = next(iter(esper.get_components(Strike, LinearTrajectory)))
    return way.vx / BOLT_SPEED, way.vy / BOLT_SPEED


@pytest.mark.parametrize(
    ("keys", "way"),
    [
        (("K",), (1.0, 0.0)),
        (("A", "K"), (-1.0, 0.0)),
        (("I",), (0.0, 1.0)),
        (("W", "I"), (0.0, 1.0)),
        (("D", "F"), (math.sqrt(0.5), math.sqrt(0.5))),
        (("S", "C"), (0.0, -1.0)),
        (("W", "K"), (1.0, 0.0)),
        (("PAD_UP", "PAD_B"), (0.0, 1.0)),
    ],
)
def test_bolts_fly_where_the_keys_say(game: Game, keys: tuple[str, ...], way: tuple[float, float]) -> None:
    assert bolt_after(game, *keys) == pytest.approx(way)


def test_the_mouse_begins_a_game_and_bolts_fly_at_it_while_it_is_held() -> None:
    game = open_game()
    pointer = game.layout.pointer
    assert pointer is not None
    pointer.press(5.0, 5.0)
    game.step()
    pointer.release()
    assert state_of(game) is State.PLAY
    run(game, 20)
    hand = game.session.hero.transform.x, game.session.hero.transform.y + HAND_Y
    pointer.press(hand[0] - 3.0, hand[1] + 4.0)
    assert bolt_after(game) == pytest.approx((-0.6, 0.8))
    assert game.session.hero.facing == -1
    run(game, 30)
    assert sum(moment.name == "bolt" for moment in game.session.moments) == 3
    pointer.release()
    run(game, 30)
    assert sum(moment.name == "bolt" for moment in game.session.moments) == 3
    game.close()


def test_the_list_of_keys_has_every_key_of_the_keyboard(game: Game) -> None:
    arrows = {"LEFT": "←", "RIGHT": "→", "UP": "↑", "DOWN": "↓", "RETURN": "Enter", "NUM_ENTER": "Enter"}
    words = {word for keys, text in game.layout.help for word in f"{keys} {text}".replace(",", " ").split()}
    for key in (*KEYS, *DIRECTIONS):
        if not key.startswith("PAD_"):
            assert arrows.get(key, key.capitalize()) in words


# The scripted player.


def test_without_a_player_it_stays_at_its_title_and_is_neither_won_nor_lost() -> None:
    player = Player(None, seed=0)
    assert headless.run(player, GAME, 30, None).splitlines()[-1] == "unfinished 0"
    player.close()


def test_the_script_plays_the_same_game_twice() -> None:
    runs = []
    for _ in range(2):
        game = open_game(seed=5, autoplay=True)
        run(game, 150)
        place = game.session.hero.transform
        runs.append((place.x, place.y, game.session.tally, game.counts()))
        game.close()
    assert runs[0] == runs[1]

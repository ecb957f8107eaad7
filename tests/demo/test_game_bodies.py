"""The rigid bodies of the demo's game: crates, the rope bridge, what falls apart, and what floats. No picture."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import numpy as np
import pytest
from played_game import run, tap

import ecsphys
from ecsphys import Lifetime, RevoluteJoint, RigidBody, Transform, Velocity
from ecsphys.demo.game import Game, open_game
from ecsphys.demo.game.boss import add_keeper
from ecsphys.demo.game.bridge import PLANKS
from ecsphys.demo.game.crates import add_crate
from ecsphys.demo.game.damage import DamageSystem
from ecsphys.demo.game.debris import MOST, SECONDS, scatter
from ecsphys.demo.game.enemies import MOONS, add_foe
from ecsphys.demo.game.hero import HALF_HEIGHT, PUSH_SPEED
from ecsphys.demo.game.level import BRIDGE, SEA, Foothold
from ecsphys.demo.game.parts import DIVER, KEEPER, MOTH, THROWER, WARDEN, BridgePlank, Crate, Debris, Foe, Mote
from ecsphys.demo.game.pieces import LUNAR, MASSES, PIECES, WOODEN, rows_of
from ecsphys.demo.game.rules import LIVES

FOES = (MOTH, DIVER, THROWER, WARDEN, KEEPER)
OPEN_SEA = 64.5
"""The middle of a gap without a bridge."""


@pytest.fixture
def game() -> Iterator[Game]:
    """A game that has begun, with a hero that nothing hurts."""
    game = open_game()
    game.begin()
    run(game, 20)
    game.session.tally.safe = 1e6
    yield game
    game.close()


def put(game: Game, x: float, y: float = 0.8) -> Transform:
    place = game.session.hero.transform
    place.x, place.y = x, y
    return place


def crate_at(x: float, y: float = 0.65) -> int:
    damage = esper.get_processor(DamageSystem)
    assert isinstance(damage, DamageSystem)
    return add_crate(x, y, damage.on_crash)


def place_of(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


def pieces_of(kind: int) -> int:
    """How many pieces of a kind there are now."""
    rows = rows_of(kind)
    return sum(debris.piece in rows for entity, debris in esper.get_component(Debris) if esper.entity_exists(entity))


# Crates.


def test_walking_against_a_crate_pushes_it_slower_than_the_hero_runs(game: Game) -> None:
    crate, hero = crate_at(7.0), put(game, 5.0)
    game.controls.x = 1.0
    run(game, 60)
    before = place_of(crate).x
    assert before > 7.5
    run(game, 60)
    assert place_of(crate).x - before == pytest.approx(PUSH_SPEED, rel=0.15)
    assert game.session.hero.is_pushing
    assert place_of(crate).x - hero.x < 1.1
    game.controls.x = 0.0
    run(game, 90)
    left = place_of(crate).x
    run(game, 30)
    assert place_of(crate).x == left, "a crate that nobody pushes stands still"


def test_a_row_of_two_crates_can_be_pushed_and_a_stack_jumped_on(game: Game) -> None:
    first, second, hero = crate_at(7.0), crate_at(8.31), put(game, 5.0)
    game.controls.x = 1.0
    run(game, 180)
    assert place_of(first).x > 8.0
    assert place_of(second).x > place_of(first).x + 1.29
    crate_at(place_of(first).x, 1.95)
    run(game, 30)
    game.controls.hold("jump")
    highest = 0.0
    for _ in range(60):
        game.step()
        highest = max(highest, hero.y - HALF_HEIGHT)
    assert highest > 2.6


@pytest.mark.parametrize(("action", "ahead"), [("sword", 1.8), ("bolt", 4.0), ("lance", 2.0)])
def test_weapons_break_a_crate_into_planks_and_lights(game: Game, action: str, ahead: float) -> None:
    hero = put(game, 5.0)
    game.step()
    game.session.moments.clear()
    game.session.splashed = 0
    crate, motes = crate_at(hero.x + ahead), len(esper.get_component(Mote))
    tap(game, action)
    run(game, 12)
    assert not esper.entity_exists(crate)
    assert pieces_of(WOODEN) == len(rows_of(WOODEN))
    taken = sum(moment.name == "mote" for moment in game.session.moments)
    assert len(esper.get_component(Mote)) == motes + 3 - taken


def test_a_crate_breaks_in_a_hard_fall_and_not_in_one_of_its_own_height(game: Game) -> None:
    low, high = crate_at(7.0, 1.95), crate_at(10.0, 4.0)
    run(game, 120)
    assert place_of(low).y == pytest.approx(0.65, abs=0.02)
    assert not esper.entity_exists(high)
    assert pieces_of(WOODEN) == len(rows_of(WOODEN))


def test_no_crate_of_the_level_breaks_or_moves_before_somebody_comes(game: Game) -> None:
    places = {entity: place_of(entity) for entity, _ in esper.get_component(Crate)}
    assert len(places) > 10
    before = [(place.x, place.y) for place in places.values()]
    run(game, 60)
    assert all(esper.entity_exists(crate) for crate in places)
    np.testing.assert_allclose([(place.x, place.y) for place in places.values()], before, atol=1e-3)
    assert "crate" not in {moment.name for moment in game.session.moments}


def test_a_crate_in_the_sea_floats_flat_and_bears_the_hero(game: Game) -> None:
    crate = crate_at(OPEN_SEA, -1.2)
    place_of(crate).angle = 0.5
    run(game, 180)
    place = place_of(crate)
    assert abs(place.y - SEA) < 0.5
    assert abs(math.remainder(place.angle, 0.5 * math.pi)) < 0.1
    put(game, place.x, place.y + 0.65 + HALF_HEIGHT + 0.1)
    run(game, 90)
    assert game.session.hero.move is not None
    assert game.session.hero.move.floor == crate
    assert game.session.tally.lives == LIVES


# The bridge.


@pytest.mark.parametrize(("pace", "way"), [(0.4, 1.0), (1.0, 1.0), (0.6, -1.0)])
def test_the_bridge_bears_the_hero_across(game: Game, pace: float, way: float) -> None:
    start, end = (BRIDGE[0] - 0.5, BRIDGE[1] + 0.5) if way > 0.0 else (BRIDGE[1] + 0.5, BRIDGE[0] - 0.5)
    hero = put(game, start)
    game.controls.x = pace * way
    lowest, steps = hero.y, 0
    while (end - hero.x) * way > 0.0 and steps < 500:
        game.step()
        steps += 1
        lowest = min(lowest, hero.y)
    assert steps < 500
    assert steps * pace * 7.5 / 60.0 == pytest.approx(10.0, rel=0.15), "it goes on at its own pace, and is not caught"
    assert lowest > -1.6 + HALF_HEIGHT
    assert game.session.tally.lives == LIVES


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.97])
def test_the_bridge_stops_the_fastest_fall_and_swings(game: Game, share: float) -> None:
    hero = put(game, BRIDGE[0] + share * (BRIDGE[1] - BRIDGE[0]), 9.0)
    game.session.hero.vy = -20.0
    run(game, 60)
    heights = [place.y for _, (_, place) in esper.get_components(BridgePlank, Transform)]
    assert game.session.hero.on_floor
    assert hero.y > -1.7 + HALF_HEIGHT
    assert game.session.tally.lives == LIVES
    run(game, 6)
    assert heights != [place.y for _, (_, place) in esper.get_components(BridgePlank, Transform)]


def test_a_dash_across_the_bridge_comes_to_the_other_side(game: Game) -> None:
    hero = put(game, BRIDGE[0] - 0.3)
    game.controls.x = 1.0
    for _ in range(3):
        game.session.tally.energy = 6.0
        tap(game, "lance")
        run(game, 40)
    assert hero.x > BRIDGE[1]
    assert game.session.tally.lives == LIVES


def joints_apart() -> float:
    """The largest gap between the ends of two neighbouring planks."""
    rows = sorted((plank.number, place) for _, (plank, place) in esper.get_components(BridgePlank, Transform))
    half = 0.5 * (BRIDGE[1] - BRIDGE[0]) / PLANKS
    ends = [(p.x + s * half * math.cos(p.angle), p.y + s * half * math.sin(p.angle)) for _, p in rows for s in (-1, 1)]
    return max(math.dist(a, b) for a, b in zip(ends[1:-1:2], ends[2::2], strict=True))


def test_the_bridge_holds_with_crates_on_it_and_a_hero_that_jumps(game: Game) -> None:
    for number in range(6):
        crate_at(22.5 + 1.4 * number, 0.9)
    put(game, 26.0, 3.0)
    worst = 0.0
    for frame in range(300):
        if frame % 40 == 1:
            game.controls.hold("jump")
        elif frame % 40 == 0:
            game.controls.release("jump")
        game.controls.x = 1.0 if frame % 100 < 50 else -1.0
        game.step()
        worst = max(worst, joints_apart())
    assert worst < 0.12
    assert len(esper.get_component(BridgePlank)) == PLANKS
    assert len(esper.get_component(RevoluteJoint)) == PLANKS + 1


# What falls apart.


@pytest.mark.parametrize("kind", FOES)
def test_each_foe_falls_apart_into_all_its_pieces(game: Game, kind: int) -> None:
    hero = put(game, 6.0)
    ahead = -0.2 if kind == DIVER else 1.8  # a diver comes two units farther away
    foe = add_keeper().entity if kind == KEEPER else add_foe(Foothold(hero.x + ahead, hero.y, kind))
    esper.component_for_entity(foe, Foe).health = 0.5
    if kind == KEEPER:
        game.step()
        put(game, place_of(foe).x - 2.0, place_of(foe).y)
    tap(game, "sword")
    run(game, 3)
    assert not esper.entity_exists(foe)
    assert pieces_of(kind) == len(rows_of(kind)) >= 4
    cut = sum(moment.name == "break" for moment in game.session.moments)
    assert pieces_of(LUNAR) == (MOONS - cut if kind == WARDEN else 0)
    spins = [velocity.angular for _, (_, velocity) in esper.get_components(Debris, Velocity)]
    assert len(set(spins)) > 3, "they tumble, each in its own way"


@pytest.mark.parametrize("kind", [*FOES, WOODEN, LUNAR])
def test_pieces_make_up_the_whole_without_overlapping(kind: int) -> None:
    physics = ecsphys.install()
    for row in rows_of(kind):
        piece = PIECES[row]
        esper.create_entity(Transform(piece.x, piece.y), piece.collider(), RigidBody())
    esper.process(0.0)
    assert len(physics.hits) == 0


def test_pieces_land_rest_and_are_gone_after_some_seconds(game: Game) -> None:
    scatter(THROWER, Transform(6.0, 3.0), (0.0, 0.0), (6.0, 3.0), np.random.default_rng(1))
    run(game, 120)
    places = [(place.x, place.y) for _, (_, place) in esper.get_components(Debris, Transform)]
    assert len(places) == len(rows_of(THROWER))
    assert all(0.0 < y < 1.2 for _, y in places)
    left = [lifetime.seconds for _, (_, lifetime) in esper.get_components(Debris, Lifetime)]
    assert max(left) <= 1.2 * SECONDS - 2.0 + 0.05
    for _, (_, lifetime) in esper.get_components(Debris, Lifetime):
        lifetime.seconds = 0.01
    run(game, 3)
    assert not esper.get_component(Debris)


def test_there_are_never_more_pieces_than_the_most_and_the_oldest_go(game: Game) -> None:
    rng = np.random.default_rng(1)
    for number in range(24):
        scatter(WOODEN, Transform(4.0 + 0.4 * number, 3.0), (0.0, 0.0), (4.0, 3.0), rng)
        game.step()
        assert len(esper.get_component(Debris)) <= MOST
    newest = max(entity for entity, _ in esper.get_component(Debris))
    scatter(MOTH, Transform(8.0, 3.0), (0.0, 0.0), (8.0, 3.0), rng)
    game.step()
    assert esper.entity_exists(newest)
    assert len(esper.get_component(Debris)) > MOST - 8


def test_pieces_do_not_slow_the_hero_down(game: Game) -> None:
    def way() -> float:
        hero = put(game, 3.0)
        game.session.hero.vx = 0.0
        game.controls.x = 0.0
        run(game, 20)
        game.controls.x = 1.0
        run(game, 60)
        return hero.x

    alone = way()
    for x in np.linspace(4.0, 9.0, 8).tolist():
        scatter(WOODEN, Transform(x, 1.0), (0.0, 0.0), (x, 0.0), np.random.default_rng(2))
    run(game, 30)
    assert way() == pytest.approx(alone, abs=1e-9)


def test_pieces_float_on_the_sea(game: Game) -> None:
    scatter(WOODEN, Transform(OPEN_SEA, -1.0), (0.0, 0.0), (OPEN_SEA, -1.0), np.random.default_rng(3))
    run(game, 180)
    heights = [place.y for _, (_, place) in esper.get_components(Debris, Transform)]
    assert len(heights) == len(rows_of(WOODEN))
    assert all(abs(y - SEA) < 0.8 for y in heights)


def test_the_mass_of_a_piece_is_that_of_its_body(game: Game) -> None:
    scatter(KEEPER, Transform(8.0, 8.0), (0.0, 0.0), (8.0, 8.0), np.random.default_rng(4))
    game.step()
    for entity, debris in esper.get_component(Debris):
        assert game.physics.bodies.mass_of(entity).mass == pytest.approx(MASSES[debris.piece])


@pytest.mark.parametrize("action", ["sword", "bolt", "lance"])
def test_weapons_leave_the_pieces_alone(game: Game, action: str) -> None:
    scatter(THROWER, Transform(7.5, 0.8), (0.0, 0.0), (7.5, 0.0), np.random.default_rng(5))
    put(game, 6.0)
    run(game, 30)
    count = len(esper.get_component(Debris))
    tap(game, action)
    run(game, 10)
    assert len(esper.get_component(Debris)) == count

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
from ecsphys import CircleCollider, HitListener, RigidBody, Transform, Velocity
from ecsphys.effects import Emitter


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
def test_random_restarts_anywhere_are_as_the_first_start(fixed_step: float | None) -> None:
    wanted = first_start(fixed_step)
    game, chance = Game(fixed_step), random.Random(11)
    frame = 0
    for place in chance.sample(PLACES * 2, 2 * len(PLACES)):
        game.restart_at(place, chance.randint(1, 6))
        while game.is_waiting:
            before = game.restarts
            game.frame()
            frame += 1
            if game.restarts > before:
                # A step in which the level was built goes no further; one that had not begun is its first.
                frame = 0 if game.physics._state.clock == 0.0 else 1
                assert frame == (place in ("700", "450") and fixed_step is None)
            elif frame == FRAMES:
                game.restart()
                frame = 0
            assert game.seen() == wanted[frame], (place, frame)
        for _ in range(chance.randint(0, 3)):
            game.frame()
            frame += 1
            assert game.seen() == wanted[frame], (place, frame)


@pytest.mark.parametrize("fixed_step", [None, 60.0])
def test_a_world_of_everything_plays_again_to_the_bit_whenever_it_is_built_again(fixed_step: float | None) -> None:
    world = WholeWorld(fixed_step)
    first = world.run(40)
    for frames in (3, 40):
        world.step(frames)
        esper.clear_database()
        if frames == 3:
            # Once more, before anything has asked.
            world._fill(np.random.default_rng(8))
            esper.clear_database()
        world.frame = 0
        world._fill(np.random.default_rng(3))
        again = world.run(40)
        assert again == first, first_difference(first, again)


def test_a_snapshot_of_before_is_restored_after_the_clear_and_goes_on_to_the_bit() -> None:
    world = WholeWorld()
    world.save_plain()
    world.step(25)
    own, state = world.own_state(), world.physics.snapshot()
    wanted = world.run(20)
    for has_new_level in (False, True, True):
        esper.clear_database()
        if has_new_level:
            world.frame = 0
            world._fill(np.random.default_rng(3))
            world.step(5)
            later = world.own_state(), world.physics.snapshot()
        world.physics.restore(state)
        world.put_own_state(own)
        assert (again := world.run(20)) == wanted, first_difference(wanted, again)
    # And back to the world that came after.
    world.put_own_state(later[0])
    world.physics.restore(later[1])
    first = world.run(5)
    world.put_own_state(later[0])
    world.physics.restore(later[1])
    assert world.run(5) == first


def circles(*places: float) -> list[int]:
    return [esper.create_entity(Transform(x), CircleCollider(1.0)) for x in places]


@pytest.mark.parametrize("fixed_step", [None, 60.0])
def test_nothing_of_the_old_world_is_seen_as_soon_as_it_is_cleared(fixed_step: float | None) -> None:
    game = Game(fixed_step)
    physics = game.physics
    for _ in range(6):
        game.frame()
    held = physics.hits.select(slice(None))
    entities = held.entity_a.tolist()
    assert len(held) > 3
    esper.clear_database()
    assert [len(found) for found in (physics.hits, physics.hits.started, physics.hits.ended)] == [0, 0, 0]
    assert (len(physics.debug.candidate_pairs), len(physics.debug.colliders), physics.hits.of(1)) == (0, 0, [])
    assert physics.debug.profile.counters["hits"] == physics.debug.profile.counters["tests"] == 0
    assert (len(game.particles), physics._state.clock, physics.query_aabb((-99, -99), (99, 99))) == (0, 0.0, [])
    if physics.fixed_step is not None:
        assert (physics.fixed_step.step_count, physics.fixed_step.alpha) == (0, 0.0)
    # Values that were kept are values still.
    assert held.entity_a.tolist() == entities


def test_settings_processors_and_handlers_stay() -> None:
    game = Game()
    physics = game.physics
    physics.settings.length_unit, physics.gravity, physics.settings.motion_substeps = 3.0, (0.0, -2.0), 2
    hook, running = physics.pre_solve, tuple(esper._processors)
    game.frame()
    game.restart()
    game.frame()
    assert (physics.settings.length_unit, physics.gravity, physics.settings.motion_substeps) == (3.0, (0.0, -2.0), 2)
    assert physics.pre_solve is hook
    assert tuple(esper._processors) == running
    assert "hit_started" in {told[0] for told in game.told}


@pytest.mark.parametrize("ask", ["before", "after"])
def test_what_was_asked_for_before_the_clear_is_gone_and_what_is_asked_for_after_it_holds(ask: str) -> None:
    physics = ecsphys.install(fixed_step=60)
    steps = physics.fixed_step
    particles = ecsphys.systems.ParticleSystem(physics)
    steps.add(particles, ecsphys.Priority.PARTICLE)
    style = Emitter(lifetime=5.0)

    def build() -> int:
        return esper.create_entity(Transform(), CircleCollider(1.0), RigidBody(mass=1.0))

    def wishes(body: int) -> None:
        physics.bodies.apply_force(body, (60.0, 0.0))
        physics.bodies.set_velocity(body, (0.0, 3.0))
        particles.burst(0.0, 0.0, 7, style)
        steps.step_once()

    wishes(build())
    if ask == "after":
        esper.process(0.0)
    esper.clear_database()
    body = build()
    if ask == "after":
        wishes(body)
    esper.process(1 / 60 if ask == "before" else 0.0)
    velocity = esper.component_for_entity(body, Velocity)
    assert (velocity.x, velocity.y) == pytest.approx((1.0, 3.0) if ask == "after" else (0.0, 0.0))
    assert (len(particles), steps.step_count) == ((7, 1) if ask == "after" else (0, 1))


def test_clearing_one_world_leaves_another_as_it_is() -> None:
    wanted = first_start(None)
    games = {}
    for name in ("left", "right"):
        esper.switch_world(name)
        games[name] = Game()
    for number in range(1, FRAMES):
        for name, game in games.items():
            esper.switch_world(name)
            game.frame()
        # Seen from the other one.
        assert games["left"].physics._state.clock == pytest.approx(DT)
        assert [hit.entity_a for hit in games["left"].physics.hits] == wanted[1][2]
        assert games["right"].seen() == wanted[number]
        esper.switch_world("left")
        games["left"].restart()


def test_a_physics_whose_world_was_deleted_begins_again_in_a_new_one_of_the_name() -> None:
    game = Game()
    name = esper.current_world
    wanted = game.seen()
    game.frame()
    esper.switch_world("elsewhere")
    esper.delete_world(name)
    assert [len(game.physics.hits), len(game.physics.hits.ended)] == [0, 0]
    esper.switch_world(name)
    game.build()
    assert game.seen()[:6] == wanted[:6]


def test_errors_of_handlers_reach_the_caller_although_one_cleared_the_database() -> None:
    physics = ecsphys.install()
    heard: list[tuple[int, int]] = []

    def fail(hit: ecsphys.types.Hit) -> None:
        heard.append((hit.entity_a, hit.entity_b))
        if len(heard) < 2:
            raise KeyError("before")
        esper.clear_database()
        circles(0.0, 1.0)
        # It begins again within the delivery.
        assert len(physics.debug.colliders) == 2
        raise ArithmeticError("after")

    esper.set_handler("hit_started", fail)
    circles(0.0, 1.0, 1.5)
    with pytest.raises(ExceptionGroup) as caught:
        esper.process(0.0)
    assert [type(error) for error in caught.value.exceptions] == [KeyError, ArithmeticError]
    assert heard == [(1, 2), (1, 3)]
    esper.remove_handler("hit_started", fail)
    esper.process(0.0)
    assert len(physics.hits.started) == 1


def test_ctrl_c_anywhere_while_the_physics_begins_again_leaves_a_world_that_begins_again() -> None:
    wanted = first_start(None)
    game = Game()
    line = cuts = 0
    while True:
        line += 1
        game.frame()
        game.restart()
        try:
            with interrupted_at(line, lambda frame: "physics_state" in frame.f_code.co_filename):
                assert game.seen() == wanted[0]
        except Interrupt:
            cuts += 1
        else:
            break
        assert game.seen() == wanted[0]
        game.frame()
        assert game.seen() == wanted[1]
    assert cuts > 10


def test_ctrl_c_anywhere_in_the_first_step_after_a_clear_tells_of_nothing_old() -> None:
    wanted = first_start(None)
    game = Game()
    for line in range(1, 400, 7):
        game.frame()
        game.restart()
        try:
            with interrupted_at(line, lambda frame: "ecsphys/systems" in frame.f_code.co_filename):
                game.frame()
        except Interrupt:
            game.restart()
        else:
            assert game.seen() == wanted[1]
            game.restart()
        assert game.seen() == wanted[0]


class Arena:
    """Circles with listeners, whose handlers delete and clear at random; a model of the rules checks each call.

    A pair that started is open until it ends. A start is told once, an end only of an open pair. After a clear nothing
    is open, and nothing of before is told.
    """

    def __init__(self, seed: int) -> None:
        self.physics = ecsphys.install()
        self.chance = random.Random(seed)
        self.open: set[tuple[int, int]] = set()
        self.heard: dict[int, set[int]] = {}
        self.era = self.calls = self.kills = 0
        esper.set_handler("hit_started", self._started)
        esper.set_handler("hit_ended", self._ended)
        esper.set_handler("pair_started", self._pair_started)
        esper.set_handler("pair_ended", self._pair_ended)
        self.pairs: set[tuple[int, int]] = set()
        self.build()

    def build(self) -> None:
        self.open, self.pairs, self.heard = set(), set(), {}
        for _ in range(self.chance.randint(3, 9)):
            self.create()

    def create(self) -> None:
        chance = self.chance
        place = Transform(chance.uniform(-4, 4), chance.uniform(-4, 4))
        motion = Velocity(chance.uniform(-30, 30), chance.uniform(-30, 30))
        entity = esper.create_entity(place, motion, CircleCollider(1.0))
        esper.add_component(entity, self.listener(entity))
        self.heard[entity] = set()

    def listener(self, entity: int) -> HitListener:
        era, heard = self.era, self.heard

        def started(hit: ecsphys.types.Hit) -> None:
            assert self.era == era
            assert (hit.entity_a, hit.entity_b in heard[entity]) == (entity, False)
            heard[entity].add(hit.entity_b)
            self.act()

        def ended(hit: ecsphys.types.Hit) -> None:
            assert self.era == era
            assert hit.entity_a == entity
            heard[entity].remove(hit.entity_b)
            self.act()

        heard = self.heard
        return HitListener(on_started=started, on_ended=ended)

    def act(self) -> None:
        self.calls += 1
        luck = self.chance.random()
        if luck < 0.02:
            self.era += 1
            esper.clear_database()
            if self.chance.random() < 0.9:
                self.build()
            else:
                self.open, self.pairs, self.heard = set(), set(), {}
        elif luck < 0.06 and (alive := list(esper.get_entities())):
            self.kills += 1
            esper.delete_entity(self.chance.choice(alive), immediate=self.chance.random() < 0.5)
        elif luck < 0.12:
            self.create()

    def _started(self, hit: ecsphys.types.Hit) -> None:
        pair = (hit.entity_a, hit.entity_b)
        assert pair not in self.open
        self.open.add(pair)
        self.act()

    def _ended(self, hit: ecsphys.types.Hit) -> None:
        self.open.remove((hit.entity_a, hit.entity_b))
        self.act()

    def _pair_started(self, a: int, b: int) -> None:
        assert (a, b) not in self.pairs
        self.pairs.add((a, b))
        self.act()

    def _pair_ended(self, a: int, b: int) -> None:
        self.pairs.remove((a, b))
        self.act()

    def frame(self) -> None:
        era, kills, chance = self.era, self.kills, self.chance
        for _, velocity in esper.get_component(Velocity):
            velocity.x, velocity.y = chance.uniform(-60, 60), chance.uniform(-60, 60)
        esper.process(DT)
        if (era, kills) == (self.era, self.kills):
            hits = {(hit.entity_a, hit.entity_b) for hit in self.physics.hits}
            assert self.open == self.pairs == hits
            told = {(min(a, b), max(a, b)) for a, others in self.heard.items() for b in others}
            assert told == hits


@pytest.mark.parametrize("seed", range(2))
def test_events_and_listeners_are_balanced_within_a_world_and_silent_about_the_last(seed: int) -> None:
    arena = Arena(seed)
    for _ in range(250):
        arena.frame()
        if arena.chance.random() < 0.02:
            arena.era += 1
            esper.clear_database()
            arena.build()
        while len(esper.get_component(Transform)) < 3:
            arena.create()
    assert arena.era > 5
    assert arena.kills > 30

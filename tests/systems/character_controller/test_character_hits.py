"""Characters have hits with what blocks them, and with what they stand on."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest
from character_level import DT, HEROES, SKIN, block, floor, hero, solid, standing

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    Character,
    CircleCollider,
    Collider,
    CollisionFilter,
    CompoundCollider,
    Disabled,
    HarmonicTrajectory,
    HitListener,
    OBBCollider,
    OneWay,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    geometry,
)
from ecsphys.engine.hits.touches import gather_touches
from ecsphys.systems.collision import contact_search as touches_module
from ecsphys.types import Snapshot

CONTROLLER = ecsphys.Priority.BROADPHASE + 25


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def partners(physics: Physics, entity: int) -> set[int]:
    """What an entity hits."""
    return {hit.other(entity) for hit in physics.hits.of(entity)}


def the_hit(physics: Physics, entity: int, other: int) -> ecsphys.types.Hit:
    """The one hit of two entities, as the first one sees it."""
    (hit,) = [hit for hit in physics.hits.of(entity) if hit.other(entity) == other]
    return hit.seen_from(entity)


def gap(a: int, b: int) -> float:
    """How far apart two entities are, each with one collider."""
    sides: list[Any] = []
    for entity in (a, b):
        components: list[Any] = [*esper.components_for_entity(entity)]
        (collider,) = [one for one in components if isinstance(one, Collider)]
        sides += [collider, esper.component_for_entity(entity, Transform)]
    return float(geometry.closest_points(*sides)[0])


class Ledger:
    """The pairs of entities that hit each other now, by the events: a start of a running hit is a fault, as is an end
    of none."""

    def __init__(self) -> None:
        self.running: dict[tuple[Any, ...], int] = {}
        self.starts = 0
        self.reasons: list[str | None] = []
        esper.set_handler("hit_started", self.on_start)
        esper.set_handler("hit_ended", self.on_end)

    def on_start(self, hit: ecsphys.types.Hit) -> None:
        assert self._key(hit) not in self.running
        self.running[self._key(hit)] = 1
        self.starts += 1

    def on_end(self, hit: ecsphys.types.Hit) -> None:
        del self.running[self._key(hit)]
        self.reasons.append(hit.reason)

    def _key(self, hit: ecsphys.types.Hit) -> tuple[Any, ...]:
        return hit.entity_a, hit.entity_b, hit.collider_a, hit.collider_b, hit.part_a, hit.part_b

    def agrees(self, physics: Physics) -> bool:
        """Whether the running hits are those of the last step."""
        return set(self.running) == {self._key(hit) for hit in physics.hits}


def level(random: np.random.Generator) -> None:
    """Tiles with holes, steps, slopes, a plank, moving platforms, walls and crates."""
    for tile in range(-20, 21):
        if random.random() < 0.85:
            block(tile - 0.5, -1.0, tile + 0.5, 0.0)
    block(-30.0, -4.0, 30.0, -3.0)
    for side in (-20.5, 20.5):
        block(side - 0.5, -4.0, side + 0.5, 8.0)
    for _ in range(5):
        x = float(random.uniform(-18, 18))
        block(x, 0.0, x + 1.5, float(random.uniform(0.1, 0.5)))
    for _ in range(3):
        x, height = float(random.uniform(-18, 15)), float(random.uniform(0.3, 1.0))
        solid(PolygonCollider([(x, 0.0), (x + 3.0, 0.0), (x + 3.0, height)]), 0.0, 0.0)
    solid(AABBCollider(2.0, 0.1), -6.0, 1.8, 0.0, OneWay())
    solid(AABBCollider(1.5, 0.1), 0.0, 0.0, 0.0, OneWay(), HarmonicTrajectory(4.0, 1.6, 3.0, 0.0, 1.0))
    solid(AABBCollider(1.0, 0.2), 0.0, 0.0, 0.0, HarmonicTrajectory(-12.0, 1.5, 0.0, 1.2, 2.0))
    for _ in range(4):
        solid(OBBCollider(0.4, 0.4), float(random.uniform(-15, 15)), 3.0, 0.0, RigidBody())


class Script(esper.Processor):
    """Walks to and fro and jumps at random, and tells what each move has met."""

    def __init__(self, physics: Physics, entity: int, random: np.random.Generator, walks: bool) -> None:
        self.physics, self.entity, self.random, self.walks = physics, entity, random, walks
        self.way, self.rise, self.on_floor = 1.0, 0.0, False
        self.met: set[int] = set()
        self.moves: list[Any] = []

    def process(self, dt: float) -> None:
        if self.random.random() < 0.02:
            self.way = float(self.random.choice([-4.0, 0.0, 4.0, 9.0, -9.0]))
        if self.on_floor and self.random.random() < 0.05:
            self.rise = 8.0
        self.rise = max(self.rise - 20.0 * dt, -20.0)
        self.met, self.moves = set(), []
        for _ in range(int(self.random.integers(1, 3))):
            way = self.way * dt, self.rise * dt
            if self.walks:
                move: Any = self.physics.move_character(self.entity, way, drop=bool(self.random.random() < 0.02))
                if move.floor is not None:
                    self.met.add(move.floor)
            else:
                move = self.physics.move_and_slide(self.entity, way)
            self.met |= {contact.entity for contact in move.contacts}
            self.moves.append(move)
        self.on_floor = move.on_floor
        if move.on_floor or (move.on_ceiling and self.rise > 0.0):
            self.rise = 0.0


@pytest.mark.parametrize("walks", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_a_scripted_hero_hits_what_it_meets_in_each_of_a_thousand_steps(
    physics: Physics, seed: int, walks: bool
) -> None:
    random = np.random.default_rng(seed)
    physics.gravity = (0.0, -20.0)
    level(random)
    collider = HEROES[str(random.choice(list(HEROES)))]()
    entity, place = hero(collider, 0.0, 4.0, Character(step_height=0.35, snap_distance=0.3, push_force=30.0))
    script, ledger = Script(physics, entity, random, walks), Ledger()
    esper.add_processor(script, priority=int(random.choice([CONTROLLER, ecsphys.Priority.INPUT])))
    touched = 0
    for _ in range(1000):
        esper.process(DT)
        hits = partners(physics, entity)
        assert script.met <= hits
        touching = {hit.other(entity) for hit in physics.hits.of(entity) if hit.depth == 0.0}
        pushed = walks and any(move.pushed != (0.0, 0.0) or move.carried != (0.0, 0.0) for move in script.moves)
        if walks and not pushed:
            # It may stand on more than it was told that it ran into.
            assert all(gap(entity, other) < SKIN for other in touching - script.met)
        touched += len(touching)
        assert ledger.agrees(physics)
        if place.y < -10.0:
            place.x, place.y = 0.0, 4.0
    assert touched > 300
    esper.remove_processor(Script)
    esper.delete_entity(entity, immediate=True)
    esper.process(DT)
    assert ledger.agrees(physics)
    assert not any(entity in key for key in ledger.running)
    assert ledger.starts == len(ledger.reasons) + len(ledger.running)


def test_a_hit_with_the_floor_starts_goes_on_and_ends_with_a_jump(physics: Physics) -> None:
    ground = floor()
    entity, place = hero(CircleCollider(0.5), 0.0, 3.0)
    phases: list[tuple[str, float]] = []
    esper.add_component(
        entity,
        HitListener(
            on_started=lambda hit: phases.append((hit.phase, hit.entity_b)),
            on_ongoing=lambda hit: phases.append((hit.phase, hit.entity_b)),
            on_ended=lambda hit: phases.append((hit.reason, hit.entity_b)),
        ),
    )
    for way in (-1.0, -2.0, -0.1, -0.1, 0.5):
        physics.move_character(entity, (0.0, way))
        esper.process(DT)
    assert phases == [("started", ground), ("ongoing", ground), ("ongoing", ground), ("separated", ground)]
    assert not physics.hits.has(entity, ground)
    assert place.y > 0.9


def test_the_approach_speed_is_that_before_it_was_blocked_and_none_when_standing(physics: Physics) -> None:
    ground = floor()
    wall, _ = block(4.0, 0.0, 5.0, 4.0)
    entity, _ = hero(CircleCollider(0.5), 0.0, 1.0)
    physics.move_character(entity, (0.0, -0.6))
    esper.process(0.1)
    assert the_hit(physics, entity, ground).approach_speed == pytest.approx(6.0)
    physics.move_character(entity, (1.0, -0.6))
    esper.process(0.1)
    assert the_hit(physics, entity, ground).approach_speed == 0.0
    physics.move_character(entity, (5.0, -0.6))
    esper.process(0.1)
    assert the_hit(physics, entity, ground).approach_speed == 0.0
    assert the_hit(physics, entity, wall).approach_speed == pytest.approx(50.0)


def test_a_wall_that_moves_into_a_character_hits_it_at_the_difference_of_their_speeds(physics: Physics) -> None:
    wall, place = block(2.0, 0.0, 3.0, 4.0, Velocity(-5.0, 0.0))
    entity, own = hero(CircleCollider(0.5), 0.0, 1.0)
    physics.move_character(entity, (0.0, 0.0))
    place.x = 1.0
    for _ in range(2):
        physics.move_character(entity, (0.3, 0.0))
        esper.process(0.1)
    physics.move_character(entity, (0.3, 0.0))
    esper.process(0.0)
    esper.process(0.1)
    hit = the_hit(physics, entity, wall)
    assert hit.normal == pytest.approx((1.0, 0.0))
    assert own.x < 0.0


@pytest.mark.parametrize("is_first", [True, False])
def test_the_hit_has_the_normal_from_a_to_b_and_the_point_of_the_contact(physics: Physics, is_first: bool) -> None:
    if is_first:
        entity, _ = hero(CircleCollider(0.5), 0.0, 1.0)
        ground = floor()
    else:
        ground = floor()
        entity, _ = hero(CircleCollider(0.5), 0.0, 1.0)
    (contact,) = physics.move_character(entity, (0.0, -1.0)).contacts
    esper.process(DT)
    (hit,) = physics.hits
    assert (hit.entity_a, hit.entity_b) == (min(entity, ground), max(entity, ground))
    assert hit.normal == ((0.0, -1.0) if is_first else (0.0, 1.0))
    assert hit.points == (contact.point,)
    assert (hit.depth, hit.time, hit.impulse) == (0.0, 1.0, 0.0)


def test_two_flush_tiles_below_it_are_both_hit(physics: Physics) -> None:
    tiles = {block(x, -1.0, x + 1.0, 0.0)[0] for x in (-1.0, 0.0)}
    entity, _ = standing(physics, AABBCollider(0.4, 0.5), 0.0, 1.0)
    for _ in range(3):
        esper.process(DT)
        assert partners(physics, entity) == tiles
        assert {contact.entity for contact in physics.move_character(entity, (0.0, -0.1)).contacts} == tiles


def test_the_hit_names_the_colliders_and_the_parts_that_touch(physics: Physics) -> None:
    ground = esper.create_entity(
        Transform(0.0, -1.0),
        CompoundCollider([AABBCollider(1.0, 1.0, offset_x=-5.0), AABBCollider(1.0, 1.0, offset_x=5.0)]),
        Solid(),
    )
    entity, _ = hero(CompoundCollider([CircleCollider(0.2, offset_y=2.0), CircleCollider(0.5)]), 5.0, 0.8)
    physics.move_character(entity, (0.0, -1.0))
    esper.process(DT)
    hit = the_hit(physics, entity, ground)
    assert (hit.part_a, hit.part_b) == (1, 1)
    assert (hit.collider_a, hit.collider_b) == (CircleCollider, AABBCollider)


def test_what_is_met_twice_in_a_step_is_one_hit_as_hard_as_the_harder(physics: Physics) -> None:
    wall, _ = block(1.0, -4.0, 2.0, 4.0)
    entity, _ = hero(CircleCollider(0.5), 0.0, 0.0)
    for way in (1.0, -0.2, 2.0, 0.3):
        physics.move_character(entity, (way, 0.0))
    esper.process(0.5)
    assert the_hit(physics, entity, wall).approach_speed == pytest.approx(4.0)
    assert len(physics.hits) == len(physics.hits.started) == 1


def test_an_overlap_counts_before_a_touch(physics: Physics) -> None:
    """Between two walls that leave it no room it overlaps both."""
    walls = {block(-2.0, -4.0, -0.3, 4.0)[0], block(0.3, -4.0, 2.0, 4.0)[0]}
    entity, _ = hero(CircleCollider(0.5), 0.0, 0.0)
    assert physics.move_character(entity, (0.5, 0.0)).crushed
    esper.process(DT)
    assert partners(physics, entity) == walls
    assert len(physics.hits) == 2
    assert (physics.hits.depth > 0.1).all()


def test_sensors_and_what_does_not_block_are_not_touched(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(9.0, 1.0, sensor=True), Solid())
    esper.create_entity(Transform(0.0, -3.0), AABBCollider(9.0, 1.0))
    entity, _ = hero(CircleCollider(0.5), 0.0, 0.5)
    physics.move_character(entity, (0.0, 0.0))
    esper.process(DT)
    assert len(physics.hits) == 0


def test_a_one_way_plank_is_hit_from_where_it_blocks(physics: Physics) -> None:
    plank, _ = block(-3.0, -0.2, 3.0, 0.0, OneWay())
    entity, _ = hero(CircleCollider(0.5), 0.0, -2.0)
    depths = []
    for _ in range(30):
        physics.move_character(entity, (0.0, 0.15))
        esper.process(DT)
        depths += [hit.depth for hit in physics.hits.of(entity)]
    assert depths
    assert min(depths) > 0.0
    physics.move_character(entity, (0.0, -5.0))
    esper.process(DT)
    assert the_hit(physics, entity, plank).depth == 0.0
    physics.move_character(entity, (0.0, -0.01), drop=True)
    esper.process(DT)
    assert [hit.depth > 0.0 for hit in physics.hits.of(entity)] == [True]


def test_two_characters_that_block_each_other_have_one_hit(physics: Physics) -> None:
    floor()
    pair = [esper.create_entity(Transform(x, 0.6), CircleCollider(0.5), Character(), Solid()) for x in (-1.0, 1.0)]
    for _ in range(10):
        physics.move_characters(pair, [(0.2, -0.1), (-0.2, -0.1)])
        esper.process(DT)
    hits = physics.hits.between(Character, Character)
    assert len(hits) == 1
    assert physics.hits.has(*pair)
    physics.move_character(pair[1], (1.0, 0.0))
    esper.process(DT)
    assert not physics.hits.has(*pair)


def test_a_hit_goes_on_while_neither_moves_and_ends_when_one_does(physics: Physics) -> None:
    ground, ground_place = block(-5.0, -1.0, 5.0, 0.0)
    entity, place = standing(physics, CircleCollider(0.5), 0.0, 1.0)
    for _ in range(200):  # until colliders sleep, and beyond
        esper.process(DT)
        assert physics.hits.has(entity, ground)
    assert the_hit(physics, entity, ground).approach_speed == 0.0
    ground_place.y -= 0.5
    esper.process(DT)
    assert not physics.hits.has(entity, ground)
    physics.move_character(entity, (0.0, -1.0))
    esper.process(DT)
    assert physics.hits.has(entity, ground)
    place.x += 0.25
    esper.process(DT)
    assert not physics.hits.has(entity, ground)
    assert physics.hits.ended.reason.tolist() == ["separated"]


def test_a_move_that_runs_into_nothing_ends_the_hits_of_the_last_one(physics: Physics) -> None:
    wall, _ = block(1.0, -4.0, 2.0, 4.0)
    entity = esper.create_entity(Transform(), CircleCollider(0.5))
    physics.move_and_slide(entity, (1.0, 0.0))
    esper.process(DT)
    esper.process(DT)
    assert physics.hits.has(entity, wall)
    physics.move_and_slide(entity, (0.0, 0.0))
    esper.process(DT)
    assert not physics.hits.has(entity, wall)


def test_a_floor_that_shrinks_under_a_character_is_hit_no_more(physics: Physics) -> None:
    shape = AABBCollider(5.0, 1.0)
    ground, _ = solid(shape, 0.0, -1.0)
    entity, _ = standing(physics, CircleCollider(0.5), 0.0, 1.0)
    esper.process(DT)
    assert physics.hits.has(entity, ground)
    shape.half_height = 0.5
    esper.process(DT)
    assert not physics.hits.has(entity, ground)


@pytest.mark.parametrize("of_character", [False, True])
@pytest.mark.parametrize("side", ["left", "right", "bottom", "top"])
def test_a_hit_that_goes_on_ends_when_one_side_of_either_box_is_elsewhere(
    physics: Physics, side: str, of_character: bool
) -> None:
    shape, own = AABBCollider(5.0, 1.0), AABBCollider(0.4, 0.5)
    ground, _ = solid(shape, 0.0, -1.0)
    entity, _ = standing(physics, own, 0.0, 1.0)
    for _ in range(3):
        esper.process(DT)
        assert physics.hits.has(entity, ground)
    changed = own if of_character else shape
    sign = 1.0 if side in ("left", "bottom") else -1.0
    if side in ("left", "right"):
        changed.half_width -= 0.05
        changed.offset_x += sign * 0.05
    else:
        changed.half_height -= 0.05
        changed.offset_y += sign * 0.05
    esper.process(DT)
    assert not physics.hits.has(entity, ground)


@pytest.mark.parametrize(
    ("reason", "change"),
    [
        ("despawned", lambda ground: esper.delete_entity(ground, immediate=True)),
        ("despawned", esper.delete_entity),
        ("removed", lambda ground: esper.remove_component(ground, AABBCollider)),
        ("disabled", lambda ground: esper.add_component(ground, Disabled())),
        ("filtered", lambda ground: esper.add_component(ground, CollisionFilter(layers=1, mask=2))),
    ],
)
@pytest.mark.parametrize("moves", [True, False])
def test_the_hit_ends_with_the_reason_of_what_ended_it(physics: Physics, reason: str, change: Any, moves: bool) -> None:
    ground = floor()
    entity, _ = standing(physics, CircleCollider(0.5), 0.0, 1.0)
    esper.process(DT)
    assert physics.hits.has(entity, ground)
    change(ground)
    if moves:
        physics.move_character(entity, (0.0, -0.1))
    esper.process(DT)
    assert physics.hits.ended.reason.tolist() == [reason]
    assert len(physics.hits) == 0


def test_a_touch_of_what_is_gone_before_the_step_is_no_hit(physics: Physics) -> None:
    ground = floor()
    entity, _ = standing(physics, CircleCollider(0.5), 0.0, 1.0)
    esper.delete_entity(ground, immediate=True)
    fresh = [esper.create_entity(Transform(90.0 + k, 0.0), AABBCollider(0.1, 0.1)) for k in range(4)]
    esper.process(DT)
    assert len(physics.hits) == 0
    assert not any(physics.hits.of(one) for one in (entity, *fresh))


def test_moves_without_a_step_are_remembered_in_bounded_room(physics: Physics) -> None:
    ground = floor()
    entity, _ = hero(CircleCollider(0.5), 0.0, 0.6)
    for k in range(5000):
        physics.move_character(entity, (0.1 if k % 20 < 10 else -0.1, -0.1))
    assert len(physics._state.touches.arrays.numbers) < 500
    esper.process(DT)
    assert physics.hits.has(entity, ground)
    assert len(physics.hits) == 1


def test_a_cleared_database_is_touched_by_nothing(physics: Physics) -> None:
    floor()
    standing(physics, CircleCollider(0.5), 0.0, 1.0)
    esper.clear_database()
    floor()
    hero(CircleCollider(0.5), 0.0, 0.6)
    esper.process(DT)
    assert len(physics.hits) == 0


@pytest.mark.parametrize("through_bytes", [True, False])
@pytest.mark.parametrize("is_pending", [True, False])
def test_a_restored_world_has_the_same_hits_in_the_next_step(
    physics: Physics, through_bytes: bool, is_pending: bool
) -> None:
    """Characters may have been moved between the last step and the snapshot."""
    gone = block(-9.0, 0.0, -8.0, 4.0)[0]
    ground, wall = floor(), block(1.0, 0.0, 2.0, 4.0)[0]
    entity, _ = standing(physics, CircleCollider(0.5), 0.0, 1.0)
    esper.delete_entity(gone, immediate=True)
    esper.process(DT)
    if is_pending:
        physics.move_character(entity, (1.0, -0.1))
    state = physics.snapshot()
    if through_bytes:
        state = Snapshot.from_bytes(state.to_bytes())
    esper.process(DT)
    after = physics.digest(), partners(physics, entity), physics.hits.approach_speed.tolist()
    assert after[1] == ({ground, wall} if is_pending else {ground})
    physics.move_character(entity, (-3.0, 1.0))
    esper.process(DT)
    esper.delete_entity(wall, immediate=True)
    esper.process(DT)
    physics.restore(state)
    esper.process(DT)
    assert (physics.digest(), partners(physics, entity), physics.hits.approach_speed.tolist()) == after


def test_a_step_cut_short_before_its_hits_were_found_loses_none(
    physics: Physics, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = floor()
    entity, _ = standing(physics, CircleCollider(0.5), 0.0, 1.0)
    ledger = Ledger()

    def stop() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(physics._state.hits.resting, "take_contacts", stop)
        with pytest.raises(KeyboardInterrupt):
            esper.process(DT)
    esper.process(DT)
    assert physics.hits.has(entity, ground)
    assert the_hit(physics, entity, ground).approach_speed > 0.0
    assert ledger.agrees(physics)


def test_a_bullet_and_a_touch_of_one_pair_are_one_hit(physics: Physics) -> None:
    wall, _ = block(3.0, -4.0, 3.1, 4.0)
    entity = esper.create_entity(Transform(), CircleCollider(0.5), Velocity(600.0, 0.0), ecsphys.Bullet())
    physics.move_and_slide(entity, (2.4, 0.0))
    physics.move_and_slide(entity, (0.4, 0.0))
    esper.process(DT)
    assert len(physics.hits.of(entity)) == 1
    assert the_hit(physics, entity, wall).normal == pytest.approx((1.0, 0.0))


def test_a_crate_lies_on_the_head_of_a_character_that_jumps_against_it(physics: Physics) -> None:
    """The touch of a step takes nothing from the solver: the crate does not sink in."""
    physics.gravity = (0.0, -10.0)
    floor()
    entity, place = hero(CapsuleCollider.upright(1.0, 0.3), 0.0, 0.51, Character(mass=2.0))
    crate_place = Transform(0.0, 1.55)
    crate = esper.create_entity(crate_place, OBBCollider(0.5, 0.5), RigidBody(), Solid())
    for _ in range(120):
        physics.move_character(entity, (0.0, -0.01))
        esper.process(DT)
    for k in range(60):
        physics.move_character(entity, (0.0, 0.05 if k % 10 == 0 else -0.01))
        esper.process(DT)
        assert physics.hits.has(entity, crate)
        assert crate_place.y - place.y > 0.95


def test_touches_have_room_however_their_number_grows_and_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many moves between two steps make one of the lists long; what is made of them is as long."""
    physics = ecsphys.install()
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(500.0, 0.5), Solid())
    heroes = [esper.create_entity(Transform(2.0 * i - 250.0, 0.5), AABBCollider(0.5, 0.5)) for i in range(250)]
    rooms: list[tuple[int, ...]] = []

    def watched(touches: Any, into: Any, marks: Any, *others: Any) -> int:
        count, contacts = int(touches.counts[0]), others[3]
        rooms.append((count, len(into.numbers), len(marks.following), *(len(array) for array in contacts)))
        return gather_touches(touches, into, marks, *others)

    monkeypatch.setattr(touches_module, "gather_touches", watched)
    random = np.random.default_rng(29)
    for _ in range(60):
        moved = random.choice(heroes, int(random.integers(1, 250)), replace=False)
        for _ in range(int(random.choice([1, 1, 2, 12]))):
            for mover in moved.tolist():
                physics.move_and_slide(mover, (0.0, -0.01))
        esper.process(DT)
    assert max(count for count, *_ in rooms) > 500
    assert all(min(lengths) >= count for count, *lengths in rooms)


def test_moves_without_a_step_keep_few_touches_among_any_number_of_tiles(physics: Physics) -> None:
    for k in range(4_000):
        solid(AABBCollider(0.5, 0.5), k % 200, -(k // 200))
    mover, _ = hero(CapsuleCollider(0.6, 0.3), 50.0, 1.2)
    for k in range(600):
        physics.move_character(mover, (0.01 * (-1) ** k, -0.01))
    assert 0 < len(physics._state.touches) <= 64

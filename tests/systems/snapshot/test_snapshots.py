"""Snapshots: after ``physics.restore`` everything is, and goes on, as it was and went on before, to the last bit."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import esper
import pytest
from whole_world import DT, Brain, Health, WholeWorld, everything, first_difference

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    HitListener,
    OBBCollider,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.systems.snapshot.saved_world import decode, encode

STEPS = 10
CHECKSUM = 16


def _nothing(world: WholeWorld) -> None:
    pass


def _clear(world: WholeWorld) -> None:
    esper.clear_database()
    esper.create_entity(Transform(), CircleCollider(1))
    esper.process(DT)


def _churn(world: WholeWorld) -> None:
    """Deletions, creations, components that come, go and are replaced; with steps in between."""
    for entity in world.heap[:5]:
        esper.delete_entity(entity, immediate=True)
    esper.delete_entity(world.walkers[0], immediate=True)
    esper.delete_entity(world.laser)
    esper.create_entity(Transform(0, 3), CircleCollider(3), RigidBody())
    esper.remove_component(world.stack[0], RigidBody)
    esper.add_component(int(world.still[0]), Velocity(1, 1))
    esper.add_component(world.stack[1], Transform(0, 9))
    esper.add_component(world.disabled, Brain("new"))
    for _ in range(3):
        esper.process(DT)
    if esper.entity_exists(world.rope):
        esper.delete_entity(world.rope, immediate=True)
    esper.add_component(world.ghost, OBBCollider(1, 1))
    esper.component_for_entity(world.stack[2], RigidBody).friction = 0.9
    esper.component_for_entity(world.filtered, ecsphys.CollisionFilter).mask = 7
    esper.component_for_entity(world.heap[7], PolygonCollider).vertices = [(0, 0), (1, 0), (1, 1), (0, 1)]
    esper.component_for_entity(world.paths[4], ecsphys.PathTrajectory).points = [(0, 0), (5, 5)]
    esper.process(DT)


@pytest.mark.parametrize("between", [_nothing, _churn, _clear])
@pytest.mark.parametrize("fixed_step", [None, 60])
def test_steps_after_a_restore_are_the_same_to_the_bit(
    between: Callable[[WholeWorld], None], fixed_step: float | None
) -> None:
    world = WholeWorld(fixed_step)
    world.step(20)
    own, state, seen = world.own_state(), world.physics.snapshot(), everything(world.physics)
    went = world.run(STEPS)
    between(world)
    for _ in range(2):
        world.physics.restore(state)
        world.put_own_state(own)
        assert everything(world.physics) == seen
        assert first_difference(went, world.run(STEPS)) == ""


@pytest.mark.parametrize("fixed_step", [None, 60])
@pytest.mark.parametrize("between", [_nothing, _churn])
def test_a_snapshot_right_after_a_restore_has_the_same_state(
    between: Callable[[WholeWorld], None], fixed_step: float | None
) -> None:
    world = WholeWorld(fixed_step)
    world.save_plain()
    world.step(20)
    own, first = world.own_state(), world.physics.snapshot()
    saved = first.to_bytes()
    went = world.run(STEPS)
    for source in (first, ecsphys.types.Snapshot.from_bytes(saved)):
        between(world)
        world.physics.restore(source)
        again = world.physics.snapshot()
        assert _by_name(again.to_bytes()) == _by_name(saved)
        world.run(2)
        world.physics.restore(again)
        world.put_own_state(own)
        world.listen()
        assert first_difference(went, world.run(STEPS)) == ""


def _by_name(saved: bytes) -> dict[str, bytes]:
    """The content of a saved snapshot, whatever order its classes are in."""
    tree = decode(saved)
    parts = {f"class {entry['name']}": entry for entry in tree.pop("classes")}
    parts |= {f"table {name}": table for name, table in tree["physics"].pop("tables").items()}
    parts |= {f"{kind} {entry[:-1]}": entry[-1] for kind in ("objects", "systems") for entry in tree.pop(kind)}
    return {name: encode(part) for name, part in (tree | parts).items()}


def _all_components() -> set[type[Any]]:
    """Every class of the package that is attached to entities: of columns, and of what is public besides."""

    def below(cls: type[Any]) -> set[type[Any]]:
        return {cls}.union(*map(below, cls.__subclasses__())) if cls.__subclasses__() else {cls}

    columns = {cls for cls in below(ecsphys.Component) if cls.__module__.startswith("ecsphys.components.")}
    public = {value for value in vars(ecsphys).values() if isinstance(value, type)}
    plain = {cls for cls in public if cls.__module__.startswith("ecsphys.components.") and not issubclass(cls, IntEnum)}
    # What no entity has: bases, and what others return.
    return (columns | plain) - {ecsphys.Component, ecsphys.CollisionTable, ecsphys.effects.VisibleTiles, ecsphys.Joint}


def _attached() -> set[type[Any]]:
    return {type(one) for entity in esper.get_entities() for one in _components_of(entity)}


def _components_of(entity: int) -> tuple[Any, ...]:
    return esper.components_for_entity(entity)


def test_the_whole_world_has_each_class_of_components() -> None:
    world = WholeWorld()
    there = _attached()
    world.step()
    there |= _attached()
    missing = sorted(cls.__name__ for cls in _all_components() - there if not cls.__subclasses__())
    assert missing == [], "whole_world.py must have them, so that snapshots of them are tested"


def test_a_snapshot_changes_nothing() -> None:
    worlds = []
    for takes in (False, True):
        esper.switch_world(f"takes: {takes}")
        world = WholeWorld()
        kept = None
        seen = []
        for _ in range(8):
            seen += world.run(3)
            if takes:
                kept = world.physics.snapshot(kept)
        worlds.append(seen)
    assert first_difference(*worlds) == ""


def test_older_and_newer_snapshots_of_one_world() -> None:
    world = WholeWorld()
    kept, went = [], []
    for number in range(4):
        kept.append((world.own_state(), world.physics.snapshot()))
        went.append(world.run(5))
        if number % 2:
            esper.delete_entity(world.heap.pop(), immediate=True)
    # The game's list lost two, which are back: plays differ, the worlds do not.
    for number in (3, 0, 2, 0, 1):
        own, state = kept[number]
        world.physics.restore(state)
        world.put_own_state(own)
        seen = everything(world.physics)
        world.physics.restore(state)
        assert everything(world.physics) == seen
    assert len(went) == 4


def test_what_was_deleted_at_once_before_the_snapshot_ends_after_each_restore() -> None:
    physics = ecsphys.install()
    ended: list[Any] = []

    def on_end(hit: Any) -> None:
        ended.append((hit.entity_a, hit.entity_b, hit.reason, hit.depth))

    esper.set_handler("hit_ended", on_end)
    a, b, c = (esper.create_entity(Transform(x, 0), CircleCollider(1)) for x in (0.0, 1.5, 3.0))
    esper.process(DT)
    esper.delete_entity(b, immediate=True)
    state = physics.snapshot()
    esper.process(DT)
    went = list(ended)
    assert [hit[:3] for hit in went] == [(a, b, "despawned"), (b, c, "despawned")]
    for _ in range(3):
        others = ecsphys.spawn_many(5, Transform.many(x=9.0), CircleCollider.many(0.1))
        esper.process(DT)
        ended.clear()
        physics.restore(state)
        assert not esper.entity_exists(int(others[0]))
        esper.process(DT)
        assert ended == went


def test_entities_come_back_with_their_numbers_and_instances() -> None:
    physics = ecsphys.install()
    health, brain = Health(5.0, team=2), Brain("wait")
    entity = esper.create_entity(health, brain, Transform(1, 2))
    bare = esper.create_entity()
    dying = esper.create_entity(Transform())
    esper.delete_entity(dying)
    state = physics.snapshot()
    esper.delete_entity(entity, immediate=True)
    esper.delete_entity(bare, immediate=True)
    esper.process(DT)
    new = esper.create_entity(Transform(), Health())
    health.points = 1.0
    physics.restore(state)
    assert esper.components_for_entity(entity) == (health, brain, Transform(1, 2))
    assert esper.component_for_entity(entity, Health) is health
    assert health.points == 5.0
    assert sorted(esper.get_entities()) == [entity, bare, dying]
    assert not esper.entity_exists(dying)
    assert esper.create_entity() == new


def test_plain_classes_come_along_by_two_functions() -> None:
    class Director(esper.Processor):
        wave = 0

        def process(self, dt: float) -> None:
            self.wave += 1

    physics, director, brain = ecsphys.install(), Director(), Brain("wait")
    esper.add_processor(director)
    esper.create_entity(brain)
    physics.add_to_snapshots(Brain, lambda one: one.thoughts, lambda one, value: setattr(one, "thoughts", value))
    physics.add_to_snapshots(Director, lambda one: one.wave, lambda one, value: setattr(one, "wave", value))
    state = physics.snapshot()
    esper.process(DT)
    brain.thoughts = 4
    physics.restore(state)
    assert (brain.thoughts, director.wave) == (0, 0)
    for bad in (Health, 3):
        with pytest.raises(TypeError, match="plain class"):
            physics.add_to_snapshots(bad, len, print)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="put must be a function"):
        physics.add_to_snapshots(Brain, len, None)  # type: ignore[arg-type]


def test_two_worlds_are_restored_one_by_one() -> None:
    found = []
    for name in ("one", "two"):
        esper.switch_world(name)
        physics = ecsphys.install()
        ball = esper.create_entity(Transform(), Velocity(1, 0), CircleCollider(1))
        found.append((name, physics, ball, physics.snapshot()))
    for name, physics, _, _ in found:
        esper.switch_world(name)
        esper.process(DT)
        assert physics is not None
    esper.switch_world("one")
    found[0][1].restore(found[0][3])
    assert esper.component_for_entity(found[0][2], Transform).x == 0.0
    esper.switch_world("two")
    assert esper.component_for_entity(found[1][2], Transform).x > 0.0
    with pytest.raises(RuntimeError, match="belongs to the world 'one'"):
        found[0][1].restore(found[0][3])
    with pytest.raises(ValueError, match="another Physics"):
        found[1][1].restore(found[0][3])
    with pytest.raises(TypeError, match="must be a Snapshot, got 3"):
        found[1][1].restore(3)  # type: ignore[arg-type]


def test_handlers_and_stages_cannot_restore() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1), RigidBody())
    esper.create_entity(Transform(), CircleCollider(1), Solid())
    state = physics.snapshot()
    errors: list[str] = []

    def restore(*_: object) -> None:
        for call in (lambda: physics.restore(state), physics.snapshot):
            try:
                call()
            except RuntimeError as error:
                errors.append(str(error))

    esper.set_handler("hit_started", restore)
    physics.pre_solve = restore
    esper.process(DT)
    esper.process(DT)
    assert len(errors) >= 4
    assert all("must not be called by a system or a handler" in error for error in errors)
    physics.restore(state)


def test_a_restore_that_is_cut_short_is_completed_by_the_next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    world = WholeWorld()
    world.step(6)
    own, state = world.own_state(), world.physics.snapshot()
    went = world.run(3)
    _churn(world)
    joints = world.physics._state.joints

    def interrupt() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(joints, "update", interrupt)
        with pytest.raises(KeyboardInterrupt):
            world.physics.restore(state)
    esper.process(0.0)
    world.physics.restore(state)
    world.put_own_state(own)
    assert first_difference(went, world.run(3)) == ""


def test_listeners_of_what_was_restored_hear_of_its_hits() -> None:
    physics = ecsphys.install()
    heard: list[str] = []
    listener = HitListener(on_started=lambda hit: heard.append("started"), on_ended=lambda hit: heard.append("ended"))
    ball = esper.create_entity(Transform(), CircleCollider(1), listener)
    other = esper.create_entity(Transform(1, 0), CircleCollider(1))
    state = physics.snapshot()
    for _ in range(2):
        esper.process(DT)
        esper.delete_entity(other, immediate=True)
        esper.process(DT)
        assert heard == ["started", "ended"]
        heard.clear()
        physics.restore(state)
    assert esper.component_for_entity(ball, HitListener) is listener


def test_a_snapshot_is_taken_into_another_without_new_arrays() -> None:
    physics = ecsphys.install()
    ecsphys.spawn_many(50, Transform.many(), Velocity.many(x=1.0), CircleCollider.many(0.1))
    ring = [physics.snapshot() for _ in range(3)]
    for step in range(9):
        esper.process(DT)
        before = ring[step % 3]._values[Velocity].blocks[0]
        ring[step % 3] = physics.snapshot(into=ring[step % 3])
        assert ring[step % 3]._values[Velocity].blocks[0] is before
    clocks = [state.clock for state in ring]
    assert sorted(set(clocks)) == clocks
    assert repr(ring[0]).startswith("<Snapshot at 0.1")


def test_digests_agree_wherever_states_do() -> None:
    world = WholeWorld()
    world.step(5)
    state, own, digest = world.physics.snapshot(), world.own_state(), world.physics.digest()
    went = []
    for _ in range(6):
        world.step()
        went.append(world.physics.digest())
    assert len({digest, *went}) == 7
    _churn(world)
    world.physics.restore(state)
    world.put_own_state(own)
    assert world.physics.digest() == digest
    for expected in went:
        world.step()
        assert world.physics.digest() == expected


def test_a_digest_depends_on_values_and_not_on_rows() -> None:
    digests = []
    for name, spares in (("one", 0), ("other", 7)):
        esper.switch_world(name)
        spare = [Transform(9, 9) for _ in range(spares)]
        physics = ecsphys.install()
        esper.create_entity(Transform(1, 2), Velocity(0.5, 0), CircleCollider(1))
        esper.create_entity(Transform(2, 2), Health())
        del spare[::2]
        esper.process(DT)
        digests.append(physics.digest())
    assert digests[0] == digests[1]


def test_each_change_of_a_value_is_another_digest() -> None:
    physics = ecsphys.install()
    entities = [esper.create_entity(Transform(1, 2), Velocity(1, 1)) for _ in range(3)]
    velocities = [esper.component_for_entity(entity, Velocity) for entity in entities]
    found = {physics.digest()}
    for velocity in velocities:
        velocity.x, velocity.y = -velocity.x, -velocity.y
        found.add(physics.digest())
    velocities[0].x = 0.0
    found.add(physics.digest())
    velocities[0].x = -0.0
    found.add(physics.digest())
    esper.component_for_entity(entities[0], Transform).x = 5e-324
    found.add(physics.digest())
    esper.add_component(entities[1], Brain("new"))
    found.add(physics.digest())
    esper.delete_entity(entities[2])
    found.add(physics.digest())
    assert len(found) == 9
    assert all(0 <= digest < 2**64 for digest in found)


@pytest.mark.parametrize("fixed_step", [None, 60])
def test_bytes_go_on_in_a_fresh_world_to_the_bit(fixed_step: float | None) -> None:
    world = WholeWorld(fixed_step)
    world.save_plain()
    world.step(10)
    own, saved, seen = world.own_state(), world.physics.snapshot().to_bytes(), everything(world.physics)
    went = world.run(STEPS)
    esper.switch_world("fresh")
    other = WholeWorld(fixed_step)
    other.save_plain()
    # Rows and slots are others.
    for entity in other.heap[10:]:
        esper.delete_entity(entity, immediate=True)
    esper.process(DT)
    esper.process(DT)
    other.trace.clear()
    other.physics.restore(ecsphys.types.Snapshot.from_bytes(saved))
    other.put_own_state(own)
    other.listen()
    assert everything(other.physics) == seen
    assert first_difference(went, other.run(STEPS)) == ""


def test_damaged_truncated_and_foreign_bytes_are_refused_and_change_nothing() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(1, 2), Health(5.0))
    saved = physics.snapshot().to_bytes()
    digest = physics.digest()
    for place in range(0, len(saved), 7):
        damaged = bytearray(saved)
        damaged[place] ^= 1
        with pytest.raises(ValueError, match="snapshot"):
            ecsphys.types.Snapshot.from_bytes(damaged)
        with pytest.raises(ValueError, match="snapshot"):
            ecsphys.types.Snapshot.from_bytes(saved[:place])
    with pytest.raises(ValueError, match="bytes of an ecsphys snapshot"):
        ecsphys.types.Snapshot.from_bytes(b"PK\3\4" + saved)
    with pytest.raises(TypeError, match="must be the bytes of a snapshot, got str"):
        ecsphys.types.Snapshot.from_bytes("text")
    assert physics.digest() == digest


def test_bytes_of_another_format_are_refused_with_the_version_that_reads_them() -> None:
    saved = ecsphys.install().snapshot().to_bytes()
    for number, version in ((5, "ecsphys 0.1.0 of November 2026 reads it"), (7, "use the version that saved it")):
        other = saved[:8] + number.to_bytes(4, "little") + saved[12:]
        with pytest.raises(ValueError, match=f"has the format {number}; .* reads format 6: {version}"):
            ecsphys.types.Snapshot.from_bytes(other)


def test_bytes_with_what_cannot_be_are_refused_before_anything_changes() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(1, 2), Health(5.0))
    digest = physics.digest()
    tree = decode(physics.snapshot().to_bytes())

    def refused(message: str) -> None:
        with pytest.raises(ValueError, match=message):
            physics.restore(ecsphys.types.Snapshot.from_bytes(encode(tree)))
        assert physics.digest() == digest

    (health,) = (entry for entry in tree["classes"] if entry["name"].endswith("Health"))
    health["fields"]["points"][0] = -1.0
    refused("Health.points must be at least 0, got -1.0")
    health["fields"]["points"][0] = float("nan")
    refused("Health.points must be finite, got nan")
    health["fields"]["speed"] = health["fields"].pop("points")
    refused("has Health.speed, but this class has no such field")
    health["name"] = "game.Mana"
    refused("components of the class game.Mana, which is not imported")
    del tree["classes"]
    refused("content has missing or unknown entries: classes")


def test_fractions_that_cannot_be_are_refused() -> None:
    physics = ecsphys.install(fixed_step=60)
    esper.process(0.01)
    saved = physics.snapshot().to_bytes()
    content = saved[:-CHECKSUM]
    at = content.index(b'{"fraction":[')
    end = content.index(b"]", at)
    for forged in (b"1,0", b'"1"', b"1.5,2", b"1", b"1,2,3"):
        text = forged.ljust(end - at - 13)
        assert len(text) == end - at - 13
        other = content[: at + 13] + text + content[end:]
        with pytest.raises(ValueError, match="the snapshot is malformed"):
            ecsphys.types.Snapshot.from_bytes(other + hashlib.blake2b(other, digest_size=CHECKSUM).digest())


def test_bytes_have_the_breaks_of_joints_that_no_handler_was_told_of_yet() -> None:
    physics = ecsphys.install()
    a, b = (esper.create_entity(Transform(x, 0.0), CircleCollider(0.2), RigidBody()) for x in (0.0, 1.0))
    joint = esper.create_entity(ecsphys.DistanceJoint.at(a, b, 0.0, 0.0, 1.0, 0.0))
    esper.process(DT)
    esper.delete_entity(a, immediate=True)
    saved = physics.snapshot().to_bytes()
    esper.switch_world("fresh")
    other = ecsphys.install()
    told: list[ecsphys.types.JointBreak] = []
    hear = told.append
    esper.set_handler("joint_broken", hear)
    other.restore(ecsphys.types.Snapshot.from_bytes(saved))
    esper.process(DT)
    esper.process(DT)
    assert [(one.entity, one.entity_a, one.entity_b, one.reason) for one in told] == [(joint, a, b, "despawned")]
    assert told[0].joint.length == 1.0  # type: ignore[attr-defined]


def test_bytes_have_the_poses_between_which_is_drawn() -> None:
    def drawn(physics: ecsphys.Physics, entity: int) -> tuple[float, float, float]:
        assert physics.fixed_step is not None
        return physics.fixed_step.pose(entity)

    physics = ecsphys.install(fixed_step=10)
    mover = esper.create_entity(Transform(1.0, 2.0, 0.5), Velocity(10.0, -5.0, 1.0))
    drawn(physics, mover)
    esper.process(0.125)
    esper.process(0.125)
    expected = drawn(physics, mover)
    at = esper.component_for_entity(mover, Transform)
    assert expected != (at.x, at.y, at.angle)
    saved = physics.snapshot().to_bytes()
    esper.switch_world("fresh")
    other = ecsphys.install(fixed_step=10)
    # Rows are others.
    unused = esper.create_entity(Transform(7.0, 7.0))
    drawn(other, unused)
    other.restore(ecsphys.types.Snapshot.from_bytes(saved))
    assert drawn(other, mover) == expected


def test_a_physics_that_was_installed_in_another_world_takes_no_snapshot_of_this_one() -> None:
    physics = ecsphys.install()
    home = esper.current_world
    esper.switch_world("another")
    esper.create_entity(Transform())
    for call in (physics.snapshot, physics.digest):
        with pytest.raises(RuntimeError, match=f"belongs to the world '{home}', not to 'another'"):
            call()
    esper.switch_world(home)
    assert len(list(esper.get_entities())) == 0
    physics.restore(physics.snapshot())


def test_a_physics_keeps_nothing_alive_by_snapshots_that_the_game_let_go() -> None:
    physics = ecsphys.install()
    esper.create_entity(Health(), Transform(), CircleCollider(1))
    kept = Health._columns.live_rows
    physics.snapshot()
    physics.digest()
    esper.clear_database()
    esper.process(DT)
    physics.digest()
    gc.collect()
    assert Health._columns.live_rows == kept - 1


def test_an_error_of_the_game_in_a_restore_is_raised_once() -> None:
    def fail(brain: Brain, value: object) -> None:
        raise ZeroDivisionError

    physics = ecsphys.install()
    esper.create_entity(Brain("wait"), Transform())
    physics.add_to_snapshots(Brain, lambda brain: brain.plan, fail)
    state = physics.snapshot()
    with pytest.raises(ZeroDivisionError):
        physics.restore(state)
    esper.process(DT)


def test_bytes_of_a_world_in_which_a_body_has_just_fallen_asleep_are_taken_back() -> None:
    physics = ecsphys.install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(50.0, 1.0), Solid())
    body = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    esper.process(1 / 60)
    physics.bodies.sleep(body)
    before = physics.digest()
    state = ecsphys.types.Snapshot.from_bytes(physics.snapshot().to_bytes())
    ends = []
    for _ in range(2):
        for _ in range(3):
            esper.process(1 / 60)
        ends.append(physics.digest())
        physics.restore(state)
        assert physics.digest() == before
    assert ends[0] == ends[1]
    assert physics.bodies.is_asleep(body)

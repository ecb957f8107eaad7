"""A recorded game replays to the same bits; one that was changed is named by its first step and entity."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import esper
import pytest
from whole_world import DT, WholeWorld

import ecsphys
from ecsphys import (
    AABBCollider,
    ChainCollider,
    CircleCollider,
    CompoundCollider,
    Controller,
    InputState,
    Lifetime,
    PathTrajectory,
    PolygonCollider,
    RigidBody,
    Transform,
    Velocity,
)
from ecsphys.replay import Difference, Game, Recorder, Recording, replay
from ecsphys.replay.__main__ import main
from ecsphys.replay.recording import Fingerprints
from ecsphys.systems import ControlSystem, LifetimeSystem

BALL, HERO = 2, 5


def small_world(fixed_step: float | None = None, gravity: float = -9.8) -> tuple[ecsphys.Physics, InputState]:
    """A floor, three balls that fall, and a hero that keys move."""
    physics = ecsphys.install(gravity=(0.0, gravity), fixed_step=fixed_step)
    keys = InputState()
    control, lifetime = ControlSystem(physics, keys), LifetimeSystem(physics)
    if physics.fixed_step is not None:
        physics.fixed_step.add(control, ecsphys.Priority.INPUT)
        physics.fixed_step.add(lifetime, ecsphys.Priority.LIFETIME)
    else:
        esper.add_processor(control, ecsphys.Priority.INPUT)
        esper.add_processor(lifetime, ecsphys.Priority.LIFETIME)
    esper.create_entity(Transform(0, -1), AABBCollider(9, 1), RigidBody("static"))
    for n in range(3):
        esper.create_entity(Transform(n, 1 + n), CircleCollider(0.4), RigidBody(restitution=0.5))
    esper.create_entity(Transform(-3, 0.5), Velocity(), Controller(speed=4), CircleCollider(0.3))
    esper.create_entity(Transform(5, 5), Lifetime(0.4))
    return physics, keys


def record_small_world(path: Path, steps: int = 40, fixed_step: float | None = None) -> None:
    physics, keys = small_world(fixed_step)
    with Recorder(path, physics) as recorder:
        for number in range(steps):
            keys.x = float(number // 10 % 3 - 1)
            if number == 5:
                keys.press("jump")
            if number == 15:
                keys.release("jump")
                physics.gravity = (0.0, -5.0)
                physics.settings.sleep_speed = 0.1
            if number == 20:
                esper.create_entity(Transform(1, 6), CircleCollider(0.2), RigidBody())
                recorder.take_world()
            if physics.fixed_step is not None and number == 25:
                physics.fixed_step.step_once()
            recorder.step(DT if fixed_step is None else DT * (1 + number % 3))


def changed_game(gravity: float = -9.8, moved_at: int = 0, moved: int = BALL) -> Game:
    """The small world; in step ``moved_at`` an entity is moved by a little."""
    physics, _ = small_world(gravity=gravity)
    count = 0

    def step(dt: float) -> None:
        nonlocal count
        count += 1
        if count == moved_at:
            esper.component_for_entity(moved, Transform).x += 1e-12
        if count == 3:
            esper.create_entity(Transform(-8, 8), Velocity(1, 0))
        esper.process(dt)

    return Game(physics, step=step)


def record_game(path: Path, game: Game, steps: int = 12, **options: Any) -> None:
    with Recorder(path, game, **options) as recorder:
        for _ in range(steps):
            recorder.step(DT)


def record_raising(path: Path) -> None:
    game = raising_game()
    with Recorder(path, game) as recorder:
        for number in range(6):
            if number == 3:
                with pytest.raises(ZeroDivisionError):
                    recorder.step(DT)
            else:
                recorder.step(DT)


def raising_game(raises: bool = True) -> Game:
    physics, _ = small_world()
    count = 0

    def step(dt: float) -> None:
        nonlocal count
        count += 1
        esper.process(dt)
        if count == 4 and raises:
            raise ZeroDivisionError

    return Game(physics, step=step)


def whole_game() -> Game:
    world = WholeWorld()
    return Game(world.physics, step=lambda dt: world.step())


@pytest.mark.parametrize("fixed_step", [None, 60])
def test_a_world_moved_by_inputs_replays_without_its_game(tmp_path: Path, fixed_step: float | None) -> None:
    path = tmp_path / "a.replay"
    record_small_world(path, fixed_step=fixed_step)
    recording = Recording(path)
    assert (recording.step_count, recording.is_whole, recording.missing) == (40, True, [])
    worlds = esper.list_worlds()
    assert replay(recording) is None
    assert esper.list_worlds() == worlds


def test_a_game_with_everything_replays_by_its_function(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    record_game(path, whole_game(), 15, function="whole:game")
    with pytest.raises(ValueError, match=r"needs its game: it was made by whole:game; .* a function"):
        replay(path)
    assert replay(path, whole_game) is None


def test_a_recording_that_began_in_the_midst_of_a_game_restores_its_world(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    physics, keys = small_world()
    for _ in range(10):
        esper.process(DT)
    keys.x = 1.0
    record_game(path, Game(physics, [keys]))
    assert replay(path) is None
    assert replay(path, lambda: small_world()[0]) is None


@pytest.mark.parametrize(
    ("change", "step", "entity"),
    [
        ({"gravity": -9.7}, 1, 2),
        ({"moved_at": 7}, 7, BALL),
        ({"moved_at": 9, "moved": HERO}, 9, HERO),
    ],
)
def test_a_changed_game_is_named_by_step_and_entity(
    tmp_path: Path, change: dict[str, Any], step: int, entity: int
) -> None:
    path = tmp_path / "a.replay"
    record_game(path, changed_game())
    found = replay(path, lambda: changed_game(**change))
    assert isinstance(found, Difference)
    assert (found.step, found.entity) == (step, entity)
    assert found.seconds == pytest.approx(step * DT)
    assert str(found).startswith(f"step {step} ({step * DT:.3f} s) differs: entity {entity} has other values")
    # What differs is the current world, to be looked at.
    assert esper.entity_exists(entity)


OUTLINED: dict[str, Callable[[float], list[Any]]] = {
    "polygon": lambda x: [PolygonCollider([(0, 0), (1, 0), (x, 1)])],
    "part of a compound": lambda x: [CompoundCollider([CircleCollider(0.2), CircleCollider(x)])],
    "outline of a part": lambda x: [CompoundCollider([PolygonCollider([(0, 0), (1, 0), (x, 1)])])],
    "chain": lambda x: [ChainCollider([(0, 0), (1, 0), (2, x)])],
    "path": lambda x: [PathTrajectory([(0, 0), (x, 1)], speed=1.0)],
}


@pytest.mark.parametrize("what", OUTLINED)
def test_fingerprints_are_of_outlines_paths_and_parts_wherever_they_lie(what: str) -> None:
    def number_of(x: float) -> int:
        esper.clear_database()
        entity = esper.create_entity(Transform(), *OUTLINED[what](x))
        entities, numbers = Fingerprints().take()
        assert entities.tolist() == [entity]
        return int(numbers[0])

    first = number_of(0.5)
    kept = PolygonCollider([(0, 0), (1, 0), (0, 1)]), CircleCollider(1.0)
    assert number_of(0.5) == first
    assert number_of(0.625) != first
    assert len(kept) == 2


def test_a_compound_with_another_part_is_named(tmp_path: Path) -> None:
    def game(radius: float = 0.25) -> Game:
        physics, _ = small_world()
        count = 0

        def step(dt: float) -> None:
            nonlocal count
            count += 1
            if count == 3:
                shape = CompoundCollider([CircleCollider(0.5), CircleCollider(radius, 1.0)])
                assert esper.create_entity(Transform(20.0, 0.0), shape) == 7
            esper.process(dt)

        return Game(physics, step=step)

    path = tmp_path / "a.replay"
    record_game(path, game())
    found = replay(path, lambda: game(0.26))
    assert found is not None
    assert (found.step, found.entities) == (3, (7,))


def test_another_dt_is_named_by_step_and_all_that_moves(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    record_game(path, changed_game())

    def slower() -> Game:
        other = changed_game()
        step = other.step
        other.step = lambda dt: step(0.5 * dt)
        return other

    found = replay(path, slower)
    assert found is not None
    assert (found.step, found.entity, found.entities) == (1, 2, (2, 3, 4, 6))


@pytest.mark.parametrize("is_there", [True, False])
def test_an_entity_too_many_or_too_few_is_named(tmp_path: Path, is_there: bool) -> None:
    path = tmp_path / "a.replay"

    def more(count: int) -> Game:
        game = changed_game()
        step = game.step

        def stepped(dt: float) -> None:
            nonlocal count
            count -= 1
            step(dt)
            if count == 0:
                esper.delete_entity(3, immediate=True)

        game.step = stepped
        return game

    record_game(path, more(100 if is_there else 5))
    found = replay(path, lambda: more(5 if is_there else 100))
    assert found is not None
    assert (found.step, found.entities) == (5, (3,))
    assert ("is not there, and was" if is_there else "is there, and was not") in found.reason


def test_without_fingerprints_a_difference_is_named_by_its_step_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    record_game(path, changed_game(), fingerprints=False)
    found = replay(path, lambda: changed_game(moved_at=4))
    assert found is not None
    assert (found.step, found.entity) == (4, None)


def test_an_error_that_was_recorded_is_raised_again_and_the_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    record_raising(path)
    assert replay(path, raising_game) is None
    found = replay(path, lambda: raising_game(raises=False))
    assert found is not None
    assert (found.step, found.reason) == (4, "it raised ZeroDivisionError when it was recorded")
    esper.switch_world("another")
    record_game(path, raising_game(raises=False))
    with pytest.raises(ZeroDivisionError) as raised:
        replay(path, raising_game)
    assert "in step 4 of the replay" in raised.value.__notes__[0]


def test_a_game_that_dies_leaves_the_inputs_of_the_step_that_it_died_in(tmp_path: Path) -> None:
    path, left = tmp_path / "a.replay", tmp_path / "left.replay"
    game = changed_game()
    with Recorder(path, game) as recorder:
        for _ in range(8):
            recorder.step(0.02)
        game.step = lambda dt: left.write_bytes(path.read_bytes())
        recorder.step(0.03)
    recording = Recording(left)
    assert (recording.step_count, recording.is_whole) == (9, False)
    last = list(recording.steps())[-1]
    assert (last.dt, last.has_outcome) == (0.03, False)
    assert replay(recording, changed_game) is None


def test_no_function_is_called_that_only_the_file_names(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    record_game(path, changed_game(), function="os:abort")
    with pytest.raises(ValueError, match="needs its game: it was made by os:abort"):
        replay(path)


def test_the_command_says_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    same, changed, foreign = (tmp_path / name for name in ("same.replay", "changed.replay", "foreign.replay"))
    record_small_world(same, steps=22)
    assert main([str(same)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{same}: 22 steps, {22 * DT:g} s, recorded with ecsphys {ecsphys.__version__}"
    assert second.startswith("the same in every step; replayed in ")
    esper.switch_world("changed")
    record_game(changed, changed_game(moved_at=6))
    assert main([str(changed)]) == 2
    assert "needs its game: pass --game" in capsys.readouterr().err
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    assert main([str(changed), "--game", "test_replay:changed_game"]) == 1
    out = capsys.readouterr().out
    assert f"step 6 (0.100 s) differs: entity {BALL} has other values" in out
    assert "Transform(x=" in out
    foreign.write_bytes(os.urandom(100))
    assert main([str(foreign)]) == 2
    assert main([str(tmp_path / "none")]) == 2
    assert main([str(changed), "--game", "test_replay:nothing"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3
    assert "is not a recording of ecsphys" in errors[0]
    assert "must name a function" in errors[2]


@pytest.mark.parametrize("wrong", [7, None])
def test_what_is_no_game_is_refused(tmp_path: Path, wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"Game\.physics must be a Physics"):
        Recorder(tmp_path / "a.replay", wrong)
    physics, _ = small_world()
    with pytest.raises(TypeError, match="must have the methods to_bytes and read_bytes"):
        Game(physics, [wrong])
    with pytest.raises(TypeError, match="step must be a function"):
        Game(physics, step=7)  # type: ignore[arg-type]
    assert not (tmp_path / "a.replay").exists()


@pytest.mark.parametrize("wrong", [b"", b"short", bytes(16) + b"{", bytes(16) + b"[[],[]]", bytes(16) + b"7"])
def test_an_input_state_refuses_bytes_of_others_and_stays_as_it_is(wrong: bytes) -> None:
    keys = InputState(0.5)
    keys.press("jump")
    with pytest.raises(ValueError, match="must be the bytes of an InputState"):
        keys.read_bytes(wrong)
    assert (keys.x, keys.pressed) == (0.5, {"jump"})

"""Steps of a fixed length: how many there are, what runs in them, and that the physics is the same in any frames."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    BroadphaseSystem,
    CircleCollider,
    EulerMotionSystem,
    FixedStep,
    Gravity,
    Hit,
    OBBCollider,
    Physics,
    Transform,
    Velocity,
)


class Log(esper.Processor):
    """Writes down the seconds it is given, or what a function makes of itself."""

    def __init__(self, name: str = "", then: Callable[[], object] = lambda: None) -> None:
        self.name = name
        self.then = then
        self.seen: list[Any] = []

    def process(self, dt: float) -> None:
        self.seen.append(dt)
        self.then()


def clock(**settings: Any) -> FixedStep:
    """A fixed step with nothing in it, in the current world."""
    fixed = FixedStep(**settings)
    esper.add_processor(fixed)
    return fixed


@pytest.mark.parametrize(
    ("frame", "steps", "minutes"),
    [
        (1.0 / 60.0, Fraction(1), 60),
        (1.0 / 144.0, Fraction(60, 144), 30),
        (0.1, Fraction(6), 60),
        (1.0 / 59.94, Fraction(6000, 5994), 10),
        (1.0 / 30.0, Fraction(2), 10),
        (0.013, Fraction(78, 100), 10),
    ],
)
def test_for_a_long_time_the_steps_are_the_whole_ones_of_the_time_that_was_meant(
    frame: float, steps: Fraction, minutes: int
) -> None:
    fixed = FixedStep(hz=60, max_steps=7)
    frames = round(60 * minutes / frame)
    per_frame = set()
    for number in range(1, frames + 1):
        fixed.process(frame)
        per_frame.add(fixed.steps)
        if number % 997 == 0 or number == frames:
            assert fixed.step_count == math.floor(number * steps)
    assert fixed.dropped_time == 0.0
    # A frame never has two steps more than another.
    assert per_frame <= {math.floor(steps), math.ceil(steps)}


def test_jittered_frames_lose_nothing() -> None:
    fixed, random = FixedStep(hz=60), np.random.default_rng(5)
    frames = np.abs(random.normal(1.0 / 60.0, 0.003, 20_000)).tolist()
    for frame in frames:
        fixed.process(frame)
    assert fixed.step_count == math.floor(sum(map(Fraction, frames)) / Fraction(1.0 / 60.0))
    assert fixed.step_count / 60.0 + fixed.alpha / 60.0 == pytest.approx(math.fsum(frames), abs=1e-12)


SECONDS = st.floats(0.0, 0.5) | st.floats(0.0, 1e6) | st.sampled_from([1.0 / 60.0, 1.0 / 144.0, 0.1, 5e-324])


@given(
    frames=st.lists(SECONDS, max_size=30),
    hz=st.sampled_from([60.0, 50.0, 59.94, 10.0, 1e-3, 1000.0]),
    most=st.integers(1, 9),
    scale=st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 1.1]),
)
def test_steps_remainder_and_dropped_time_make_up_the_time_that_passed(
    frames: list[float], hz: float, most: int, scale: float
) -> None:
    fixed = FixedStep(hz=hz, max_steps=most)
    fixed.time_scale = scale
    for frame in frames:
        before = fixed.step_count
        fixed.process(frame)
        assert fixed.steps == fixed.step_count - before <= most
        assert 0.0 <= fixed.alpha < 1.0
    told = (fixed.step_count + fixed.alpha) * fixed.dt + fixed.dropped_time
    passed = math.fsum(frames) * scale
    assert told == pytest.approx(passed, rel=1e-12, abs=2e-9 * fixed.dt)


def test_what_is_too_much_for_a_frame_is_dropped_in_whole_steps_and_counted() -> None:
    fixed = clock(hz=10, max_steps=3)
    esper.process(0.77)
    assert (fixed.steps, fixed.step_count) == (3, 3)
    assert fixed.dropped_time == pytest.approx(0.4)
    assert fixed.alpha == pytest.approx(0.7)
    esper.process(0.03)
    assert fixed.steps == 1
    assert fixed.alpha == pytest.approx(0.0, abs=1e-9)


def test_a_computer_too_slow_for_its_steps_does_not_fall_ever_further_behind() -> None:
    fixed = FixedStep(hz=60, max_steps=5)
    frame = 1.0 / 60.0
    for _ in range(200):
        fixed.process(frame)
        frame = 0.003 + fixed.steps * 0.02  # each step takes longer than the time it stands for
    assert fixed.steps == 5
    assert frame == pytest.approx(0.103)


def test_a_scaled_time_passes_faster_slower_or_not_at_all() -> None:
    for scale, steps in ((0.0, [0, 0, 0, 0]), (0.5, [0, 1, 0, 1]), (1.0, [1, 1, 1, 1]), (2.0, [2, 2, 2, 2])):
        fixed = FixedStep(hz=60)
        fixed.time_scale = scale
        counted = []
        for _ in range(4):
            fixed.process(1.0 / 60.0)
            counted.append(fixed.steps)
        assert counted == steps


def test_while_paused_no_time_passes_and_what_was_left_over_stays() -> None:
    fixed = clock(hz=10)
    esper.process(0.15)
    fixed.paused = True
    for _ in range(5):
        esper.process(10.0)
        assert fixed.steps == 0
    assert fixed.dropped_time == 0.0
    assert fixed.alpha == pytest.approx(0.5)
    fixed.paused = False
    esper.process(0.05)
    assert fixed.steps == 1


def test_a_single_step_comes_with_the_next_process_paused_or_not_and_takes_no_time() -> None:
    fixed = clock(hz=10)
    fixed.add(log := Log())
    fixed.paused = True
    esper.process(0.25)
    fixed.step_once()
    assert log.seen == []
    esper.process(0.0)
    assert (log.seen, fixed.steps) == ([0.1], 1)
    esper.process(0.0)
    assert fixed.steps == 0
    fixed.paused = False
    fixed.step_once()
    fixed.step_once()
    esper.process(0.1)
    assert (fixed.steps, fixed.step_count) == (3, 4)


def test_a_system_that_pauses_has_the_last_step_of_the_frame() -> None:
    fixed = clock(hz=10)

    def pause() -> None:
        fixed.paused = fixed.step_count == 2

    fixed.add(Log(then=pause))
    esper.process(0.4)
    assert fixed.steps == 2
    fixed.paused = False
    esper.process(0.0)
    assert fixed.steps == 2


def test_another_rate_keeps_the_seconds_that_are_left() -> None:
    fixed = clock(hz=10)
    fixed.add(log := Log())
    esper.process(0.18)
    fixed.hz = 100
    assert fixed.dt == 0.01
    assert fixed.alpha < 1.0
    esper.process(0.0)
    assert fixed.steps == 5
    assert fixed.dropped_time == pytest.approx(0.03)
    assert log.seen == [0.1, *[0.01] * 5]


def test_systems_run_by_priority_and_equal_ones_as_they_were_added() -> None:
    order: list[str] = []

    def named(name: str) -> Log:
        return Log(then=lambda: order.append(name))

    first, last = named("first"), named("last")
    fixed = clock(systems=[(last, -5), named("zero"), (first, 10)], hz=1)
    fixed.add(named("zero too"))
    fixed.add(named("late"), -5)
    esper.process(2.0)
    assert order == ["first", "zero", "zero too", "last", "late"] * 2
    assert first.priority == 10
    assert fixed.systems[0] is first
    assert fixed.get(Log) is first
    assert fixed.get(EulerMotionSystem) is None
    fixed.remove(first)
    order.clear()
    esper.process(1.0)
    assert order == ["zero", "zero too", "last", "late"]


def test_what_a_system_adds_or_removes_counts_from_the_next_step_on() -> None:
    fixed = clock(hz=1)
    added, removed = Log(), Log()

    def change() -> None:
        if fixed.step_count == 1:
            fixed.add(added, 100)
            fixed.remove(removed)

    fixed.add(Log(then=change), 5)
    fixed.add(removed)
    esper.process(3.0)
    assert len(added.seen) == 2
    assert len(removed.seen) == 1


def test_systems_get_the_seconds_of_a_step_as_esper_gave_those_of_the_frame() -> None:
    class Named(esper.Processor):
        def process(self, *, dt: float, view: str = "") -> None:
            seen.append((dt, view))

    class Placed(esper.Processor):
        def process(self, seconds: float, view: str = "", /) -> None:
            seen.append((seconds, view))

    seen: list[tuple[float, str]] = []
    fixed = clock(hz=4)
    fixed.add(named := Named())
    esper.process(dt=0.25)
    esper.process(dt=0.25, view="map")
    fixed.remove(named)
    fixed.add(Placed())
    esper.process(0.25)
    esper.process(0.25, "map")
    assert seen == [(0.25, ""), (0.25, "map")] * 2


@pytest.mark.parametrize("dt", [1, np.float32(1), Fraction(1), True])
def test_a_frame_may_be_any_real_number(dt: Any) -> None:
    fixed = clock(hz=2)
    esper.process(dt)
    assert fixed.steps == 2


@pytest.mark.parametrize(
    ("dt", "error"),
    [(-1e-9, ValueError), (math.nan, ValueError), (math.inf, ValueError), ("1", TypeError), (None, TypeError)],
)
def test_a_bad_frame_is_refused_and_nothing_has_changed(dt: Any, error: type[Exception]) -> None:
    fixed = clock(hz=10)
    fixed.step_once()
    esper.process(0.15)
    fixed.step_once()
    before = fixed.steps, fixed.step_count, fixed.alpha
    with pytest.raises(error, match="dt"):
        esper.process(dt)
    with pytest.raises(error, match="dt"):
        esper.process(dt=dt)
    assert (fixed.steps, fixed.step_count, fixed.alpha) == before
    with pytest.raises(TypeError, match="seconds of the frame"):
        esper.process()
    esper.process(0.0)
    assert fixed.steps == 1


def test_time_beyond_all_numbers_is_refused() -> None:
    fixed = clock()
    fixed.time_scale = 1e10
    with pytest.raises(ValueError, match="time_scale"):
        esper.process(1e300)
    fixed.time_scale = 1.0
    esper.process(1e308)
    assert fixed.steps == 5
    assert fixed.dropped_time == pytest.approx(1e308)


@pytest.mark.parametrize(
    ("setting", "value", "error"),
    [
        ("hz", 0, ValueError),
        ("hz", -60, ValueError),
        ("hz", math.nan, ValueError),
        ("hz", math.inf, ValueError),
        ("hz", 1e-320, ValueError),
        ("hz", "60", TypeError),
        ("hz", True, TypeError),
        ("max_steps", 0, ValueError),
        ("max_steps", 2.5, TypeError),
        ("time_scale", -0.1, ValueError),
        ("time_scale", math.inf, ValueError),
        ("time_scale", None, TypeError),
    ],
)
def test_bad_settings_are_refused_and_the_old_ones_stay(setting: str, value: Any, error: type[Exception]) -> None:
    fixed = FixedStep()
    before = getattr(fixed, setting)
    with pytest.raises(error, match=setting):
        setattr(fixed, setting, value)
    assert getattr(fixed, setting) == before
    if setting == "hz":
        with pytest.raises(error, match="hz"):
            ecsphys.install(fixed_step=value)
        assert esper.get_processor(FixedStep) is None


def test_what_cannot_run_in_the_fixed_step_is_refused() -> None:
    fixed = clock()
    fixed.add(log := Log())
    with pytest.raises(ValueError, match="Log runs in the fixed step already"):
        fixed.add(log)
    esper.add_processor(once := Log())
    with pytest.raises(ValueError, match="once a frame as well"):
        fixed.add(once)
    with pytest.raises(ValueError, match="give both to esper"):
        fixed.add(FixedStep())
    with pytest.raises(TypeError, match="processors"):
        fixed.add(Log)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not its class"):
        fixed.remove(Log)  # type: ignore[arg-type]
    assert fixed.systems == (log,)


def test_an_error_in_a_step_reaches_the_caller_and_the_steps_after_it_are_done_in_the_next_frame() -> None:
    fixed = clock(hz=10)

    def fail() -> None:
        if fixed.step_count == 2:
            raise ArithmeticError("in the second step")

    fixed.add(before := Log(), 1)
    fixed.add(Log(then=fail))
    fixed.add(after := Log(), -1)
    with pytest.raises(ArithmeticError):
        esper.process(0.45)
    assert (fixed.steps, fixed.step_count) == (2, 2)
    assert (len(before.seen), len(after.seen)) == (2, 1)
    assert 0.0 <= fixed.alpha < 1.0
    esper.process(0.0)
    assert (fixed.steps, fixed.step_count) == (2, 4)
    assert fixed.alpha == pytest.approx(0.5)


def test_a_system_cannot_process_the_step_it_is_in() -> None:
    fixed = clock(hz=1)
    fixed.add(Log(then=lambda: esper.process(1.0)))
    with pytest.raises(RuntimeError, match="own step has not ended"):
        esper.process(1.0)
    assert fixed.step_count == 1


def test_a_system_that_leaves_the_world_is_found_out() -> None:
    home = esper.current_world
    fixed = clock(hz=1)
    fixed.add(Log(then=lambda: esper.switch_world(home + " other")))
    with pytest.raises(RuntimeError, match="switch between frames"):
        esper.process(2.0)
    assert fixed.step_count == 1


def test_install_with_a_fixed_step_puts_all_stages_into_it() -> None:
    plain = ecsphys.install()
    assert plain.fixed_step is None
    esper.switch_world(esper.current_world + " fixed")
    physics = ecsphys.install(gravity=(0, -10), fixed_step=50)
    fixed = physics.fixed_step
    assert fixed is not None
    assert esper.get_processor(FixedStep) is fixed
    assert fixed.priority == ecsphys.FIXED_STEP_PRIORITY == 450
    assert esper.get_processor(BroadphaseSystem) is None
    assert [(type(stage).__name__, stage.priority) for stage in fixed.systems] == [
        ("AnalyticMotionSystem", 400),
        ("EulerMotionSystem", 390),
        ("HierarchySystem", 350),
        ("BroadphaseSystem", 300),
        ("NarrowphaseSystem", 200),
    ]
    esper.create_entity(transform := Transform(), velocity := Velocity(1, 0), Gravity())
    esper.process(0.05)
    assert (transform.x, velocity.y) == pytest.approx((0.04, -0.4))


def by_hand() -> None:
    physics = Physics()
    esper.add_processor(FixedStep([(EulerMotionSystem(physics), 390)]), 10)
    esper.add_processor(FixedStep(hz=10))  # of the game's own, and the one that esper.get_processor finds


@pytest.mark.parametrize("first", [lambda: ecsphys.install(fixed_step=60), by_hand, ecsphys.install])
@pytest.mark.parametrize("fixed_step", [None, 60])
def test_a_second_install_is_refused_wherever_the_stages_are(
    first: Callable[[], object], fixed_step: float | None
) -> None:
    first()
    with pytest.raises(RuntimeError, match="installed already"):
        ecsphys.install(fixed_step=fixed_step)


def test_a_key_that_is_up_again_before_the_next_step_is_seen_in_one_step() -> None:
    physics, keys = ecsphys.install(fixed_step=10), ecsphys.InputState()
    fixed = physics.fixed_step
    assert fixed is not None
    fixed.add(ecsphys.ControlSystem(physics, keys), ecsphys.INPUT_PRIORITY)
    seen: list[bool] = []
    fixed.add(Log(then=lambda: seen.append("jump" in keys.just_pressed)))
    esper.process(0.01)
    keys.press("jump")
    keys.release("jump")
    for _ in range(3):
        esper.process(0.01)
    esper.process(0.26)
    assert seen == [True, False, False]


# What happens to entities and hits within one frame of several steps.


def test_an_entity_killed_in_a_step_is_absent_from_the_next_of_the_same_frame_and_its_hits_end() -> None:
    physics = ecsphys.install(fixed_step=10)
    assert physics.fixed_step is not None
    fixed = physics.fixed_step
    target = esper.create_entity(Transform(), CircleCollider(1))
    victim = esper.create_entity(Transform(0.5, 0), CircleCollider(1))
    seen: list[tuple[int, bool, str, str | None]] = []

    def on_hit(hit: Hit) -> None:
        seen.append((fixed.step_count, esper.entity_exists(victim), hit.phase, hit.reason))
        if hit.phase == "ongoing":
            esper.delete_entity(victim)

    for event in ("hit_started", "hit_ongoing", "hit_ended"):
        esper.set_handler(event, on_hit)
    listed: list[bool] = []
    fixed.add(Log(then=lambda: listed.append(victim in esper.get_entities())), 1000)
    esper.process(0.4)
    assert seen == [
        (1, True, "started", None),
        (2, True, "ongoing", None),
        (3, False, "ended", "despawned"),
    ]
    assert listed == [True, True, False, False]
    assert list(esper.get_entities()) == [target]


def test_one_killed_by_the_frame_before_the_steps_is_absent_from_the_first() -> None:
    physics = ecsphys.install(fixed_step=10)
    esper.create_entity(Transform(), CircleCollider(1))
    victim = esper.create_entity(Transform(0.5, 0), CircleCollider(1))
    esper.process(0.1)
    assert len(physics.hits) == 1
    esper.add_processor(Log(then=lambda: esper.delete_entity(victim)), ecsphys.INPUT_PRIORITY)
    esper.process(0.1)
    assert physics.ended.reason.tolist() == ["despawned"]
    assert not esper.entity_exists(victim)


@pytest.mark.parametrize("timed", [False, True])
def test_several_steps_of_a_frame_are_several_steps_of_the_physics(timed: bool) -> None:
    """A ball flies through three others: each start and end comes in its own step, though all are one frame."""
    physics = ecsphys.install(fixed_step=10)
    assert physics.fixed_step is not None
    fixed = physics.fixed_step
    fixed.max_steps = 100
    physics.timed = timed
    esper.create_entity(Transform(0.05, 0), Velocity(10, 0), CircleCollider(0.3))
    for x in (3, 6, 9):
        esper.create_entity(Transform(x, 0), CircleCollider(0.3))
    events: list[tuple[int, str, int]] = []

    def on_hit(hit: Hit) -> None:
        events.append((fixed.step_count, hit.phase, hit.entity_b))

    esper.set_handler("hit_started", on_hit)
    esper.set_handler("hit_ended", on_hit)
    lengths: list[int] = []
    fixed.add(Log(then=lambda: lengths.append(len(physics.started) + len(physics.ended))), 100)
    esper.process(1.2)
    assert fixed.steps == 12
    # x = 0.05 + k after step k: within 0.6 of 3, 6 and 9 in steps 3, 6 and 9 alone.
    assert events == [
        (3, "started", 2),
        (4, "ended", 2),
        (6, "started", 3),
        (7, "ended", 3),
        (9, "started", 4),
        (10, "ended", 4),
    ]
    assert lengths == [0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0]
    if timed:
        one_step = physics.timings
        assert 0.0 < one_step["total"] < 0.1
        assert {"checks", "motion", "broadphase", "narrowphase", "events"} <= set(one_step)


def test_a_bad_value_written_between_two_steps_of_a_frame_is_caught_by_the_second() -> None:
    physics = ecsphys.install(fixed_step=10)
    fixed = physics.fixed_step
    assert fixed is not None
    entity = esper.create_entity(Transform(), velocity := Velocity(1, 0))

    def spoil() -> None:
        if fixed.step_count == 2:
            Velocity.column("x")[velocity._row] = math.nan

    fixed.add(Log(then=spoil))
    with pytest.raises(ValueError, match=rf"entity {entity}.*Velocity\.x"):
        esper.process(0.5)
    assert fixed.step_count == 3


def test_a_stage_in_the_frame_sees_a_physics_that_steps_within_the_fixed_step() -> None:
    class Reader(ecsphys.Stage):
        def run(self, dt: float) -> None:
            seen.append((dt, len(self.physics.hits), len(self.physics.boxes)))

    seen: list[tuple[float, int, int]] = []
    physics = ecsphys.install(fixed_step=10)
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(mover := Transform(5, 0), CircleCollider(1))
    esper.add_processor(Reader(physics), ecsphys.SCROLLING_PRIORITY)
    for x, dt in ((5, 0.05), (1, 0.02), (1, 0.04), (5, 0.21), (5, 0.0)):
        mover.x = x
        esper.process(dt)
    assert seen == [(0.05, 0, 2), (0.02, 0, 2), (0.04, 1, 2), (0.21, 0, 2), (0.0, 0, 2)]


def bouncing_world(frames: Sequence[float], hz: float | None = 60.0) -> tuple[list[float], list[Any]]:
    """A small pile that falls through itself, played in some frames: its places and events."""
    esper.switch_world(f"frames {len(esper.list_worlds())}")
    physics = ecsphys.install(gravity=(0.5, -9.8), fixed_step=hz, substeps=2, integrator="verlet")
    if physics.fixed_step is not None:
        physics.fixed_step.max_steps = 1000
    transforms = [Transform(0.7 * n, 0.5 * n, 0.1 * n) for n in range(6)]
    for n, transform in enumerate(transforms):
        esper.create_entity(transform, Velocity(-n, 0.5 * n, 1.0), Gravity(1.0 - 0.1 * n), OBBCollider(0.6, 0.4))
    events: list[Any] = []

    def on_hit(hit: Hit) -> None:
        events.append((hit.entity_a, hit.entity_b, hit.phase, hit.depth, hit.points))

    esper.set_handler("hit_started", on_hit)
    esper.set_handler("hit_ended", on_hit)
    for frame in frames:
        esper.process(frame)
    return [value for t in transforms for value in (t.x, t.y, t.angle)], events


@cache
def in_plain_steps() -> tuple[list[float], list[Any]]:
    """The same pile, a step in every frame, without a fixed step."""
    return bouncing_world([1.0 / 60.0] * 60, hz=None)


@given(cuts=st.lists(st.floats(0.0, 1.0), max_size=40))
def test_the_same_steps_in_any_frames_give_the_same_physics_bit_for_bit(cuts: list[float]) -> None:
    """A second and a half step, cut anywhere."""
    ends = [*sorted(cuts), 1.0]
    frames = [b - a for a, b in zip([0.0, *ends[:-1]], ends, strict=True)]
    played = bouncing_world([*frames, 0.5 / 60.0])
    assert played == in_plain_steps()
    assert len(played[1]) == 10

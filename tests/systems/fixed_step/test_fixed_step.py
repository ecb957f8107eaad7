"""Steps of a fixed length: how many there are, what runs in them and how, pauses, and errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ecsphys
from ecsphys import FixedStep
from ecsphys.systems import EulerMotionSystem


class Log(esper.Processor):
    """Writes down the seconds it is given, then does something."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
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
        (1.0 / 60.0, Fraction(1), 20),
        (1.0 / 144.0, Fraction(60, 144), 5),
        (0.1, Fraction(6), 20),
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
    with pytest.raises(TypeError, match="seconds since the last frame"):
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
        with pytest.raises(error, match="fixed_step must be"):
            ecsphys.install(fixed_step=value)
        assert esper.get_processor(FixedStep) is None


def test_what_cannot_run_in_the_fixed_step_is_refused() -> None:
    fixed = clock()
    fixed.add(log := Log())
    with pytest.raises(ValueError, match="Log is in the fixed step already"):
        fixed.add(log)
    esper.add_processor(once := Log())
    esper.add_processor(last := Log())  # of one class, esper itself finds the last one only
    for system in (once, last):
        with pytest.raises(ValueError, match="also run once per frame"):
            fixed.add(system)
    with pytest.raises(ValueError, match=r"add both with esper\.add_processor"):
        fixed.add(FixedStep())
    with pytest.raises(TypeError, match=r"must be an esper\.Processor"):
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
    with pytest.raises(RuntimeError, match="current step has not ended"):
        esper.process(1.0)
    assert fixed.step_count == 1


def test_a_system_that_leaves_the_world_is_found_out() -> None:
    home = esper.current_world
    fixed = clock(hz=1)
    fixed.add(Log(then=lambda: esper.switch_world(home + " other")))
    with pytest.raises(RuntimeError, match="switch between frames"):
        esper.process(2.0)
    assert fixed.step_count == 1

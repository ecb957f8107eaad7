"""``physics.debug.profile``: timings and counters of a step."""

from __future__ import annotations

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, Transform, Velocity
from ecsphys.systems import profile


class Clock:
    """A clock that stands still unless it is told that time passes."""

    def __init__(self) -> None:
        self.now = 1000.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(profile, "time", clock)
    return clock


def crowd() -> None:
    for i in range(6):
        esper.create_entity(Transform(1.5 * i), Velocity(0.1 * i), CircleCollider(1.0))


def test_timings_are_empty_unless_asked_for() -> None:
    physics = ecsphys.install()
    crowd()
    esper.process(0.1)
    assert not physics.debug.profile.timed
    assert physics.debug.profile.timings == {}


def test_phases_and_the_rest_make_up_the_whole_step(clock: Clock) -> None:
    physics = ecsphys.install()
    crowd()
    physics.debug.profile.timed = True

    class Pause(esper.Processor):
        def process(self, dt: float) -> None:
            clock.sleep(2.0)

    class Work(ecsphys.systems.Stage):
        phase = "work"

        def run(self, dt: float) -> None:
            clock.sleep(0.5)

    esper.add_processor(Pause(), priority=250)
    esper.add_processor(Work(physics), priority=240)

    def on_start(hit: object) -> None:
        clock.sleep(1.0)

    esper.set_handler("hit_started", on_start)
    for starts in (5, 0):
        esper.process(0.1)
        timings = physics.debug.profile.timings
        assert (timings["rest"], timings["work"], timings["events"]) == (2.0, 0.5, starts)
        assert timings["total"] == 2.5 + starts
        assert set(timings) >= {"checks", "trajectories", "motion", "hierarchy", "placing", "broadphase", "narrowphase"}
        esper.remove_handler("hit_started", on_start)
    physics.debug.profile.timed = False
    assert physics.debug.profile.timings == {}


def test_a_real_clock_finds_time_in_every_phase() -> None:
    physics = ecsphys.install()
    crowd()
    physics.debug.profile.timed = True
    esper.process(0.1)
    timings = physics.debug.profile.timings
    phases = {name: seconds for name, seconds in timings.items() if name != "total"}
    assert sum(phases.values()) == pytest.approx(timings["total"])
    assert min(phases.values()) >= 0.0
    assert timings["broadphase"] > 0.0


def test_counters_count_what_there_was_to_do() -> None:
    physics = ecsphys.install()
    assert set(physics.debug.profile.counters.values()) == {0}
    crowd()
    esper.process(0.0)
    counters = physics.debug.profile.counters
    assert counters["colliders"] == 6
    assert counters["tests"] == counters["candidate pairs"] == 5
    assert counters["hits"] == counters["starts"] == 5
    assert 1 <= counters["cells"] <= 6
    assert counters["ends"] == counters["sleeping"] == 0
    for entity in list(esper.get_entities())[1:]:
        esper.delete_entity(entity)
    esper.process(0.0)
    assert physics.debug.profile.counters["ends"] == 5
    assert physics.debug.profile.counters["colliders"] == 1

"""Timings and counters of a step."""

from __future__ import annotations

import time

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, Transform, Velocity


def crowd() -> None:
    for i in range(6):
        esper.create_entity(Transform(1.5 * i), Velocity(0.1 * i), CircleCollider(1.0))


def test_timings_are_empty_unless_asked_for() -> None:
    physics = ecsphys.install()
    crowd()
    esper.process(0.1)
    assert not physics.timed
    assert physics.timings == {}


def test_phases_and_the_rest_make_up_the_whole_step() -> None:
    physics = ecsphys.install()
    crowd()
    physics.timed = True

    class Pause(esper.Processor):
        def process(self, dt: float) -> None:
            time.sleep(0.02)

    esper.add_processor(Pause(), priority=250)

    def on_start(hit: object) -> None:
        time.sleep(0.01)

    esper.set_handler("hit_started", on_start)
    for _ in range(2):
        began = time.perf_counter()
        esper.process(0.1)
        took = time.perf_counter() - began
        timings = physics.timings
        phases = {name: seconds for name, seconds in timings.items() if name != "total"}
        assert sum(phases.values()) == pytest.approx(timings["total"])
        assert 0.02 <= timings["rest"] <= timings["total"] <= took
        assert set(phases) >= {"checks", "trajectories", "motion", "hierarchy", "placing", "broadphase", "narrowphase"}
        assert min(phases.values()) >= 0.0
        esper.remove_handler("hit_started", on_start)
    assert timings["events"] < 0.01


def test_the_handlers_time_is_that_of_the_events() -> None:
    physics = ecsphys.install()
    crowd()
    physics.timed = True

    def on_start(hit: object) -> None:
        time.sleep(0.004)

    esper.set_handler("hit_started", on_start)
    esper.process(0.1)
    assert physics.timings["events"] >= 0.004 * len(physics.started)
    physics.timed = False
    assert physics.timings == {}


def test_counters_count_what_there_was_to_do() -> None:
    physics = ecsphys.install()
    assert set(physics.counters.values()) == {0}
    crowd()
    esper.process(0.0)
    counters = physics.counters
    assert counters["proxies"] == 6
    assert counters["tests"] == counters["candidate pairs"] == 5
    assert counters["hits"] == counters["starts"] == 5
    assert 1 <= counters["cells"] <= 6
    assert counters["ends"] == counters["resting"] == 0
    for entity in list(esper.get_entities())[1:]:
        esper.delete_entity(entity)
    esper.process(0.0)
    assert physics.counters["ends"] == 5
    assert physics.counters["proxies"] == 1

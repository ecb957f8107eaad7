"""The physics in fixed steps: installed, stepped several times a frame, and the same whatever the frames are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, assert_type

import esper
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ecsphys
from ecsphys import CircleCollider, FixedStep, Gravity, OBBCollider, Physics, Transform, Velocity
from ecsphys.systems import BroadphaseSystem, EulerMotionSystem
from ecsphys.systems.physics import STAGES
from ecsphys.types import Hit


class Each(esper.Processor):
    """Does something in each step."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def process(self, dt: float) -> None:
        self.act()


def test_install_with_a_fixed_step_puts_all_stages_into_it() -> None:
    plain = ecsphys.install()
    assert plain.fixed_step is None
    esper.switch_world(esper.current_world + " fixed")
    physics = ecsphys.install(gravity=(0, -10), fixed_step=50)
    fixed = physics.fixed_step
    assert fixed is not None
    assert esper.get_processor(FixedStep) is fixed
    assert fixed.priority == int(ecsphys.Priority.FIXED_STEP) == 450
    assert esper.get_processor(BroadphaseSystem) is None
    assert tuple((type(stage), stage.priority) for stage in fixed.systems) == STAGES
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
    fixed.add(ecsphys.systems.ControlSystem(physics, keys), ecsphys.Priority.INPUT)
    seen: list[bool] = []
    fixed.add(Each(lambda: seen.append("jump" in keys.just_pressed)))
    esper.process(0.01)
    keys.press("jump")
    keys.release("jump")
    for _ in range(3):
        esper.process(0.01)
    esper.process(0.26)
    assert seen == [True, False, False]


def test_an_entity_killed_in_a_step_is_absent_from_the_next_of_the_same_frame_and_its_hits_end() -> None:
    physics = ecsphys.install(fixed_step=10)
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
    fixed.add(Each(lambda: listed.append(victim in esper.get_entities())), 1000)
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
    esper.add_processor(Each(lambda: esper.delete_entity(victim)), ecsphys.Priority.INPUT)
    esper.process(0.1)
    assert physics.hits.ended.reason.tolist() == ["despawned"]
    assert not esper.entity_exists(victim)


@pytest.mark.parametrize("timed", [False, True])
def test_several_steps_of_a_frame_are_several_steps_of_the_physics(timed: bool) -> None:
    """A ball flies through three others: each start and end comes in its own step, though all are one frame."""
    physics = ecsphys.install(fixed_step=10)
    fixed = physics.fixed_step
    fixed.max_steps = 100
    physics.debug.profile.timed = timed
    esper.create_entity(Transform(0.05, 0), Velocity(10, 0), CircleCollider(0.3))
    for x in (3, 6, 9):
        esper.create_entity(Transform(x, 0), CircleCollider(0.3))
    events: list[tuple[int, str, int]] = []

    def on_hit(hit: Hit) -> None:
        events.append((fixed.step_count, hit.phase, hit.entity_b))

    esper.set_handler("hit_started", on_hit)
    esper.set_handler("hit_ended", on_hit)
    lengths: list[int] = []
    fixed.add(Each(lambda: lengths.append(len(physics.hits.started) + len(physics.hits.ended))), 100)
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
        one_step = physics.debug.profile.timings
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

    fixed.add(Each(spoil))
    with pytest.raises(ValueError, match=rf"entity {entity}.*Velocity\.x"):
        esper.process(0.5)
    assert fixed.step_count == 3


def test_a_stage_in_the_frame_sees_a_physics_that_steps_within_the_fixed_step() -> None:
    class Reader(ecsphys.systems.Stage):
        def run(self, dt: float) -> None:
            seen.append((dt, len(self.physics.hits), len(self.physics.debug.colliders.boxes)))

    seen: list[tuple[float, int, int]] = []
    physics = ecsphys.install(fixed_step=10)
    esper.create_entity(Transform(), CircleCollider(1))
    esper.create_entity(mover := Transform(5, 0), CircleCollider(1))
    esper.add_processor(Reader(physics), ecsphys.Priority.SCROLLING)
    for x, dt in ((5, 0.05), (1, 0.02), (1, 0.04), (5, 0.21), (5, 0.0)):
        mover.x = x
        esper.process(dt)
    assert seen == [(0.05, 0, 2), (0.02, 0, 2), (0.04, 1, 2), (0.21, 0, 2), (0.0, 0, 2)]


def bouncing_world(frames: Sequence[float], hz: float | None = 60.0) -> tuple[list[float], list[Any]]:
    """A small pile that falls through itself, played in some frames: its places and events."""
    esper.switch_world(f"frames {len(esper.list_worlds())}")
    physics = ecsphys.install(gravity=(0.5, -9.8), fixed_step=hz, motion_substeps=2, integrator="verlet")
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


@settings(max_examples=30)
@given(cuts=st.lists(st.floats(0.0, 1.0), max_size=40))
def test_the_same_steps_in_any_frames_give_the_same_physics_bit_for_bit(cuts: list[float]) -> None:
    """A second and a half step, cut anywhere."""
    ends = [*sorted(cuts), 1.0]
    frames = [b - a for a, b in zip([0.0, *ends[:-1]], ends, strict=True)]
    played = bouncing_world([*frames, 0.5 / 60.0])
    assert played == in_plain_steps()
    assert len(played[1]) == 10


def test_type_checkers_know_that_there_is_a_fixed_step_where_one_was_asked_for() -> None:
    """Checked by mypy rather than by running it."""
    assert_type(ecsphys.install(fixed_step=50).fixed_step, ecsphys.FixedStep)
    esper.switch_world("without")
    assert assert_type(ecsphys.install(), ecsphys.Physics).fixed_step is None
    esper.switch_world("default")

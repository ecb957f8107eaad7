"""A stage with nothing to do does not begin; what a game does between stages is seen as if it had."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecsphys
from ecsphys import Bullet, CircleCollider, HitListener, Parent, Physics, Transform, Velocity
from ecsphys.systems import HitEventSystem, Stage
from ecsphys.systems.ccd.sweeps import SweepSystem
from ecsphys.systems.motion.motion import HierarchySystem
from ecsphys.types import Hit

STEP = 1 / 60


class Between(esper.Processor):
    """Calls a function once, at its place between the stages."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work: Callable[[], object] | None = work

    def process(self, dt: float) -> None:
        if self._work is not None:
            work, self._work = self._work, None
            work()


def two_balls() -> tuple[int, int]:
    """The second flies into the first in the first step."""
    return (
        esper.create_entity(Transform(0, 0), CircleCollider(1)),
        esper.create_entity(Transform(3, 0), CircleCollider(1), Velocity(-90, 0)),
    )


def test_a_parent_that_comes_between_two_stages_carries_in_the_same_step() -> None:
    ecsphys.install()
    hand, other = two_balls()
    esper.process(0.0)
    sword = Transform()
    esper.add_processor(Between(lambda: esper.create_entity(sword, Parent(other, 0, 2))), 360)
    esper.process(STEP)
    assert (sword.x, sword.y) == pytest.approx((1.5, 2.0))
    assert hand


def test_what_begins_to_move_between_two_stages_moves_in_the_same_step() -> None:
    ecsphys.install()
    esper.create_entity(Transform(0, 0), CircleCollider(1))
    esper.process(0.0)
    late = Transform(30, 0)
    esper.add_processor(Between(lambda: esper.create_entity(late, Velocity(6, 0))), 395)
    esper.process(STEP)
    assert late.x == pytest.approx(30.1)
    esper.process(STEP)
    assert late.x == pytest.approx(30.2)


def test_stepped_motion_begins_a_step_that_no_stage_has_begun() -> None:
    physics = ecsphys.install()
    esper.remove_processor(ecsphys.systems.AnalyticMotionSystem)
    esper.create_entity(Transform(0, 0), CircleCollider(1))
    clocks: list[float] = []

    class Clock(esper.Processor):
        def process(self, dt: float) -> None:
            clocks.append(physics._state.clock)

    esper.add_processor(Clock(), 385)
    for _ in range(3):
        esper.process(0.5)
    assert clocks == [0.5, 1.0, 1.5]


def test_a_bullet_that_comes_between_two_stages_is_one_from_the_next_step_on() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(0, 0), CircleCollider(1))
    esper.process(0.0)
    shot = Transform(30, 0)
    components = shot, CircleCollider(0.1), Velocity(-3600, 0), Bullet()
    esper.add_processor(Between(lambda: esper.create_entity(*components)), 320)
    esper.process(STEP)
    assert shot.x == 30
    esper.process(STEP)
    assert shot.x == pytest.approx(1.1)
    assert len(physics.hits) == 1


def test_a_handler_that_is_set_between_detection_and_events_hears_of_this_step() -> None:
    ecsphys.install()
    two_balls()
    heard: list[Hit] = []
    handler = heard.append

    def listen(hit: Hit) -> None:
        handler(hit)

    esper.add_processor(Between(lambda: esper.set_handler("hit_started", listen)), 150)
    esper.process(STEP)
    assert [hit.phase for hit in heard] == ["started"]


def test_a_listener_is_told_though_no_handler_is_set() -> None:
    ecsphys.install()
    a, _ = two_balls()
    heard: list[Hit] = []
    esper.add_component(a, HitListener(on_started=heard.append))
    esper.process(STEP)
    assert len(heard) == 1


def test_nothing_of_a_step_without_handlers_is_told_later() -> None:
    ecsphys.install()
    two_balls()
    esper.process(STEP)
    heard: list[Hit] = []

    def listen(hit: Hit) -> None:
        heard.append(hit)

    esper.set_handler("hit_started", listen)
    esper.process(0.0)
    assert not heard


@pytest.mark.parametrize("stage", [ecsphys.systems.EulerMotionSystem, HierarchySystem, SweepSystem, HitEventSystem])
def test_a_stage_derived_from_one_with_nothing_to_do_runs_in_every_step(stage: type[Stage]) -> None:
    physics = ecsphys.install()
    priority = esper.get_processor(stage).priority  # type: ignore[union-attr]
    esper.remove_processor(stage)
    runs: list[float] = []

    class Derived(stage):  # type: ignore[misc, valid-type]
        def run(self, dt: float) -> None:
            runs.append(dt)
            super().run(dt)

    esper.add_processor(Derived(physics), priority)
    esper.create_entity(Transform(), CircleCollider(1))
    for _ in range(3):
        esper.process(STEP)
    assert runs == [STEP] * 3


def test_between_any_two_stages_a_processor_sees_the_world_as_far_as_it_is() -> None:
    physics = ecsphys.install()
    _, ball = two_balls()
    esper.process(0.0)
    seen: dict[int, tuple[float, int, int]] = {}
    heard: list[Hit] = []

    def listen(hit: Hit) -> None:
        heard.append(hit)

    esper.set_handler("hit_started", listen)

    def look(priority: int) -> Between:
        def note() -> None:
            x = esper.component_for_entity(ball, Transform).x
            seen[priority] = round(x, 9), len(physics.hits), len(heard)

        return Between(note)

    for priority in (450, 395, 385, 355, 330, 305, 250, 150, 50):
        esper.add_processor(look(priority), priority)
    esper.process(STEP)
    before, moved, found, told = (3.0, 0, 0), (1.5, 0, 0), (1.5, 1, 0), (1.5, 1, 1)
    expected = [before] * 2 + [moved] * 5 + [found, told]
    assert [seen[priority] for priority in sorted(seen, reverse=True)] == expected


def test_an_error_in_any_stage_leaves_a_world_whose_next_step_is_right() -> None:
    for failing in (ecsphys.systems.EulerMotionSystem, HierarchySystem, SweepSystem, HitEventSystem):
        esper.switch_world(f"failing {failing.__name__}")
        physics = ecsphys.install()
        stage = esper.get_processor(failing)
        assert isinstance(stage, Stage)
        _, ball = two_balls()
        esper.create_entity(Transform(50, 0), Parent(ball))
        esper.create_entity(Transform(50, 50), CircleCollider(0.1), Velocity(), Bullet())
        esper.set_handler("hit_started", hear)
        fail_once(stage, physics)
        with pytest.raises(ZeroDivisionError):
            esper.process(STEP)
        esper.component_for_entity(ball, Transform).x = 3.0
        esper.process(STEP)
        assert len(physics.hits) == 1
        assert esper.component_for_entity(ball, Transform).x == pytest.approx(1.5)


def hear(hit: Hit) -> None:
    """A handler."""


def fail_once(stage: Stage, physics: Physics) -> None:
    """Let the stage's work raise when it is begun next."""
    run = stage.run

    def fail(dt: float) -> None:
        stage.run = run  # type: ignore[method-assign]
        assert physics._state.progress.is_in_stage
        raise ZeroDivisionError

    stage.run = fail  # type: ignore[method-assign]

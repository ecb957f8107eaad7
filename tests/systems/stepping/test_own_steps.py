"""Steps without ``esper.process``, and stages at priorities of the game's choice."""

from __future__ import annotations

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, Transform, Velocity

STARTED: list[tuple[int, int]] = []


def on_pair(a: int, b: int) -> None:
    STARTED.append((a, b))


def pair() -> tuple[int, int]:
    return (
        esper.create_entity(Transform(-3), Velocity(1), CircleCollider(1)),
        esper.create_entity(Transform(0), CircleCollider(1)),
    )


def test_a_game_without_processors_steps_as_one_with_them() -> None:
    results = []
    for world in ("with", "without"):
        esper.switch_world(world)
        physics = ecsphys.install() if world == "with" else ecsphys.Physics()
        STARTED.clear()
        esper.set_handler("pair_started", on_pair)
        mover, _ = pair()
        for _ in range(40):
            if world == "with":
                esper.process(1 / 20)
            else:
                physics.step(1 / 20)
        assert not physics.debug.check()
        results.append((list(STARTED), esper.component_for_entity(mover, Transform).x, physics.hits.depth.tolist()))
    assert results[0] == results[1]
    assert results[0][0] == [(1, 2)]


def test_a_system_added_without_install_runs_between_the_stages_of_a_step() -> None:
    physics = ecsphys.Physics()
    esper.add_processor(ecsphys.systems.WorldBoundsSystem(physics), ecsphys.Priority.BOUNDS)
    esper.add_processor(ecsphys.systems.LifetimeSystem(physics), ecsphys.Priority.LIFETIME)
    place = Transform(1)
    ball = esper.create_entity(place, Velocity(5), CircleCollider(1), ecsphys.WorldBounds(0, 0, 2, 2))
    wall = esper.create_entity(Transform(3.5), CircleCollider(1), ecsphys.Lifetime(1.0))
    physics.step(0.5)
    assert place.x == 2  # held before hits were looked for
    assert physics.hits.has(ball, wall)
    assert not physics.debug.check()
    physics.step(0.5)
    assert not esper.entity_exists(wall)


def test_detect_finds_hits_and_moves_nothing() -> None:
    physics = ecsphys.Physics()
    mover, target = pair()
    physics.detect()
    assert len(physics.hits) == 0
    place = esper.component_for_entity(mover, Transform)
    place.x = -1.5
    physics.detect()
    assert physics.hits.has(mover, target)
    assert len(physics.hits.started) == 1
    assert place.x == -1.5
    assert physics._state.clock == 0
    esper.delete_entity(target)
    physics.detect()
    assert not esper.entity_exists(target)
    assert physics.hits.ended.reason.tolist() == ["despawned"]


@pytest.mark.parametrize("fixed_step", [None, 60.0])
def test_installed_stages_alone_run_in_a_step(fixed_step: float | None) -> None:
    physics = ecsphys.install(fixed_step=fixed_step, priority=-1000)
    called = []

    class Own(esper.Processor):
        def process(self, dt: float) -> None:
            called.append(dt)

    esper.add_processor(Own())
    mover, target = pair()
    physics.step(1.5)
    assert physics.hits.has(mover, target)
    esper.component_for_entity(mover, Transform).x = 9
    physics.detect()
    assert len(physics.hits) == 0
    assert esper.component_for_entity(mover, Transform).x == 9
    assert called == []


def test_a_priority_shifts_all_stages() -> None:
    physics = ecsphys.install(priority=-1000)
    order: list[str] = []

    class Own(esper.Processor):
        def process(self, dt: float) -> None:
            order.append("own")

    class Detection(ecsphys.systems.BroadphaseSystem):
        def run(self, dt: float) -> None:
            order.append("broadphase")
            super().run(dt)

    esper.add_processor(Own())
    stage = esper.get_processor(ecsphys.systems.BroadphaseSystem)
    assert stage is not None
    assert stage.priority == ecsphys.Priority.BROADPHASE - 1000
    esper.remove_processor(ecsphys.systems.BroadphaseSystem)
    esper.add_processor(Detection(physics), ecsphys.Priority.BROADPHASE - 1000)
    esper.process(0.1)
    assert order == ["own", "broadphase"]
    esper.switch_world("refused")
    with pytest.raises(TypeError, match="priority must be a whole number"):
        ecsphys.install(priority=0.5)  # type: ignore[call-overload]


def test_a_step_without_seconds_says_what_to_do() -> None:
    ecsphys.install()
    with pytest.raises(TypeError, match=r"a step needs the seconds: call esper.process\(dt\)"):
        esper.process()


def test_a_handler_must_not_step() -> None:
    physics = ecsphys.Physics()
    pair()

    def on_hit(hit: ecsphys.types.Hit) -> None:
        physics.step(0.1)

    esper.set_handler("hit_started", on_hit)
    with pytest.raises(RuntimeError, match="a handler of hits must not call"):
        physics.step(1.5)


def test_another_world_is_refused() -> None:
    physics = ecsphys.Physics()
    physics.step(0.1)
    esper.switch_world("elsewhere")
    with pytest.raises(RuntimeError, match="belongs to the world"):
        physics.detect()

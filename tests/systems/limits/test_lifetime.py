"""``Lifetime``: an entity is deleted in the step in which its time is over, and an event tells."""

from __future__ import annotations

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, Lifetime, Transform
from ecsphys.systems import LifetimeSystem


def make_world() -> ecsphys.Physics:
    physics = ecsphys.install()
    esper.add_processor(LifetimeSystem(physics), ecsphys.Priority.LIFETIME)
    return physics


@pytest.mark.parametrize(
    ("hz", "seconds", "steps"), [(60, 1.0, 60), (60, 0.1, 6), (50, 0.1, 5), (60, 0.0, 1), (3, 7, 21)]
)
def test_it_lives_as_many_steps_as_fit(hz: int, seconds: float, steps: int) -> None:
    make_world()
    entity = esper.create_entity(Lifetime(seconds))
    for _ in range(steps - 1):
        esper.process(1 / hz)
        assert esper.entity_exists(entity)
    esper.process(1 / hz)
    assert not esper.entity_exists(entity)


def test_the_event_finds_the_components_and_each_entity_once() -> None:
    make_world()
    told = []

    def on_end(entity: int) -> None:
        told.append((entity, esper.component_for_entity(entity, Transform).x))
        esper.create_entity(Transform(), Lifetime(9))

    esper.set_handler("lifetime_ended", on_end)
    entities = [esper.create_entity(Transform(x), Lifetime(1 + x // 2)) for x in range(4)]
    for _ in range(3):
        esper.process(1)
    assert told == [(entities[x], x) for x in range(4)]
    assert len(esper.get_component(Lifetime)) == 4


def test_what_is_deleted_already_has_no_event() -> None:
    make_world()
    told: list[int] = []
    collect = told.append
    esper.set_handler("lifetime_ended", collect)
    entity = esper.create_entity(Lifetime(1))

    class Killer(esper.Processor):
        def process(self, dt: float) -> None:
            esper.delete_entity(entity)

    esper.add_processor(Killer(), priority=500)
    esper.process(1)
    assert told == []


def test_an_entity_hits_in_its_last_step() -> None:
    physics = make_world()
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1), Lifetime(1))
    esper.process(1)
    assert len(physics.hits) == 1
    esper.process(1)
    assert physics.hits.ended.reason.tolist() == ["despawned"]


def test_a_handler_that_raises_keeps_no_other_from_being_called() -> None:
    make_world()
    told = []

    def on_end(entity: int) -> None:
        told.append(entity)
        raise ValueError(entity)

    esper.set_handler("lifetime_ended", on_end)
    entities = [esper.create_entity(Lifetime(1)) for _ in range(2)]
    with pytest.raises(ExceptionGroup):
        esper.process(1)
    assert told == entities
    assert not any(map(esper.entity_exists, entities))


def test_it_may_be_prolonged_and_runs_in_fixed_steps() -> None:
    physics = ecsphys.install(fixed_step=10)
    assert physics.fixed_step is not None
    physics.fixed_step.add(LifetimeSystem(physics), ecsphys.Priority.LIFETIME)
    life = Lifetime(1)
    entity = esper.create_entity(life)
    esper.process(0.4)
    life.seconds = 0.5
    esper.process(0.4)
    assert life.seconds == pytest.approx(0.1)
    esper.process(0.1)
    assert not esper.entity_exists(entity)


def test_one_instance_on_two_entities_is_refused() -> None:
    make_world()
    life = Lifetime(1)
    esper.create_entity(life), esper.create_entity(life)
    with pytest.raises(ValueError, match="share one Lifetime instance"):
        esper.process(1)
    assert life.seconds == 1

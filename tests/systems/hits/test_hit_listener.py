"""``HitListener``: an entity's own hits, seen from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, HitListener, OBBCollider, Physics, Transform
from ecsphys.types import Hit


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


class Diary:
    """What a listener was told, and what the events said."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, Hit]] = []

    def listener(self, name: str = "") -> HitListener:
        return HitListener(self._write(name), self._write(name), self._write(name))

    def _write(self, name: str) -> Callable[[Hit], None]:
        return lambda hit: self.entries.append((name, hit))

    def take(self) -> list[tuple[Any, ...]]:
        taken = [(name, hit.phase, hit.entity_a, hit.entity_b, hit.reason) for name, hit in self.entries]
        self.entries.clear()
        return taken


def test_each_owner_is_told_of_its_hits_from_its_own_side(physics: Physics) -> None:
    diary = Diary()
    a = esper.create_entity(Transform(0, 0), CircleCollider(1), diary.listener("a"))
    b = esper.create_entity(Transform(1, 0), OBBCollider(0.5, 0.5), diary.listener("b"))
    esper.create_entity(Transform(50, 0), CircleCollider(1), diary.listener("far"))
    esper.process(0.1)
    (of_a, from_a), (of_b, from_b) = diary.entries
    assert (of_a, from_a.entity_a, from_a.entity_b) == ("a", a, b)
    assert (of_b, from_b.entity_a, from_b.entity_b) == ("b", b, a)
    assert (from_a.collider_a, from_a.collider_b) == (CircleCollider, OBBCollider)
    assert (from_b.collider_a, from_b.collider_b) == (OBBCollider, CircleCollider)
    assert from_a.normal == (1.0, 0.0)
    assert from_b.normal == (-1.0, 0.0)
    assert math.copysign(1.0, from_b.normal[1]) == 1.0
    assert from_a.depth == from_b.depth == 0.5
    assert from_a.points == from_b.points
    assert from_b.seen_from(a) == from_a


def test_started_ongoing_and_ended_are_told_in_their_turn_and_after_the_handlers(physics: Physics) -> None:
    diary = Diary()
    a = esper.create_entity(Transform(0, 0), CircleCollider(1), diary.listener("a"))
    b = esper.create_entity(Transform(1, 0), CircleCollider(1))

    def on_event(hit: Hit) -> None:
        diary.entries.append(("event", hit))

    for name in ("hit_started", "hit_ongoing", "hit_ended"):
        esper.set_handler(name, on_event)
    esper.process(0.1)
    assert diary.take() == [("event", "started", a, b, None), ("a", "started", a, b, None)]
    esper.process(0.1)
    assert diary.take() == [("event", "ongoing", a, b, None), ("a", "ongoing", a, b, None)]
    esper.component_for_entity(b, Transform).x = 9.0
    esper.process(0.1)
    assert diary.take() == [("event", "ended", a, b, "separated"), ("a", "ended", a, b, "separated")]
    esper.process(0.1)
    assert diary.take() == []


@pytest.mark.parametrize("immediate", [False, True])
def test_an_entity_that_is_gone_hears_of_the_end_of_its_hits(physics: Physics, immediate: bool) -> None:
    diary = Diary()
    a = esper.create_entity(Transform(0, 0), CircleCollider(1), diary.listener("a"))
    b = esper.create_entity(Transform(1, 0), CircleCollider(1), diary.listener("b"))
    esper.process(0.1)
    diary.take()
    esper.delete_entity(a, immediate=immediate)
    esper.process(0.1)
    assert diary.take() == [("a", "ended", a, b, "despawned"), ("b", "ended", b, a, "despawned")]
    esper.process(0.1)
    assert diary.take() == []


def test_after_clear_database_the_old_listener_hears_nothing_and_the_new_one_its_own_start(physics: Physics) -> None:
    diary = Diary()
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1), diary.listener("old"))
    esper.process(0.1)
    assert [entry[:4] for entry in diary.take()] == [("old", "started", 1, 2), ("old", "started", 2, 1)]
    esper.clear_database()
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1), diary.listener("new"))
    esper.process(0.1)
    assert diary.take() == [
        ("new", "started", 1, 2, None),
        ("new", "started", 2, 1, None),
    ]


def test_a_listener_that_is_taken_away_hears_no_more_and_one_that_comes_late_hears_what_goes_on(
    physics: Physics,
) -> None:
    diary = Diary()
    a = esper.create_entity(Transform(0, 0), CircleCollider(1), diary.listener("first"))
    b = esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(0.1)
    diary.take()
    esper.add_component(a, diary.listener("second"))
    esper.process(0.1)
    assert diary.take() == [("second", "ongoing", a, b, None)]
    esper.remove_component(a, HitListener)
    esper.process(0.1)
    esper.delete_entity(b)
    esper.process(0.1)
    assert diary.take() == []


def test_a_function_may_be_set_and_unset_at_any_time(physics: Physics) -> None:
    diary = Diary()
    listener = HitListener()
    a = esper.create_entity(Transform(0, 0), CircleCollider(1), listener)
    b = esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(0.1)
    listener.on_ongoing = diary.listener("late").on_ongoing
    esper.process(0.1)
    assert diary.take() == [("late", "ongoing", a, b, None)]
    listener.on_ongoing = None
    esper.process(0.1)
    assert diary.take() == []


def test_what_is_not_callable_is_refused_and_the_old_function_stays() -> None:
    with pytest.raises(TypeError, match=r"HitListener\.on_ended must be callable or None, got 3"):
        HitListener(on_ended=3)  # type: ignore[arg-type]
    listener = HitListener(on_started=print)
    with pytest.raises(TypeError, match=r"HitListener\.on_started"):
        listener.on_started = "print"  # type: ignore[assignment]
    assert listener.on_started is print


def test_a_start_is_not_told_where_a_listener_has_killed_the_pair_by_then_nor_is_its_end(physics: Physics) -> None:
    diary = Diary()
    a = esper.create_entity(
        Transform(0, 0), CircleCollider(1), HitListener(on_started=lambda hit: esper.delete_entity(hit.entity_b))
    )
    b = esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.create_entity(Transform(1.5, 0), CircleCollider(0.4), diary.listener("c"))
    esper.process(0.1)
    esper.process(0.1)
    assert diary.take() == []
    assert not esper.entity_exists(b)
    assert esper.entity_exists(a)


@pytest.mark.parametrize("goes_back", [False, True])
@pytest.mark.parametrize("victim", [0, 1])
def test_an_entity_that_a_handler_has_killed_before_it_heard_of_the_start_hears_of_no_end(
    physics: Physics, victim: int, goes_back: bool
) -> None:
    diary = Diary()
    both = [esper.create_entity(Transform(k, 0), CircleCollider(1), diary.listener("ab"[k])) for k in range(2)]

    def kill(hit: Hit) -> None:
        esper.delete_entity(both[victim], immediate=True)

    esper.set_handler("hit_started", kill)
    esper.process(0.1)
    survivor = "ba"[victim]
    assert [entry[:2] for entry in diary.take()] == [(survivor, "started")]
    state = physics.snapshot()
    for _ in range(2 if goes_back else 1):
        esper.process(0.1)
        assert [entry[:2] for entry in diary.take()] == [(survivor, "ended")]
        physics.restore(state)


def test_every_function_is_called_even_if_another_raised(physics: Physics) -> None:
    diary = Diary()

    def fail(hit: Hit) -> None:
        raise LookupError("on purpose")

    esper.create_entity(Transform(0, 0), CircleCollider(1), HitListener(on_started=fail))
    esper.create_entity(Transform(1, 0), CircleCollider(1), diary.listener("b"))
    with pytest.raises(LookupError, match="on purpose"):
        esper.process(0.1)
    assert [entry[0] for entry in diary.take()] == ["b"]


def test_stepping_from_a_listener_is_refused(physics: Physics) -> None:
    esper.create_entity(Transform(0, 0), CircleCollider(1), HitListener(on_started=lambda _: esper.process(0.1)))
    esper.create_entity(Transform(1, 0), CircleCollider(1))
    with pytest.raises(RuntimeError, match=r"must not call physics\.step"):
        esper.process(0.1)


def test_seen_from_a_stranger_is_refused(physics: Physics) -> None:
    a = esper.create_entity(Transform(0, 0), CircleCollider(1))
    esper.create_entity(Transform(1, 0), CircleCollider(1))
    esper.process(0.1)
    with pytest.raises(ValueError, match="entity 77 is not in this hit"):
        physics.hits.of(a)[0].seen_from(77)


def test_for_one_listener_no_hits_are_made_but_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def count(*values: Any) -> Hit:
        made.append(values)
        return Hit(*values)

    ecsphys.install()
    told: list[Hit] = []
    for k in range(20):
        esper.create_entity(Transform(10.0 * k, 0), CircleCollider(1))
        esper.create_entity(Transform(10.0 * k + 1.0, 0), CircleCollider(1))
    esper.add_component(7, HitListener(on_started=told.append))
    monkeypatch.setattr("ecsphys.systems.hits.hit_events.Hit", count)
    esper.process(1 / 60)
    assert len(told) == len(made) == 1


@pytest.mark.parametrize("replaced", [False, True])
def test_a_listener_taken_away_in_a_handler_is_not_called_for_the_rest_of_the_step(
    physics: Physics, replaced: bool
) -> None:
    old, new = Diary(), Diary()
    big = esper.create_entity(Transform(), CircleCollider(10))
    small = [esper.create_entity(Transform(3.0 * k, 0), CircleCollider(1)) for k in range(3)]

    def take_away(hit: Hit) -> None:
        if hit.entity_b == small[1]:
            esper.remove_component(big, HitListener)
            if replaced:
                esper.add_component(big, new.listener())

    esper.add_component(big, old.listener())
    esper.set_handler("hit_started", take_away)
    esper.process(0.1)
    assert [entry[3] for entry in old.take()] == [small[0]]
    assert new.take() == []
    esper.process(0.1)
    assert old.take() == []
    assert [entry[1:4] for entry in new.take()] == [("ongoing", big, other) for other in small if replaced]


def test_with_entities_only_a_listener_gets_its_owner_and_the_other_in_every_phase(physics: Physics) -> None:
    told: list[tuple[str, int, int]] = []

    def write(phase: str) -> Callable[[int, int], None]:
        return lambda owner, other: told.append((phase, owner, other))

    def listener() -> HitListener:
        return HitListener(write("started"), write("ongoing"), write("ended"), entities_only=True)

    a = esper.create_entity(Transform(0, 0), CircleCollider(1), listener())
    b = esper.create_entity(Transform(1, 0), CircleCollider(1), listener())
    for phase in ("started", "ongoing", "ended"):
        if phase == "ended":
            esper.delete_entity(a, immediate=True)
        esper.process(0.1)
        assert told == [(phase, a, b), (phase, b, a)]
        told.clear()


def test_entities_only_that_is_no_bool_is_refused_and_the_old_one_stays() -> None:
    with pytest.raises(TypeError, match=r"HitListener\.entities_only must be True or False, got 1"):
        HitListener(entities_only=1)  # type: ignore[arg-type]
    listener = HitListener(entities_only=True)
    with pytest.raises(TypeError, match=r"HitListener\.entities_only"):
        listener.entities_only = None  # type: ignore[assignment]
    assert listener.entities_only is True

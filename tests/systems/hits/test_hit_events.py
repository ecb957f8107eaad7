"""Delivery: handlers may do anything, and every one of every hit is called."""

from __future__ import annotations

import esper
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import CircleCollider, HitListener, Physics, RigidBody, Transform, Velocity
from ecsphys.types import Hit


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def circles(*xs: float) -> list[int]:
    return [esper.create_entity(Transform(x, 0), CircleCollider(1)) for x in xs]


def test_every_handler_of_every_hit_is_called_even_if_another_raised(physics: Physics) -> None:
    circles(0, 1, 10, 11)
    seen: list[tuple[str, int]] = []

    def first(hit: Hit) -> None:
        seen.append(("first", hit.entity_a))
        raise KeyError(hit.entity_a)

    def second(hit: Hit) -> None:
        seen.append(("second", hit.entity_a))

    esper.set_handler("hit_started", first)
    esper.set_handler("hit_started", second)
    with pytest.raises(ExceptionGroup) as raised:
        esper.process(0.0)
    assert sorted(seen) == [("first", 1), ("first", 3), ("second", 1), ("second", 3)]
    assert [type(error) for error in raised.value.exceptions] == [KeyError, KeyError]
    assert len(physics.hits) == 2
    esper.process(0.0)
    assert len(seen) == 4


def test_one_exception_alone_reaches_the_caller_as_it_is(physics: Physics) -> None:
    circles(0, 1)

    def fail(hit: Hit) -> None:
        raise LookupError("mine")

    esper.set_handler("hit_started", fail)
    with pytest.raises(LookupError, match="mine"):
        esper.process(0.0)


@pytest.mark.parametrize("immediate", [False, True])
def test_starts_of_an_entity_killed_by_a_handler_are_not_delivered_nor_their_ends(
    physics: Physics, immediate: bool
) -> None:
    a, b, c = circles(0, 0.5, 1)
    started: list[tuple[int, int]] = []
    ended: list[tuple[int, int, str | None]] = []

    def on_start(hit: Hit) -> None:
        started.append((hit.entity_a, hit.entity_b))
        if hit.entity_b == b:
            esper.delete_entity(b, immediate=immediate)

    def on_end(hit: Hit) -> None:
        ended.append((hit.entity_a, hit.entity_b, hit.reason))

    esper.set_handler("hit_started", on_start)
    esper.set_handler("hit_ended", on_end)
    esper.process(0.0)
    assert started == [(a, b), (a, c)]
    assert list(zip(physics.hits.started.entity_a, physics.hits.started.entity_b, strict=True)) == [
        (a, b),
        (a, c),
        (b, c),
    ]
    esper.process(0.0)
    assert ended == [(a, b, "despawned")]
    assert list(zip(physics.hits.ended.entity_a, physics.hits.ended.entity_b, strict=True)) == [(a, b), (b, c)]


def test_an_end_handler_that_kills_keeps_start_and_end_from_the_handlers(physics: Physics) -> None:
    a, b, c = circles(0, 1, 2.5)
    said: list[tuple[str, int, int]] = []

    def on_end(hit: Hit) -> None:
        said.append(("ended", hit.entity_a, hit.entity_b))
        if hit.entity_a == a:
            esper.delete_entity(b)

    esper.set_handler("hit_ended", on_end)
    esper.process(0.0)
    assert len(physics.hits.started) == 2
    esper.component_for_entity(b, Transform).x = 9.0
    esper.component_for_entity(c, Transform).x = 20.0
    esper.component_for_entity(a, Transform).x = 8.0
    esper.component_for_entity(a, Transform).y = 5.0
    d = esper.create_entity(Transform(9.5, 0), CircleCollider(1))
    esper.process(0.0)
    assert said == [("ended", a, b), ("ended", b, c)]
    assert physics.hits.started.entity_b.tolist() == [d]
    esper.process(0.0)
    assert len(physics.hits.ended) == 1
    assert said == [("ended", a, b), ("ended", b, c)]


def test_a_handler_may_clear_the_database_and_start_over(physics: Physics) -> None:
    circles(0, 0.5, 1)
    calls: list[tuple[str, int, int]] = []

    def on_start(hit: Hit) -> None:
        calls.append(("started", hit.entity_a, hit.entity_b))
        if len(calls) == 1:
            esper.clear_database()
            circles(0, 0.5, 1)

    def on_end(hit: Hit) -> None:
        calls.append(("ended", hit.entity_a, hit.entity_b))

    esper.set_handler("hit_started", on_start)
    esper.set_handler("hit_ended", on_end)
    esper.process(0.0)
    assert calls == [("started", 1, 2)]
    esper.process(0.0)
    assert calls[1:] == [("started", 1, 2), ("started", 1, 3), ("started", 2, 3)]


def test_a_handler_may_create_and_set_and_remove_handlers(physics: Physics) -> None:
    _a, _b = circles(0, 1)
    calls: list[str] = []

    def late(hit: Hit) -> None:
        calls.append("late")

    def early(hit: Hit) -> None:
        calls.append("early")
        esper.remove_handler("hit_started", early)
        esper.set_handler("hit_started", late)
        esper.create_entity(Transform(0.5, 0), CircleCollider(1))

    esper.set_handler("hit_started", early)
    esper.process(0.0)
    assert calls == ["early"]
    esper.process(0.0)
    assert calls == ["early", "late", "late"]
    assert len(physics.hits) == 3


def test_stepping_the_same_physics_from_a_handler_raises_and_changes_nothing(physics: Physics) -> None:
    circles(0, 1)
    esper.create_entity(transform := Transform(50, 0), ecsphys.Velocity(1, 0))

    def step(hit: Hit) -> None:
        esper.process(1.0)

    esper.set_handler("hit_started", step)
    with pytest.raises(RuntimeError, match="handler"):
        esper.process(1.0)
    assert transform.x == 51.0
    esper.process(1.0)
    assert transform.x == 52.0


def test_switching_worlds_in_a_handler_raises_and_is_undone(physics: Physics) -> None:
    circles(0, 1, 10, 11)
    home = esper.current_world
    calls: list[int] = []

    def switch(hit: Hit) -> None:
        calls.append(hit.entity_a)
        esper.switch_world("elsewhere")

    esper.set_handler("hit_started", switch)
    with pytest.raises(ExceptionGroup) as raised:
        esper.process(0.0)
    assert [type(error) for error in raised.value.exceptions] == [RuntimeError, RuntimeError]
    assert calls == [1, 3]
    assert esper.current_world == home


def test_bound_methods_are_handlers_too(physics: Physics) -> None:
    circles(0, 1)

    class Game:
        hits = 0

        def on_hit(self, hit: Hit) -> None:
            self.hits += 1

    game = Game()
    esper.set_handler("hit_started", game.on_hit)
    esper.process(0.0)
    assert game.hits == 1
    del game
    esper.process(0.0)


def test_a_finished_step_is_seen_by_handlers(physics: Physics) -> None:
    a, _b, _c = circles(0, 0.5, 1)
    seen: list[int] = []

    def look(hit: Hit) -> None:
        seen.append(len(physics.hits))
        assert len(physics.hits.of(a)) == 2

    esper.set_handler("hit_started", look)
    esper.process(0.0)
    assert seen == [3, 3, 3]


def test_an_interrupt_in_a_handler_is_raised_after_all_were_called(physics: Physics) -> None:
    circles(0, 1, 10, 11)
    seen: list[tuple[str, int]] = []

    def interrupt(hit: Hit) -> None:
        seen.append((hit.phase, hit.entity_a))
        raise KeyboardInterrupt if hit.entity_a == 3 else LookupError

    esper.set_handler("hit_started", interrupt)
    with pytest.raises(KeyboardInterrupt):
        esper.process(0.0)
    assert seen == [("started", 1), ("started", 3)]


def test_handlers_of_pair_events_get_two_entities_after_the_handlers_of_hits_and_before_listeners(
    physics: Physics,
) -> None:
    a, b = circles(0, 1)
    told: list[tuple[object, ...]] = []
    names = ("started", "ongoing", "ended")
    hit_handlers = [lambda hit: told.append(("hit", hit.phase, hit.entity_a, hit.entity_b)) for _ in names]
    pair_handlers = [lambda a, b, name=name: told.append(("pair", name, a, b)) for name in names]

    def listen(hit: Hit) -> None:
        told.append(("listener", hit.phase))

    esper.add_component(a, ecsphys.HitListener(listen, listen, listen))
    for name, on_hit, on_pair in zip(names, hit_handlers, pair_handlers, strict=True):
        esper.set_handler(f"hit_{name}", on_hit)
        esper.set_handler(f"pair_{name}", on_pair)
    for phase in names:
        if phase == "ended":
            esper.component_for_entity(b, Transform).x = 9.0
        esper.process(0.0)
        assert told == [("hit", phase, a, b), ("pair", phase, a, b), ("listener", phase)]
        told.clear()


def test_for_pair_events_no_hits_are_made(physics: Physics, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = circles(0, 1)
    c, d = circles(10, 11)
    told: list[tuple[int, int]] = []

    def on_pair(entity_a: int, entity_b: int) -> None:
        told.append((entity_a, entity_b))

    esper.set_handler("pair_started", on_pair)
    monkeypatch.setattr("ecsphys.systems.hits.hit_events.Hit", None)
    listener = ecsphys.HitListener(on_started=on_pair, entities_only=True)
    esper.add_component(d, listener)
    esper.process(0.0)
    assert told == [(a, b), (c, d), (d, c)]


def test_pairs_killed_by_then_are_kept_from_pair_handlers_too(physics: Physics) -> None:
    a, b, c = circles(0, 0.5, 1)
    started: list[tuple[int, int]] = []
    ended: list[tuple[int, int]] = []

    def on_start(entity_a: int, entity_b: int) -> None:
        started.append((entity_a, entity_b))
        if entity_b == b:
            esper.delete_entity(b)

    def on_end(entity_a: int, entity_b: int) -> None:
        ended.append((entity_a, entity_b))

    esper.set_handler("pair_started", on_start)
    esper.set_handler("pair_ended", on_end)
    esper.process(0.0)
    assert started == [(a, b), (a, c)]
    esper.process(0.0)
    assert ended == [(a, b)]


def test_a_handler_whose_object_is_let_go_by_another_is_not_called_for_the_next_hit(physics: Physics) -> None:
    circles(0, 1, 10, 11)
    calls: list[str] = []

    class Greedy:
        def on_hit(self, hit: Hit) -> None:
            calls.append("greedy")
            kept.clear()

    def on_pair(entity_a: int, entity_b: int) -> None:
        calls.append("pair")

    kept = [Greedy()]
    esper.set_handler("hit_started", kept[0].on_hit)
    esper.set_handler("pair_started", on_pair)
    esper.process(0.0)
    assert calls == ["greedy", "pair", "pair"]


def test_an_event_and_a_listener_take_few_calls_for_each_hit() -> None:
    def calls_of(pairs: int, listens: bool) -> int:
        esper.clear_database()
        ecsphys.install()
        for k in range(pairs):
            one = esper.create_entity(Transform(5.0 * k), CircleCollider(1.0))
            esper.create_entity(Transform(5.0 * k + 1.0), CircleCollider(1.0))
            if listens:
                esper.add_component(one, HitListener(on_ongoing=take))
        if not listens:
            esper.set_handler("hit_ongoing", take)
        for _ in range(10):
            esper.process(0.1)
        calls = calls_while(lambda: esper.process(0.1))
        esper.remove_handler("hit_ongoing", take)
        for processor in tuple(esper._processors):
            esper.remove_processor(type(processor))
        return calls

    def take(hit: Hit) -> None:
        pass

    assert calls_of(200, False) - calls_of(100, False) <= 100 * 14
    assert calls_of(200, True) - calls_of(100, True) <= 100 * 20


def test_a_handler_that_is_set_between_the_hits_and_the_events_is_sent_the_events_of_this_step() -> None:
    """Steps after which nobody listens run ahead of Python; the events of the last step before are not lost."""

    def events(first_step: int) -> list[tuple[int, str]]:
        esper.switch_world(f"handlers from step {first_step}")
        ecsphys.install()
        for x, speed in ((-3, 2), (0, 0), (3, -1), (7, -4)):
            body = RigidBody(mass=1, restitution=1, can_sleep=False)
            esper.create_entity(Transform(x, 0), Velocity(speed, 0), CircleCollider(0.5), body)
        sent: list[tuple[int, str]] = []

        def started(hit: Hit) -> None:
            sent.append((step, hit.phase))

        def ended(hit: Hit) -> None:
            sent.append((step, hit.phase))

        class Late(esper.Processor):
            def process(self, dt: float) -> None:
                if step == first_step:
                    esper.set_handler("hit_started", started)
                    esper.set_handler("hit_ended", ended)

        esper.add_processor(Late(), priority=150)
        for step in range(120):  # noqa: B007
            esper.process(1 / 60)
        esper.remove_handler("hit_started", started)
        esper.remove_handler("hit_ended", ended)
        return sent

    all_events = events(0)
    steps = {step for step, _ in all_events}
    assert len(steps) > 4
    for step in sorted(steps):
        assert [event for event in all_events if event[0] >= step] == events(step)

"""Handlers that cannot take what their event passes: the error names the handler and says what it gets."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import CircleCollider, HitListener, Lifetime, Physics, Priority, Transform, Velocity, WorldBounds
from ecsphys.systems import LifetimeSystem, WorldBoundsSystem


def none() -> None:
    """Takes no arguments."""


def one(given: object) -> None:
    """Takes one."""


def two(a: object, b: object) -> None:
    """Takes two."""


def three_or_four(a: object, b: object, c: object, d: object = None) -> None:
    """Takes three, or four."""


def three_or_more(a: object, b: object, c: object, *others: object) -> None:
    """Takes three, or any number beyond."""


def keyword(*given: object, name: str) -> None:
    """Needs a keyword."""


class Game:
    def method(self) -> None:
        """Takes nothing besides self."""

    @staticmethod
    def static() -> None:
        """Takes nothing."""

    @classmethod
    def of_class(cls) -> None:
        """Takes nothing besides cls."""

    def __call__(self) -> None:
        """Takes nothing besides self."""


GAME = Game()
FILLED = partial(two, 1, 2)

HANDLERS: list[tuple[Callable[..., Any], str]] = [
    (none, "the handler none of {} takes no arguments, but the event passes {}"),
    (three_or_four, "the handler three_or_four of {} takes 3 to 4 arguments, but the event passes {}"),
    (three_or_more, "the handler three_or_more of {} takes 3 arguments or more, but the event passes {}"),
    (keyword, "the handler keyword of {} needs the keyword argument 'name', but the event passes {}"),
    (GAME.method, "the handler Game.method of {} takes no arguments besides self, but the event passes {}"),
    (Game.static, "the handler Game.static of {} takes no arguments, but the event passes {}"),
    (Game.of_class, "the handler Game.of_class of {} takes no arguments, but the event passes {}"),
    (GAME, "the handler Game of {} takes no arguments, but the event passes {}"),
    (Game, "the handler Game of {} takes no arguments, but the event passes {}"),
    (FILLED, "the handler two of {} takes no arguments, but the event passes {}"),
]


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def hitting(count: int = 2, *components: object) -> list[int]:
    return [esper.create_entity(Transform(), CircleCollider(1), *components) for _ in range(count)]


def end_hits(entities: list[int]) -> None:
    esper.component_for_entity(entities[0], Transform).x = 50.0


def refused(message: str) -> Any:
    return pytest.raises(TypeError, match=f"^{message.replace('(', '.').replace(')', '.')}$")


@pytest.mark.parametrize(("handler", "message"), HANDLERS)
@pytest.mark.parametrize(
    ("event", "passed"), [("hit_started", "one: the Hit"), ("pair_started", "two: entity_a and entity_b")]
)
def test_a_handler_is_told_what_its_event_passes(
    physics: Physics, handler: Callable[..., Any], message: str, event: str, passed: str
) -> None:
    esper.set_handler(event, handler)
    hitting()
    with refused(message.format(repr(event), passed)):
        esper.process(0.1)


def _lifetime_ends(physics: Physics) -> None:
    esper.add_processor(LifetimeSystem(physics), Priority.LIFETIME)
    esper.create_entity(Transform(), Lifetime(0.05))
    esper.process(0.1)


def _bounds_are_reached(physics: Physics) -> None:
    esper.add_processor(WorldBoundsSystem(physics), Priority.BOUNDS)
    esper.create_entity(Transform(9, 0), Velocity(), WorldBounds(-1, -1, 1, 1))
    esper.process(0.1)


def _a_joint_breaks(physics: Physics) -> None:
    a, b = (esper.create_entity(Transform(), CircleCollider(1), ecsphys.RigidBody()) for _ in range(2))
    esper.create_entity(ecsphys.WeldJoint(a, b))
    esper.process(0.1)
    esper.delete_entity(a)
    esper.process(0.1)
    esper.process(0.1)


def _hits_go_on(physics: Physics) -> None:
    hitting()
    for _ in range(2):
        esper.process(0.1)


def _hits_end(physics: Physics) -> None:
    entities = hitting()
    esper.process(0.1)
    end_hits(entities)
    esper.process(0.1)


@pytest.mark.parametrize(
    ("event", "play", "passed"),
    [
        ("hit_ongoing", _hits_go_on, "one: the Hit"),
        ("pair_ongoing", _hits_go_on, "two: entity_a and entity_b"),
        ("hit_ended", _hits_end, "one: the Hit"),
        ("pair_ended", _hits_end, "two: entity_a and entity_b"),
        ("lifetime_ended", _lifetime_ends, "one: the entity"),
        ("bounds_reached", _bounds_are_reached, "two: the entity and the side"),
        ("joint_broken", _a_joint_breaks, "one: the JointBreak"),
    ],
)
def test_every_event_says_what_it_passes(
    physics: Physics, event: str, play: Callable[[Physics], None], passed: str
) -> None:
    esper.set_handler(event, none)
    with refused(f"the handler none of {event!r} takes no arguments, but the event passes {passed}"):
        play(physics)


@pytest.mark.parametrize("name", ["on_started", "on_ongoing", "on_ended"])
@pytest.mark.parametrize(
    ("entities_only", "function", "message"),
    [
        (False, two, "the function two takes 2 arguments, but the listener passes one: the Hit (two entities with"),
        (
            True,
            one,
            "the function one takes 1 argument, but the listener passes two: the entity and the other one (one",
        ),
    ],
)
def test_a_function_of_a_listener_is_told_what_it_gets(
    physics: Physics, name: str, entities_only: bool, function: Callable[..., Any], message: str
) -> None:
    listener: Any = HitListener(entities_only=entities_only)
    setattr(listener, name, function)
    (entity,) = hitting(1, listener)
    others = hitting(1)

    def play() -> None:
        for _ in range(2):
            esper.process(0.1)
        end_hits(others)
        esper.process(0.1)

    with pytest.raises(TypeError, match=f"^entity {entity}, HitListener.{name}: {message.replace('(', '.')}"):
        play()


def test_the_function_for_impulses_is_told_what_it_gets() -> None:
    physics = ecsphys.install(gravity=(0, -10))
    esper.create_entity(Transform(0, -0.5), ecsphys.OBBCollider(20, 0.5), ecsphys.Solid())
    parts = Transform(0, 1), CircleCollider(0.5), ecsphys.RigidBody(), HitListener(on_impulse=two)
    ball = esper.create_entity(*parts)

    def fall() -> None:
        for _ in range(60):
            esper.process(1 / 60)

    with pytest.raises(TypeError, match=rf"^entity {ball}, HitListener.on_impulse: the function two takes 2 arguments"):
        fall()
    assert [str(finding).partition(" takes")[0] for finding in physics.debug.check()] == [
        f"entity {ball}, HitListener.on_impulse: the function two"
    ]


def test_other_handlers_are_called_and_each_wrong_one_is_reported_once(physics: Physics) -> None:
    heard: list[tuple[int, int]] = []

    def note(a: int, b: int) -> None:
        heard.append((a, b))

    esper.set_handler("hit_started", none)
    esper.set_handler("hit_started", GAME.method)
    esper.set_handler("pair_started", none)
    esper.set_handler("pair_started", note)
    hitting(5)
    with pytest.raises(ExceptionGroup) as raised:
        esper.process(0.1)
    assert sorted(str(error).partition(" takes")[0] for error in raised.value.exceptions) == [
        "the handler Game.method of 'hit_started'",
        "the handler none of 'hit_started'",
        "the handler none of 'pair_started'",
    ]
    assert len(heard) == 10


def test_an_error_within_a_handler_stays_as_it_is(physics: Physics) -> None:
    def calls_wrongly(hit: object) -> None:
        one()  # type: ignore[call-arg]

    def raises(hit: object) -> None:
        raise TypeError("raises() takes 1 positional argument but 2 were given")

    @wraps(none)
    def wrapped(*given: object) -> None:
        none(*given)

    for handler, words in (
        (calls_wrongly, r"one\(\) missing 1 required"),
        (raises, r"^raises\(\) takes 1 positional"),
        (wrapped, r"^none\(\) takes 0 positional"),
    ):
        esper.set_handler("hit_started", handler)
        pair = hitting()
        with pytest.raises(TypeError, match=words):
            esper.process(0.1)
        esper.remove_handler("hit_started", handler)
        end_hits(pair)
        for entity in pair:
            esper.delete_entity(entity, immediate=True)


def test_a_builtin_without_a_signature_keeps_its_own_error(physics: Physics) -> None:
    with pytest.raises(ValueError, match="no signature"):
        inspect.signature(getattr)
    esper.set_handler("hit_started", getattr)
    hitting()
    with pytest.raises(TypeError, match="getattr expected at least 2 arguments, got 1"):
        esper.process(0.1)


def test_handlers_that_fit_are_called_and_their_signatures_are_never_asked_for(
    physics: Physics, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object, **named: object) -> None:
        raise AssertionError("a signature was asked for")

    monkeypatch.setattr(inspect, "signature", refuse)
    heard: list[object] = []

    def with_default(hit: object, more: int = 3) -> None:
        heard.append(more)

    def any_number(*given: object) -> None:
        heard.append(len(given))

    filled = partial(any_number, 1)
    for handler in (with_default, any_number, filled, heard.append):
        esper.set_handler("hit_started", handler)
    hitting()
    esper.process(0.1)
    assert len(heard) == 4


def test_pre_solve_is_refused_when_it_is_set(physics: Physics) -> None:
    with refused("physics.pre_solve: the function two takes 2 arguments, but it gets one: the SolverContacts"):
        physics.pre_solve = two  # type: ignore[assignment]
    assert physics.pre_solve is None
    physics.pre_solve = one
    assert physics.pre_solve is one


def test_check_finds_them_before_any_step(physics: Physics) -> None:
    esper.set_handler("hit_started", none)
    esper.set_handler("pair_ended", one)
    esper.set_handler("joint_broken", one)
    first, *_ = hitting(3, HitListener(on_ended=two))
    hitting(1, HitListener(on_ended=two, entities_only=True))
    assert [str(finding) for finding in physics.debug.check()] == [
        "the handler none of 'hit_started' takes no arguments, but the event passes one: the Hit",
        "the handler one of 'pair_ended' takes 1 argument, but the event passes two: entity_a and entity_b",
        f"entity {first} and 2 more, HitListener.on_ended: the function two takes 2 arguments, but the listener passes"
        " one: the Hit (two entities with entities_only=True)",
    ]

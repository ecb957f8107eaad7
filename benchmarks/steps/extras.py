"""What a system, a listener, a query or a still level adds to a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import esper
import numpy as np

import ecsphys
from benchmarks.calls import in_a_world, query_calls
from benchmarks.delivery import measure_delivery
from benchmarks.steps.figures import StepFigure
from benchmarks.steps.own_world import next_world, own_worlds, step
from benchmarks.steps.turns import Effort, Step, take_turns
from ecsphys import (
    Bullet,
    ChainCollider,
    CircleCollider,
    HitListener,
    Physics,
    Priority,
    RigidBody,
    Transform,
    Velocity,
    WorldBounds,
)
from ecsphys.effects import Camera
from ecsphys.systems import LifetimeSystem, ParticleSystem, ScrollingSystem, WorldBoundsSystem

_MOVERS = 30
_LISTENERS = 105
_SEGMENTS, _BESIDE = 194, 500

# What may be needed, µs.
_MOST_OF_WRITE_AND_RAYCAST = 8.0
_MOST_OF_DELIVERY = {"a delivered hit": 1.2, "… to a listener": 1.5}


@dataclass(frozen=True)
class Extra:
    """``add`` makes it in the current world; returns what is called in each step, before it. ``most`` is in µs.

    The world has so many ``movers``, and so many ``others`` that stand still.
    """

    what: str
    add: Callable[[Physics], Step | None]
    most: float | None
    movers: int = _MOVERS
    others: int = 0


def measure_extras(effort: Effort) -> list[StepFigure]:
    """What each extra adds to the step of a world of movers; then a shapecast and ``stronger_than``."""
    found = []
    for extra in _EXTRAS:
        with own_worlds():
            plain = _world(extra)[1]
            physics, name = _world(extra)
            found.append(_added(extra, plain, name, extra.add(physics), effort))
    with own_worlds():
        found += _queries(effort)
    return found


def measure_queries(effort: Effort) -> list[StepFigure]:
    """Single calls among so many circles, and delivered hits."""
    found = []
    for count in effort.sizes[1:]:
        for outcome in in_a_world(count, partial(query_calls, count)):
            most = _MOST_OF_WRITE_AND_RAYCAST if outcome.call == "write, raycast" else None
            found.append(StepFigure(f"{outcome.call} among {count:,}", outcome.ours, outcome.pymunk, most))
    for what, (ours, theirs) in measure_delivery().items():
        found.append(StepFigure(what, ours, theirs, _MOST_OF_DELIVERY.get(what)))
    return found


def _world(extra: Extra) -> tuple[Physics, str]:
    name = next_world()
    physics = ecsphys.install()
    for k in range(extra.movers):
        esper.create_entity(Transform(3.0 * k, 0.0), Velocity(0.1, 0.0), CircleCollider(1.0))
    for k in range(extra.others):
        esper.create_entity(Transform(3.0 * k, 50.0), CircleCollider(1.0))
    return physics, name


def _added(extra: Extra, plain: str, name: str, act: Step | None, effort: Effort) -> StepFigure:
    """The step with it less the step without it: both worlds take turns."""

    def without() -> None:
        esper.switch_world(plain)
        step()

    def with_it() -> None:
        esper.switch_world(name)
        if act is not None:
            act()
        step()

    before, after = take_turns([without, with_it], effort)
    return StepFigure(extra.what, after - before, most=extra.most)


def _queries(effort: Effort) -> list[StepFigure]:
    physics = ecsphys.install()
    for k in range(300):
        esper.create_entity(Transform(3.0 * (k % 20), 3.0 * (k // 20)), CircleCollider(1.0))
    for _ in range(30):
        step()
    cast, start = CircleCollider(0.5), Transform(-5.0, 1.5)

    def strong() -> object:
        return physics.hits.stronger_than(5.0)

    sweep, strikes = take_turns([lambda: physics.shapecast(cast, start, (80.0, 0.0)), strong], effort)
    return [
        StepFigure("a shapecast past 20 of 300 circles", sweep, most=8.0),
        StepFigure("hits.stronger_than without hits", strikes),
    ]


def _particles(physics: Physics) -> None:
    esper.add_processor(ParticleSystem(physics), Priority.PARTICLE)


def _bounds(physics: Physics) -> None:
    esper.add_processor(WorldBoundsSystem(physics), Priority.BOUNDS)
    esper.create_entity(Transform(0.0, 50.0), Velocity(), WorldBounds(-99.0, -99.0, 99.0, 99.0))


def _lifetime(physics: Physics) -> None:
    esper.add_processor(LifetimeSystem(physics), Priority.LIFETIME)


def _scrolling(physics: Physics) -> None:
    esper.add_processor(ScrollingSystem(physics), Priority.SCROLLING)


def _camera(physics: Physics) -> None:
    _scrolling(physics)
    esper.create_entity(Camera(0.0, 0.0, 40.0, 20.0))


def _listeners(physics: Physics) -> None:
    """To each of the others."""
    heard: list[object] = []
    for entity, _ in esper.get_component(CircleCollider):
        if not esper.has_component(entity, Velocity):
            esper.add_component(entity, HitListener(on_started=heard.append, on_ended=heard.append))


def _chain(physics: Physics) -> None:
    x = np.arange(_SEGMENTS + 1.0)
    esper.create_entity(Transform(0.0, -50.0), ChainCollider(np.column_stack((x, np.sin(x)))))


def _between(physics: Physics) -> Step:
    return lambda: physics.hits.between(CircleCollider, RigidBody)


def _bullet_at_rest(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, 50.0), Velocity(), CircleCollider(0.1), Bullet())


def _first_query(physics: Physics) -> None:
    esper.add_processor(_Asking(physics), Priority.HIT_EVENT - 50)


class _Asking(esper.Processor):
    """A game's processor that asks once, within the step."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics

    def process(self, dt: float) -> None:
        self._physics.query_point((0.0, 0.0))


_EXTRAS = (
    Extra("an empty ParticleSystem", _particles, 2.0),
    Extra("a WorldBoundsSystem with one entity", _bounds, 2.0),
    Extra("an empty LifetimeSystem", _lifetime, 2.0),
    Extra("an empty ScrollingSystem", _scrolling, 2.0),
    Extra("a ScrollingSystem with a still camera", _camera, 10.0),
    Extra(f"{_LISTENERS} listeners without hits", _listeners, 2.0, others=_LISTENERS),
    Extra("a Bullet that stands still", _bullet_at_rest, None),
    Extra("hits.between without hits", _between, 3.0),
    Extra(f"a still chain of {_SEGMENTS} segments, {_BESIDE} movers", _chain, 5.0, _BESIDE),
    Extra("the first query within a step", _first_query, 20.0),
)

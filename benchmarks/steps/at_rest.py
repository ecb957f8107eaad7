"""Worlds in which all is at rest, up to 100,000 things: an idle step costs the same in each of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import esper
import numpy as np
import pymunk

import ecsphys
from benchmarks.steps.figures import StepFigure
from benchmarks.steps.level import GRAVITY, Level
from benchmarks.steps.own_world import DT, own_worlds, step
from benchmarks.steps.turns import Effort, Step, take_turns
from ecsphys import AABBCollider, DistanceJoint, OBBCollider, RigidBody, Solid, Transform, Velocity

# What such a step may cost above one of an empty world, µs.
_MORE = 2.0


def measure_at_rest(effort: Effort) -> list[StepFigure]:
    """Idle steps by the number of sleeping bodies, static colliders and sleeping joints; then of worlds of a few."""
    with own_worlds():
        ecsphys.install(gravity=GRAVITY)
        nothing, theirs = take_turns([step, _pymunk_step(_new_space())], effort)
    found = [StepFigure("nothing", nothing, theirs)]
    for what, (ours, peer) in _WORLDS.items():
        found += [
            _idle(f"{count:,} {what}", partial(ours, count), partial(peer, count), nothing, effort)
            for count in effort.sizes
        ]
    for what, few in _FEW.items():
        found.append(_idle(what, few, None, nothing, effort))
    return found


def _idle(
    what: str, ours: Callable[[], None], peer: Callable[[], Step] | None, nothing: float, effort: Effort
) -> StepFigure:
    with own_worlds():
        ours()
        for _ in range(2 * effort.rest):
            step()
        times = take_turns([step] if peer is None else [step, peer()], effort)
    return StepFigure(what, times[0], times[1] if peer else None, nothing + _MORE)


def _new_space() -> pymunk.Space:
    space = pymunk.Space()
    space.gravity = GRAVITY
    space.sleep_time_threshold = 0.5
    return space


def _pymunk_step(space: pymunk.Space) -> Step:
    """A step, once every body sleeps."""
    space.step(DT)
    for body in space.bodies:
        if body.body_type == pymunk.Body.DYNAMIC and not body.is_sleeping:
            body.sleep()
    return lambda: space.step(DT)


def _sleeping(count: int) -> None:
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(2.0 * count, 0.5), Solid())
    ecsphys.spawn_many(
        count,
        Transform.many(x=1.5 * np.arange(count), y=0.0),
        Velocity.many(),
        OBBCollider.many(0.5, 0.5),
        RigidBody.many(),
    )
    ecsphys.install(gravity=GRAVITY)


def _their_sleeping(count: int) -> Step:
    space = _new_space()
    space.add(pymunk.Segment(space.static_body, (-1.0, -1.0), (2.0 * count, -1.0), 0.5))
    for k in range(count):
        body = pymunk.Body(1.0, 1.0)
        body.position = 1.5 * k, 0.0
        space.add(body, pymunk.Poly.create_box(body, (1.0, 1.0)))
    return _pymunk_step(space)


def _static(count: int) -> None:
    side = int(count**0.5)
    numbers = np.arange(count)
    place = Transform.many(x=1.0 * (numbers % side), y=1.0 * (numbers // side))
    ecsphys.spawn_many(count, place, AABBCollider.many(0.5, 0.5), Solid.many())
    ecsphys.install(gravity=GRAVITY)


def _their_static(count: int) -> Step:
    space, side = _new_space(), int(count**0.5)
    for k in range(count):
        x, y = k % side, k // side
        corners = [(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
        space.add(pymunk.Poly(space.static_body, corners))
    return _pymunk_step(space)


def _jointed(count: int) -> None:
    """Bodies that hang at rest, each from a joint of its own."""
    bodies = ecsphys.spawn_many(
        count,
        Transform.many(x=3.0 * np.arange(count), y=-2.0),
        Velocity.many(),
        OBBCollider.many(0.5, 0.5),
        RigidBody.many(),
    )
    for k, body in enumerate(bodies.tolist()):
        esper.create_entity(DistanceJoint.at(None, body, 3.0 * k, 0.0, 3.0 * k, -2.0))
    ecsphys.install(gravity=GRAVITY)


def _their_jointed(count: int) -> Step:
    space = _new_space()
    for k in range(count):
        body = pymunk.Body(1.0, 1.0)
        body.position = 3.0 * k, -2.0
        joint = pymunk.PinJoint(space.static_body, body, (3.0 * k, 0.0))
        space.add(body, pymunk.Poly.create_box(body, (1.0, 1.0)), joint)
    return _pymunk_step(space)


def _kinematic() -> None:
    Level("tiles", 100).kinematic()


def _child() -> None:
    Level("tiles", 100).child()


def _beside_large_level() -> None:
    Level("tiles", 16_000)


_WORLDS: dict[str, tuple[Callable[[int], None], Callable[[int], Step]]] = {
    "sleeping bodies": (_sleeping, _their_sleeping),
    "static colliders": (_static, _their_static),
    "sleeping joints": (_jointed, _their_jointed),
}

_FEW: dict[str, Callable[[], None]] = {
    "100 tiles and a kinematic body that stands still": _kinematic,
    "100 tiles and a child that stands still": _child,
    "16,000 tiles and seven bodies that sleep": _beside_large_level,
}

"""Checks of entities that the game moves while something else moves them back, or without bodies feeling it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import esper
import numpy as np

from ecsphys.components.collision.hit_listener import HitListener
from ecsphys.components.dynamics.rigid_body import Bullet, Character, RigidBody, Solid
from ecsphys.components.motion.transform import Gravity, Parent, Transform, Velocity, WorldBounds
from ecsphys.systems.diagnosis.census import Census, Finding, found
from ecsphys.systems.dynamics.changes_since_step import NOTED_STEPS
from ecsphys.systems.world.entity_table import TRAJECTORY_CLASSES

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# A row that was written before so many of the last steps is written in each frame: a frame may have several steps.
_MANY_WRITES = NOTED_STEPS // 2 - 1


def check_motion(census: Census, state: PhysicsState) -> Iterator[Finding]:
    """Characters that something else moves too, and bodies that the game moves by their ``Transform``."""
    yield from _check_characters(census)
    yield from _check_falling_through(census, state)
    written = _written_each_frame(census, state)
    if written:
        yield from _check_written_bodies(census, state, written)
        yield from _check_placed(census, written)


def _check_characters(census: Census) -> Iterator[Finding]:
    characters = census.having(Character)
    message = "also moves the Character: remove one of the two, or make the body RigidBody(kind='kinematic')"
    yield from found([entity for entity in characters if census.kinds.get(entity) == "dynamic"], message, "RigidBody")
    message = (
        "moves the Character through walls: keep its speed in a component of your own, and call"
        " physics.move_character(entity, (x * dt, y * dt))"
    )
    yield from census.having_on((Velocity,), characters.keys() - census.kinds.keys(), message)


def _check_falling_through(census: Census, state: PhysicsState) -> Iterator[Finding]:
    """Entities that fall into the ground without a ``RigidBody``, while nothing handles their hits."""
    falling = census.having(Gravity).keys() & census.having(Velocity).keys()
    falling -= census.with_any(RigidBody, Character, Bullet, Solid, HitListener) | census.on_paths
    if not falling or any(name in esper.event_registry for name in ("hit_started", "hit_ongoing")):
        return
    ground = {*census.having(Solid), *census.of_kind("static")}
    hits = state.hits.found.hits
    inside = set()
    for a, b, new in zip(hits.entity_a.tolist(), hits.entity_b.tolist(), hits.is_new.tolist(), strict=True):
        if not new and ((a in falling and b in ground) or (b in falling and a in ground)):
            inside.add(a if a in falling else b)
    message = "makes the entity fall through the ground: add a RigidBody, or move it with physics.move_and_slide"
    yield from found(sorted(inside), message, "Gravity")


def _written_each_frame(census: Census, state: PhysicsState) -> dict[int, int]:
    """The entities whose Transform the game has written before many of the last steps, and before how many."""
    if state.solver is None:
        return {}
    begin = state.clock - (NOTED_STEPS - 0.5) * state.dt
    of_steps: dict[float, set[int]] = {}
    for noted in state.solver.changes.noted:
        if noted.clock > begin:
            of_steps.setdefault(noted.clock, set()).update(np.setdiff1d(noted.rows, noted.swept).tolist())
    many = {row: n for row, n in Counter(chain.from_iterable(of_steps.values())).items() if n >= _MANY_WRITES}
    # For entities with WorldBounds, the WorldBoundsSystem may be the writer.
    places = census.having(Transform).items()
    bound = census.having(WorldBounds)
    return {entity: many[one._row] for entity, one in places if one._row in many and entity not in bound}


def _check_written_bodies(census: Census, state: PhysicsState, written: dict[int, int]) -> Iterator[Finding]:
    kinds = census.kinds
    dynamic = [entity for entity in written if kinds.get(entity) == "dynamic"]
    if dynamic:
        message = (
            f"is set in each frame ({written[dynamic[0]]} times in the last {NOTED_STEPS} steps), which moves the body"
            " without a velocity, and into other bodies: set its Velocity, apply a force, or make it"
            " RigidBody(kind='kinematic'); lock_rotation=True keeps it upright"
        )
        yield from found(dynamic, message, "Transform")
    carrying = _touched_by_bodies(census, state)
    # A character is moved by its game in each frame, and crates may touch it.
    solid = census.having(Solid).keys() - census.having(Character).keys()
    driven = [
        entity
        for entity in written
        if entity in carrying and (kinds.get(entity) in ("kinematic", "static") or (entity in solid - kinds.keys()))
    ]
    message = (
        "is set in each frame while bodies touch the entity: they do not feel its motion and slide off. Add"
        " RigidBody(kind='kinematic') and set its Velocity, or add a trajectory"
    )
    yield from found(driven, message, "Transform")


def _check_placed(census: Census, written: dict[int, int]) -> Iterator[Finding]:
    """Transforms that the game writes, and a step then overwrites."""
    owners: tuple[type[Any], ...] = (Parent, *TRAJECTORY_CLASSES)
    for cls in owners:
        overwritten = [entity for entity in written if entity in census.having(cls)]
        message = (
            f"is set in each frame, but the {cls.__name__} then overwrites it: change or remove the {cls.__name__}"
        )
        yield from found(overwritten, message, "Transform")


def _touched_by_bodies(census: Census, state: PhysicsState) -> set[int]:
    """The entities that had hits with dynamic bodies in the last step, and their outermost parents."""
    hits = state.hits.found.hits
    outermost, kinds = census.carriers, census.kinds
    touched = set()
    for a, b in zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True):
        one, other = outermost.get(a, a), outermost.get(b, b)
        if kinds.get(one) == "dynamic":
            touched.add(other)
        if kinds.get(other) == "dynamic":
            touched.add(one)
    return touched

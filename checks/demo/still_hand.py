"""Nothing jumps in the player's hand: a body is held at one place while its scene goes on."""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy.random import Generator

from checks.demo.inspection import require
from ecsphys import RigidBody, Transform, Velocity
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.scene import STEP, Box

_SECONDS = 40.0
_MARGIN = 0.8
"""Units that contacts and joints may move a body further in a step than its speed does."""
_FROM_MOUSE = {"tumbler": 4.0}
_USUALLY = 1.0
"""Units from the mouse that the held point may be, after the first second; the tumbler's paddles push it away."""


def hold_still(scene: str, seed: int) -> float:
    """Hold a body for forty seconds; FaultError for one that jumps. Returns the greatest distance from the mouse."""
    events = SceneEvents(open_scene(scene, seed))
    live, random = events.live, np.random.default_rng((seed, 11))
    try:
        for _ in range(30):
            events.step(STEP)
        held, away = None, 0.0
        before = _bodies()
        for step in range(round(_SECONDS / STEP)):
            if held is None or not esper.entity_exists(held) or live.grip.held is None:
                held = _take(events, random)
                since = step
            events.step(STEP)
            now = _bodies()
            _require_no_jump(before, now, live.layout.arena if live.layout.follow is None else live.layout.follow())
            before = now
            if step - since > 60 and (line := live.grip.line()) is not None:
                distance = math.dist(*line)
                require(
                    distance < _FROM_MOUSE.get(scene, _USUALLY),
                    f"body {held} is {distance:.2f} units from the mouse that holds it",
                )
                away = max(away, distance)
        return away
    finally:
        live.close()


def _bodies() -> dict[int, tuple[float, float, float]]:
    """The place and the speed of each dynamic body."""
    return {
        entity: (place.x, place.y, math.hypot(velocity.x, velocity.y))
        for entity, (body, place, velocity) in esper.get_components(RigidBody, Transform, Velocity)
        if body.kind == "dynamic"
    }


def _take(events: SceneEvents, random: Generator) -> int | None:
    """Press at a body of the picture, until one is in the hand."""
    for _ in range(40):
        entities = list(_bodies())
        if not entities:
            return None
        place = esper.component_for_entity(entities[int(random.integers(len(entities)))], Transform)
        events.send("hold", place.x, place.y, 0.3)
        if events.live.grip.held is not None:
            return events.live.grip.held
        events.send("let_go")
    return None


def _require_no_jump(
    before: dict[int, tuple[float, float, float]], now: dict[int, tuple[float, float, float]], seen: Box
) -> None:
    """Out of sight a scene may put bodies back."""
    for entity in before.keys() & now.keys():
        (x, y, was), (new_x, new_y, speed) = before[entity], now[entity]
        if not (seen[0] < x < seen[2] or seen[0] < new_x < seen[2]):
            continue
        moved = math.hypot(new_x - x, new_y - y)
        allowed = max(was, speed) * STEP + _MARGIN
        require(moved <= allowed, f"body {entity} jumps by {moved:.2f} units at {speed:.1f} units/s")

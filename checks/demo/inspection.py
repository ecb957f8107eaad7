"""What must hold of a scene after anything that a user does."""

from __future__ import annotations

import esper
import numpy as np

from ecsphys import RigidBody, Transform, Velocity
from ecsphys.demo.scenes.scene import Box, LiveScene

_MORE_ENTITIES = 450
"""As many may be added by the user: 12 balls, 60 toys, and what a scene makes of bodies that break."""
_CROWDS = {"playground": 22_000, "game": 2_500, "ragdolls": 1_200, "sorting": 1_200}
"""The most entities of scenes that add bodies themselves."""
_STRETCHED = "units apart and are pulled together"
_LOST = 450.0
"""Units."""


class FaultError(Exception):
    """Something is wrong with a scene."""


def require(holds: bool, fault: str) -> None:
    """Raise FaultError unless it holds."""
    if not holds:
        raise FaultError(fault)


def entity_count() -> int:
    """How many entities the current world has."""
    return sum(1 for _ in esper.get_entities())


def inspect(live: LiveScene, at_start: int, is_calm: bool = False) -> None:
    """Raise FaultError for a world that is not whole; ``at_start`` is how many entities it began with.

    A joint may be stretched where somebody pulls, blasts, or turns the solver down. In a calm world none is.
    """
    live.enter()
    for cls in (Transform, Velocity):
        for name in ("x", "y", "angle" if cls is Transform else "angular"):
            require(bool(np.isfinite(cls.column(name, writable=False)).all()), f"{cls.__name__}.{name} is not finite")
    findings = [one for one in live.physics.debug.check() if is_calm or _STRETCHED not in one.message]
    require(not findings, f"debug.check() finds {[str(finding) for finding in findings[:3]]}")
    most = _CROWDS.get(live.scene.name, at_start + _MORE_ENTITIES)
    count = entity_count()
    require(count <= most, f"{count} entities, and {at_start} at the start")


def lost_bodies(live: LiveScene) -> list[int]:
    """The dynamic bodies that are so far from the arena that nobody sees them again."""
    live.enter()
    box = live.layout.arena
    return [
        entity
        for entity, (body, place) in esper.get_components(RigidBody, Transform)
        if body.kind == "dynamic" and _distance(box, place) > _LOST
    ]


def _distance(box: Box, place: Transform) -> float:
    return max(box[0] - place.x, place.x - box[2], box[1] - place.y, place.y - box[3])

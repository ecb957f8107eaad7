"""A scene that plays again and again: what happens when, and everything put back in the end."""

from __future__ import annotations

from collections.abc import Callable

import esper

from ecsphys import RigidBody, Transform, Velocity
from ecsphys.demo.scenes.tools.toolbox import Toolbox

Act = tuple[float, Callable[[], None]]
"""When, in seconds from the start, and what."""

_PATIENCE = 10.0
"""Seconds without input until a scene that the player has touched may begin again."""
_TOLD = 5.0
"""Seconds before that in which the countdown is shown."""
_FADE = 0.5


class Program(esper.Processor):
    """Calls each act at its time; after ``seconds`` all dynamic bodies are put back, and it starts anew.

    Nothing jumps in the player's hand: the clock stands still while a body is held, and after any input the end waits
    for ten seconds without. The picture fades out and in. It is a :class:`ecsphys.demo.scenes.scene.Loop`.
    """

    def __init__(self, seconds: float, *acts: Act) -> None:
        self._seconds = seconds
        self._acts = sorted(acts, key=lambda act: act[0])
        self._clock = 0.0
        self._done = 0
        self._idle = _PATIENCE
        self._is_played = False
        self._tools: Toolbox | None = None
        self._fading = -1.0
        """Seconds since it began to fade out; negative while it does not."""
        self._kept: list[tuple[int, tuple[float, ...], tuple[float, ...]]] = []

    def begin(self, tools: Toolbox) -> None:
        """Called once, with the player's tools."""
        self._tools = tools

    def touch(self) -> None:
        """The player has done something: the end waits, and a picture that fades out comes back."""
        self._idle = 0.0
        self._is_played = True
        if 0.0 <= self._fading < _FADE:
            self._fading = -1.0

    @property
    def countdown(self) -> float | None:
        """Seconds until it begins again; None as long as that is far away, or if the player has touched nothing."""
        left = max(self._seconds - self._clock, _PATIENCE - self._idle)
        return left if self._is_played and 0.0 < left <= _TOLD else None

    @property
    def fade(self) -> float:
        """How dark the picture is, from 0 to 1."""
        return max(0.0, 1.0 - abs(self._fading - _FADE) / _FADE) if self._fading >= 0.0 else 0.0

    def process(self, dt: float) -> None:
        if not self._kept:
            self._keep()
        if self._tools is not None and self._tools.grip.held is not None:
            self._idle = 0.0
            return
        self._idle += dt
        self._clock += dt
        self._fade(dt)
        while self._done < len(self._acts) and self._acts[self._done][0] <= self._clock:
            self._acts[self._done][1]()
            self._done += 1

    def _fade(self, dt: float) -> None:
        if self._fading >= 0.0:
            before = self._fading
            self._fading += dt
            if before < _FADE <= self._fading:
                self.restart()
            elif self._fading >= 2.0 * _FADE:
                self._fading = -1.0
        elif self._clock >= self._seconds and self._idle >= _PATIENCE:
            self._fading = 0.0

    def restart(self) -> None:
        """Put all dynamic bodies back to their first places, and take away the player's balls and toys."""
        self._clock, self._done = 0.0, 0
        self._is_played = False
        if self._tools is not None:
            self._tools.clear()
        for entity, pose, speed in self._kept:
            if esper.entity_exists(entity):
                place = esper.component_for_entity(entity, Transform)
                velocity = esper.component_for_entity(entity, Velocity)
                place.x, place.y, place.angle = pose
                velocity.x, velocity.y, velocity.angular = speed

    def _keep(self) -> None:
        for entity, (body, place) in esper.get_components(RigidBody, Transform):
            if body.kind == "dynamic":
                velocity = esper.try_component(entity, Velocity)
                speed = (0.0, 0.0, 0.0) if velocity is None else (velocity.x, velocity.y, velocity.angular)
                self._kept.append((entity, (place.x, place.y, place.angle), speed))

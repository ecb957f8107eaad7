"""A scene whose player can be recorded: all that reaches it between two steps is an event with a name and numbers.

The recording begins with the scene and names :func:`open_recorded`, by which ``python -m ecsphys.replay`` plays it
again. Places are in the world, so that a recording does not depend on the size of a window.
"""

from __future__ import annotations

import json
from typing import Any

from ecsphys.demo.scenes import open_scene
from ecsphys.demo.scenes.scene import LiveScene
from ecsphys.replay import Game, Recorder

OPEN = f"{__name__}:open_recorded"


class SceneEvents:
    """Passes events on to a scene, and keeps those since its last step: the inputs of a recording."""

    def __init__(self, live: LiveScene) -> None:
        self.live = live
        self._events: list[tuple[Any, ...]] = []

    def send(self, name: str, *values: Any) -> Any:
        """Pass an event on: one of the methods below, and what it takes."""
        self._events.append((name, *values))
        self.live.enter()
        if self.live.layout.loop is not None:
            self.live.layout.loop.touch()
        answer = getattr(self, f"_{name}")(*values)
        self.live.refresh()
        return answer

    def step(self, dt: float) -> None:
        """Advance the scene by a step, whose length is shorter in slow motion."""
        self._events.clear()
        self.live.step(dt)

    def to_bytes(self) -> bytes:
        """The events since the last step."""
        return json.dumps(self._events).encode() if self._events else b""

    def read_bytes(self, data: bytes) -> None:
        """Send these events; ValueError for other bytes."""
        for name, *values in json.loads(data or b"[]"):
            if name not in _NAMES:
                raise ValueError(f"a scene has no event {name!r}")
            self.send(name, *values)

    # Keys.

    def _press(self, key: str) -> bool:
        for own in self.live.layout.keys:
            if own.name == key:
                own.press()
                return True
        return self.live.press(key)

    def _release(self, key: str) -> None:
        self.live.release(key)

    def _steer(self, x: float, y: float) -> None:
        if (steering := self.live.layout.steering) is not None:
            steering.x, steering.y = x, y

    # The mouse, at places of the world; ``reach`` is how near is at the mouse.

    def _hold(self, x: float, y: float, reach: float) -> None:
        layout = self.live.layout
        if layout.pointer is not None:
            layout.pointer.reach = reach
            if layout.pointer.press(x, y):
                return
        if layout.has_bodies:
            self.live.grip.press(x, y, reach)

    def _move(self, x: float, y: float) -> None:
        self.live.grip.move(x, y)
        if self.live.layout.pointer is not None:
            self.live.layout.pointer.move(x, y)

    def _let_go(self) -> None:
        self.live.grip.release()
        if self.live.layout.pointer is not None:
            self.live.layout.pointer.release()

    def _shoot(self, x: float, y: float, velocity_x: float, velocity_y: float, radius: float) -> None:
        if self.live.layout.has_bodies:
            self.live.tools.shots.shoot(x, y, (velocity_x, velocity_y), radius)

    def _blast(self, x: float, y: float, reach: float) -> None:
        if self.live.layout.has_bodies:
            self.live.tools.blast(x, y, reach)

    def _drop(self, x: float, y: float, size: float) -> None:
        if self.live.layout.has_bodies:
            self.live.tools.shots.drop(x, y, size)

    # Sliders and buttons.

    def _put(self, number: int, value: float) -> None:
        parameter = self.live.layout.parameters[number]
        if parameter.get() != value:
            parameter.put(value)

    def _change(self, number: int, turn: int) -> None:
        self.live.layout.parameters[number].change(turn)

    def _button(self, number: int) -> None:
        if self.live.layout.panel is not None:
            self.live.layout.panel.press(number)


_NAMES = frozenset(name[1:] for name in vars(SceneEvents) if name[0] == "_" != name[1])


def open_recorded(scene: str, seed: int, autoplay: bool) -> Game:
    """A scene from its start, to be played by the events of a recording."""
    return _game_of(SceneEvents(open_scene(scene, seed, autoplay)))


def record(path: str, events: SceneEvents, seed: int, autoplay: bool) -> Recorder:
    """Begin to record a scene that has just been opened; OSError where the file cannot be written."""
    arguments = {"scene": events.live.scene.name, "seed": seed, "autoplay": autoplay}
    return Recorder(path, _game_of(events), OPEN, arguments)


def _game_of(events: SceneEvents) -> Game:
    return Game(events.live.physics, [events], events.step)

"""A scene whose player can be recorded: all that reaches it between two steps is an event with a name and numbers.

The recording begins with the scene and names :func:`open_recorded`, by which ``python -m ecsphys.replay`` plays it
again.
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
        return getattr(self, f"_{name}")(*values)

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

    def _press(self, key: str) -> bool:
        return self.live.press(key)

    def _release(self, key: str) -> None:
        self.live.release(key)

    def _press_mouse(self, x: float, y: float, button: Any) -> bool:
        return self.live.press_mouse(x, y, button)

    def _move_mouse(self, x: float, y: float) -> None:
        self.live.move_mouse(x, y)

    def _release_mouse(self, button: Any) -> None:
        self.live.release_mouse(button)
        if button == "left":
            self.live.grip.release()

    def _scroll(self, x: float, y: float, turns: float) -> None:
        self.live.scroll(x, y, turns)

    def _resize(self, width: int, height: int) -> None:
        self.live.resize((width, height))

    def _grip(self, x: float, y: float) -> None:
        self.live.grip.press(x, y)

    def _point_at(self, x: float, y: float) -> None:
        self.live.grip.move(x, y)
        if self.live.layout.point_at is not None:
            self.live.layout.point_at(x, y)

    def _change(self, number: int, turn: int) -> None:
        self.live.layout.parameters[number].change(turn)

    def _steer(self, x: float, y: float) -> None:
        if (steering := self.live.layout.steering) is not None:
            steering.x, steering.y = x, y


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

"""What happens in the films of scenes: when they begin, what they show, and what the player does meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ecsphys.demo.scenes.scene import STEP, Box

Cue: TypeAlias = tuple[Any, ...]
"""Seconds from the start of the scene, the name of an event of ``SceneEvents``, and its values."""

Place = tuple[float, float]


@dataclass(frozen=True)
class Script:
    """How a scene is filmed. All times are in seconds of the clock on the wall, from the start of the scene."""

    start: float = 2.5
    seconds: float = 4.0
    fade: float = 0.5
    """How long the end takes to become the start again."""
    view: Box | None = None
    """What is shown of the world; None for what the scene itself shows."""
    cues: tuple[Cue, ...] = ()


def drag(start: float, end: float, *places: Place) -> tuple[Cue, ...]:
    """The left button goes down at the first place, and up at the last. The mouse is as fast all the way."""
    x, y = np.array(places).T
    way = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    times = np.arange(start, end, STEP)
    along = (times - start) / (end - start) * way[-1]
    moves = zip(times.tolist(), np.interp(along, way, x).tolist(), np.interp(along, way, y).tolist(), strict=True)
    return (
        (start, "point_at", *places[0]),
        (start, "grip", *places[0]),
        *((time, "point_at", px, py) for time, px, py in moves),
        (end, "release_mouse", "left"),
    )


CARDS: dict[str, Script] = {
    "playground": Script(2.5, view=(-19.5, -1.0, 19.5, 25.0), cues=((0.0, "press", "F3"),)),
    "game": Script(25.0),
    "car": Script(2.0),
    "dominoes": Script(5.0),
    "ragdolls": Script(9.0),
    "breaking": Script(9.5),
    "tumbler": Script(5.0),
    "cards": Script(9.0),
    "cradle": Script(1.25),
    "bridge": Script(4.3),
    "sorting": Script(15.0),
    "pyramid": Script(6.75),
    "materials": Script(1.8),
    "stress": Script(0.5),
}
"""Of the pictures on the menu's cards, by the names of the scenes. Scenes that are not here have a plain Script."""

"""Scripts for the films of scenes: the start, the view, and the player's input."""

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
    poster: float = 0.5
    """How long after the start the picture comes that is seen first."""
    view: Box | None = None
    """The visible part of the world; None for the scene's own view."""
    crop: Box = (0.0, 0.0, 1.0, 1.0)
    """The part of each picture that is kept: left, top, right, bottom, from 0 to 1 of its width and height."""
    cues: tuple[Cue, ...] = ()


def drag(start: float, end: float, *places: Place, reach: float = 0.5) -> tuple[Cue, ...]:
    """The left button goes down at the first place, and up at the last. The mouse is as fast all the way."""
    x, y = np.array(places).T
    way = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    times = np.arange(start, end, STEP)
    along = (times - start) / (end - start) * way[-1]
    moves = zip(times.tolist(), np.interp(along, way, x).tolist(), np.interp(along, way, y).tolist(), strict=True)
    return (
        (start, "move", *places[0]),
        (start, "hold", *places[0], reach),
        *((time, "move", px, py) for time, px, py in moves),
        (end, "let_go"),
    )


_SLING = (-1.0, 5.4)
"""The place of the ball in the wrecking yard's slingshot."""

CARDS: dict[str, Script] = {
    "yard": Script(1.9, 4.0, poster=2.2, crop=(0.12, 0.22, 0.9, 1.0), cues=drag(0.6, 1.6, _SLING, (-4.6, 4.2))),
    "playground": Script(
        5.0, view=(-16.0, -0.9, 16.0, 20.4), cues=((0.0, "press", "F3"), (7.2, "blast", 0.0, 1.0, 9.0))
    ),
    "game": Script(58.0, 3.5, poster=2.4, crop=(0.156, 0.078, 1.0, 0.922)),
    "car": Script(2.0, poster=3.2, crop=(0.1, 0.22, 0.88, 1.0)),
    "dominoes": Script(2.4, poster=2.0, view=(-17.5, 4.5, 3.5, 18.5)),
    "ragdolls": Script(9.0, poster=0.8, view=(-4.5, -1.0, 18.0, 14.0), cues=((11.0, "blast", 5.0, 0.0, 8.0),)),
    "breaking": Script(4.2, poster=1.4, view=(-14.0, -1.0, 11.5, 16.0)),
    "tumbler": Script(5.0, view=(-13.5, -1.0, 13.5, 17.0)),
    "cards": Script(9.0),
    "cradle": Script(1.25),
    "bridge": Script(4.3),
    "sorting": Script(15.0),
    "pyramid": Script(6.75),
    "materials": Script(1.8),
    "stress": Script(0.5),
}
"""Of the pictures on the menu's cards, by the names of the scenes. Scenes that are not here have a plain Script."""

OTHER_FILM = Script(0.5, 10.0)
FILMS: dict[str, Script] = {
    "yard": Script(
        0.3,
        11.0,
        poster=1.9,
        cues=(
            *drag(0.6, 1.6, _SLING, (-4.6, 4.2)),
            *drag(5.0, 6.0, _SLING, (-4.8, 3.95)),
        ),
    ),
    "pyramid": Script(
        0.5,
        10.0,
        cues=(*drag(2.0, 3.0, (6.0, 0.4), (14.0, 6.0), (14.0, 12.0)), (7.0, "blast", 0.0, 0.0, 8.0)),
    ),
}
"""Of the command ``ecsphys-demo --film``. Scenes that are not here have OTHER_FILM."""

"""The legend of the colliders' colours: a word in the colour of each class that a scene has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import ecsphys
from ecsphys.demo import palette
from ecsphys.demo.hud.measures import SMALL
from ecsphys.demo.hud.texts import Texts
from ecsphys.demo.scenes import LiveScene

if TYPE_CHECKING:
    from pyglet.text import Label

_APART = 14.0


def words_of(live: LiveScene) -> list[tuple[str, palette.Color]]:
    """The word and the colour of each class; empty for a scene whose colours say something else."""
    if not live.layout.legend:
        return []
    names = [kind.__name__.removesuffix("Collider") for kind in ecsphys.COLLIDER_CLASSES]
    words = [name if name.isupper() else name.lower() for name in names]
    present = np.unique(live.physics.debug.colliders.collider).tolist()
    return [(words[number], palette.COLLIDERS[number]) for number in present]


def write_legend(texts: Texts, live: LiveScene, x: float, y: float, right: float) -> list[Label]:
    """Write the words side by side from (x, y) on; none of them if they would not end before ``right``."""
    labels: list[Label] = []
    for word, color in words_of(live):
        labels.append(texts.add(word, x, y, SMALL, color))
        x += labels[-1].content_width / texts.scale + _APART
    for label in labels:
        label.visible = x <= right
    return labels

"""Colours of the bodies' own, in place of one for each collider class; those that sleep are darker."""

from __future__ import annotations

from collections.abc import Sequence

import esper
import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import Physics, RigidBody, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.patterns.pattern import Pattern
from ecsphys.demo.scenes.sketch import Color

_ASLEEP = 0.68
_UNTINTED = (0.6, 0.65, 0.75)


def hue(code: int) -> Color:
    """A colour by its hexadecimal code."""
    return (code >> 16 & 255) / 255.0, (code >> 8 & 255) / 255.0, (code & 255) / 255.0


STONE = hue(0x5B6B8C)
"""What stays."""
MACHINE = hue(0x8FA3C9)
"""What moves by itself."""
WARM = (hue(0xFF5D73), hue(0xFF8A5B), hue(0xFFB454), hue(0xFFE08A))
COOL = (hue(0xB58CFF), hue(0x6FA8FF), hue(0x4FD6E8), hue(0x6FE8B0))
BRIGHT = (*WARM[:3], WARM[3], COOL[3], COOL[2], COOL[1], COOL[0])


def blend(colors: Sequence[Color], part: float) -> Color:
    """The colour at ``part``, from 0 to 1, of a scale from the first to the last."""
    place = min(max(part, 0.0), 1.0) * (len(colors) - 1)
    low = min(int(place), len(colors) - 2)
    rest = place - low
    red, green, blue = (a + rest * (b - a) for a, b in zip(colors[low], colors[low + 1], strict=True))
    return red, green, blue


class Tint(ecsphys.Component):
    """The colour of an entity."""

    red: float
    green: float
    blue: float


def put(color: Color, *components: object, pattern: int | None = None) -> int:
    """A new entity in a colour, with one of the kinds of :mod:`ecsphys.demo.scenes.patterns.pattern`, or plain."""
    patterns = () if pattern is None else (Pattern(pattern),)
    return esper.create_entity(*components, Tint(*color), *patterns)


class Tints:
    """The colours of a world's colliders, by their entities; how a layout's ``look`` asks for them.

    ``asleep`` is how bright bodies are that sleep, as a part of their usual brightness; ``fill`` the alpha of insides.
    """

    def __init__(self, asleep: float = _ASLEEP, fill: float = 0.42) -> None:
        self._asleep = asleep
        self.fill = fill
        self._tinted = CachedJoin(Tint)
        self._moving = CachedJoin(Tint, RigidBody, Velocity)

    def resting(self) -> tuple[NDArray[int64], NDArray[bool_]]:
        """The dynamic bodies, and which of them have no speed at all, as those that sleep."""
        bodies, _, own, velocities = self._moving()
        dynamic = RigidBody.column("kind", writable=False)[own] == 0
        bodies, velocities = bodies[dynamic], velocities[dynamic]
        rest = np.ones(len(velocities), bool)
        for name in ("x", "y", "angular"):
            rest &= Velocity.column(name, writable=False)[velocities] == 0.0
        return bodies, rest

    def colors(self, physics: Physics) -> NDArray[float64]:
        """Red, green, blue and alpha (n, 4) of ``physics.debug.colliders``."""
        entities, rows = self._tinted()
        tints = _tints_of(rows)
        bodies, rest = self.resting()
        tints[np.searchsorted(entities, bodies[rest])] *= self._asleep
        found = np.ones((len(physics.debug.colliders), 4))
        found[:, :3] = _of(physics.debug.colliders.entity, entities, tints)
        return found

    def of(self, owners: NDArray[int64]) -> NDArray[float64]:
        """Red, green and blue (n, 3) of some entities, awake or asleep."""
        entities, rows = self._tinted()
        return _of(owners, entities, _tints_of(rows))


def _tints_of(rows: NDArray[int64]) -> NDArray[float64]:
    return np.column_stack([Tint.column(name, writable=False)[rows] for name in ("red", "green", "blue")])


def _of(owners: NDArray[int64], entities: NDArray[int64], tints: NDArray[float64]) -> NDArray[float64]:
    """The tints (n, 3) of ``owners``, looked up among ``entities``; one colour for those without."""
    if not len(entities):
        return np.tile(np.array(_UNTINTED), (len(owners), 1))
    at = np.minimum(np.searchsorted(entities, owners), len(entities) - 1)
    return np.where((entities[at] == owners)[:, None], tints[at], _UNTINTED)

"""Sparks, dust, rings and a shake for events in a world with bodies: impacts, joints that break, blasts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import Transform
from ecsphys.demo.effects.particles import Particles
from ecsphys.demo.effects.rings import Rings
from ecsphys.demo.effects.shake import Shake
from ecsphys.demo.effects.usual_body import UsualBody
from ecsphys.demo.scenes.patterns.pattern import DOLL, METAL, RUBBER, TOY
from ecsphys.demo.scenes.patterns.patterns import Patterns
from ecsphys.demo.scenes.rigid.tint import Tints, blend
from ecsphys.demo.scenes.sketch import Color, Sketch

if TYPE_CHECKING:
    from ecsphys.types import JointBreak

_MOST_STRIKES = 5
"""So many of the hardest strikes of a step are shown."""
_DUSTY_SPEED, _SPARKLING_SPEED = 2.5, 6.0
"""Two bodies have to meet faster than this, in units/s, to make dust or sparks."""
_SHAKING_SPEED = 16.0
"""All strikes of a step together have to give a usual body this speed to shake the picture."""
_FULL_SHAKE = 110.0
_SPARKS = np.ones(DOLL + 1)
_SPARKS[[METAL, RUBBER, TOY, DOLL]] = 1.5, 0.0, 0.4, 0.3
"""How many sparks each kind of surface throws, as a part of the usual number. The parts of both are multiplied."""
_BRIGHT: Color = (1.0, 0.93, 0.75)
_STONE_DUST: Color = (0.62, 0.66, 0.74)


class Strikes(NamedTuple):
    """The hard strikes of a step: places and normals (n, 2); speeds, impulses and entities (n,)."""

    places: NDArray[float64]
    normals: NDArray[float64]
    speed: NDArray[float64]
    impulse: NDArray[float64]
    entity_a: NDArray[int64]
    entity_b: NDArray[int64]

    def hardest(self, count: int) -> Strikes:
        """Some of them, heavy and fast ones first."""
        rows = np.argsort(-self.impulse * self.speed, kind="stable")[:count]
        return Strikes(
            self.places[rows],
            self.normals[rows],
            self.speed[rows],
            self.impulse[rows],
            self.entity_a[rows],
            self.entity_b[rows],
        )


class Effects:
    """Makes the events of one world visible. Create it while that world is current.

    Call ``observe`` after every step and ``paint`` in every picture, and move the picture by ``shake``. Effects never
    change the game's world: physics, digests and recordings are the same without them.
    """

    def __init__(self, physics: ecsphys.Physics, is_on: bool = True) -> None:
        self._physics = physics
        self._is_on = is_on
        self._usual = UsualBody(physics)
        self._tints = Tints()
        self._patterns = Patterns()
        self._particles = Particles(physics.gravity)
        self._rings = Rings()
        self._shake = Shake()
        self._breaks: list[tuple[float, float]] = []
        self._blasts: list[tuple[float, float, float]] = []
        # esper keeps a weak reference: the handler goes when the effects go.
        esper.set_handler("joint_broken", self._on_break)

    @property
    def is_on(self) -> bool:
        """Whether effects are shown. Switching off removes them at once, and ``observe`` then reads nothing."""
        return self._is_on

    @is_on.setter
    def is_on(self, value: bool) -> None:
        self._is_on = value
        self.clear()

    @property
    def shake(self) -> tuple[float, float]:
        """How far the picture is moved right and up, in parts of its height."""
        return self._shake.offset

    @property
    def particles(self) -> int:
        """How many particles there are."""
        return len(self._particles)

    def clear(self) -> None:
        """Remove all effects, for example before a scene starts again."""
        self._particles.clear()
        self._rings.clear()
        self._shake.stop()
        self._breaks.clear()
        self._blasts.clear()

    def blast(self, x: float, y: float, reach: float) -> None:
        """Show a blast at (x, y) from the next step on. Its ring spreads as far as ``reach``."""
        if self._is_on:
            self._blasts.append((x, y, reach))

    def observe(self, dt: float) -> None:
        """Show the events of the last step, which took ``dt`` seconds."""
        if not self._is_on:
            return
        self._rings.step(dt)
        self._shake.step(dt)
        self._particles.step(dt, self._physics.gravity)
        self._usual.measure()
        strikes = _strikes(self._physics.hits)
        push = float(strikes.impulse.sum()) / self._usual.mass
        if push > _SHAKING_SPEED:
            self._shake.push(push / _FULL_SHAKE)
        if len(strikes.speed) or self._breaks or self._blasts:
            hardest = strikes.hardest(_MOST_STRIKES)
            # Looked up now: inside, the world of the particles is the current one.
            colors, sparkle = self._looks_of(hardest)
            with self._particles.open():
                self._show_strikes(hardest, colors, sparkle)
                self._show_breaks()
                self._show_blasts()

    def paint(self, sketch: Sketch) -> None:
        """Draw dust, sparks and rings, over the bodies."""
        if self._is_on:
            self._particles.paint(sketch, self._usual.size)
            self._rings.paint(sketch)

    def _looks_of(self, strikes: Strikes) -> tuple[NDArray[float64], NDArray[float64]]:
        """The colours (n, 3) of strikes, and how many sparks (n,) their surfaces throw."""
        a, b = strikes.entity_a, strikes.entity_b
        colors = 0.5 * (self._tints.of(a) + self._tints.of(b))
        return colors, _SPARKS[self._patterns.kinds_of(a)] * _SPARKS[self._patterns.kinds_of(b)]

    def _show_strikes(self, strikes: Strikes, colors: NDArray[float64], sparkle: NDArray[float64]) -> None:
        angles = _surface_angles(strikes.normals, self._physics.gravity)
        # A strike of a heavy body has more to throw up.
        weight = np.clip(np.sqrt(strikes.impulse / (strikes.speed * self._usual.mass)), 0.4, 2.5)
        rows = (strikes.places, strikes.speed, weight, angles, colors, sparkle)
        for (x, y), speed, heavy, angle, tint, sparks in zip(*(row.tolist() for row in rows), strict=True):
            color = (tint[0], tint[1], tint[2])
            dust = blend((color, _STONE_DUST), 0.5)
            self._particles.add_dust(x, y, heavy * min(0.8 * (speed - _DUSTY_SPEED), 7.0), 0.3 * speed, dust, angle)
            if speed > _SPARKLING_SPEED:
                spark = blend((color, _BRIGHT), 0.35)
                count = sparks * heavy * min(1.4 * (speed - _SPARKLING_SPEED), 22.0)
                self._particles.add_sparks(x, y, count, 0.75 * speed, spark, angle, flat=0.45)

    def _show_breaks(self) -> None:
        for x, y in self._breaks[:_MOST_STRIKES]:
            self._particles.add_sparks(x, y, 16.0, 6.0, _BRIGHT)
            self._particles.add_dust(x, y, 3.0, 1.2, _STONE_DUST)
            self._rings.add(x, y, 1.4 * self._usual.size)
            self._shake.push(0.3)
        self._breaks.clear()

    def _show_blasts(self) -> None:
        for x, y, reach in self._blasts[:_MOST_STRIKES]:
            self._particles.add_sparks(x, y, 60.0, 4.0 * reach, _BRIGHT)
            self._particles.add_dust(x, y, 20.0, 1.2 * reach, _STONE_DUST)
            self._rings.add(x, y, reach)
            self._shake.push(0.8)
        self._blasts.clear()

    def _on_break(self, broken: JointBreak) -> None:
        if self._is_on and broken.reason in ("force", "torque"):
            place = _anchor_of(broken)
            if place is not None:
                self._breaks.append(place)


def _strikes(hits: ecsphys.types.HitArrays) -> Strikes:
    rows = np.flatnonzero((hits.strike_impulse > 0.0) & (hits.approach_speed > _DUSTY_SPEED))
    points = hits.points[rows]
    # A hit has one point or two.
    second = np.where(np.isnan(points[:, 1]), points[:, 0], points[:, 1])
    return Strikes(
        0.5 * (points[:, 0] + second),
        hits.normal[rows],
        hits.approach_speed[rows],
        hits.strike_impulse[rows],
        hits.entity_a[rows],
        hits.entity_b[rows],
    )


def _anchor_of(broken: JointBreak) -> tuple[float, float] | None:
    """Where the joint was in the world: at its anchor on one of its bodies."""
    for entity, side in ((broken.entity_a, "a"), (broken.entity_b, "b")):
        place = esper.try_component(entity, Transform) if esper.entity_exists(entity) else None
        x, y = getattr(broken.joint, f"x_{side}", None), getattr(broken.joint, f"y_{side}", None)
        if place is not None and x is not None and y is not None:
            c, s = math.cos(place.angle), math.sin(place.angle)
            return place.x + c * x - s * y, place.y + s * x + c * y
    return None


def _surface_angles(normal: NDArray[float64], gravity: tuple[float, float]) -> NDArray[float64]:
    """How surfaces are turned whose normals are these (n, 2), or the opposite: their upper sides face up."""
    up = np.where(normal @ np.array(gravity) > 0.0, -1.0, 1.0)
    return np.arctan2(up * normal[:, 1], up * normal[:, 0]) - 0.5 * math.pi

"""A volley as a film: where each step took what was fired, and what that met on its way; played as slowly as liked."""

from __future__ import annotations

from dataclasses import dataclass, field

import esper

from ecsphys import Bullet, Collider, CollisionFilter, Component, Physics
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.bullets.ways import REACH, Pose, Way
from ecsphys.demo.scenes.scene import STEP
from ecsphys.demo.scenes.sketch import Color


@dataclass(frozen=True)
class Impact:
    """A hit as it is shown: its step of the volley, when in it, where, the normal from the mover, the entity hit."""

    step: int
    time: float
    point: Pair
    normal: Pair
    other: int

    @property
    def moment(self) -> float:
        """Steps since the volley began."""
        return self.step + self.time


@dataclass(eq=False)
class Mover:
    """What is fired, ``laps`` times as far as :data:`REACH`, and what became of it. One ``group`` never meets."""

    way: Way
    collider: Collider
    color: Color
    bullet: Bullet | None = None
    laps: int = 1
    group: int = -1
    entity: int = 0
    track: list[tuple[float, ...]] = field(default_factory=list)
    """Its coordinates at the beginning and after each step."""
    rests: list[float] = field(default_factory=list)
    """When in each step it was stopped, 1 where it was not."""
    impacts: list[Impact] = field(default_factory=list)

    def create(self) -> None:
        """Make the entity."""
        extra: list[Component] = [] if self.bullet is None else [self.bullet]
        own = CollisionFilter(group=self.group)
        self.entity = esper.create_entity(*self.way.components(), self.collider, own, *extra)

    def steps(self, speed: float) -> int:
        """How many steps it flies."""
        return max(round(self.laps * REACH / (speed * STEP)), 1)

    def pose_at(self, moment: float) -> Pose:
        """Where it was so many steps after the beginning."""
        step = min(int(moment), len(self.rests) - 1)
        if step < 0:
            return self.way.pose(self.track[0])
        rest = self.rests[step]
        part = min((moment - step) / rest, 1.0) if rest > 0.0 else 1.0
        before, after = self.track[step : step + 2]
        return self.way.pose([a + part * (b - a) for a, b in zip(before, after, strict=True)])


class Film(esper.Processor):
    """Fires all movers at once, takes down where each step takes them, and plays that; then fires again.

    ``shown`` is how fast the film shows what flies at ``speed``, both in units a second.
    """

    hold = 1.4
    """Seconds for which the last picture stands."""

    def __init__(self, physics: Physics, movers: list[Mover], speed: float, shown: float) -> None:
        self.physics = physics
        self.movers = movers
        self.speed = speed
        self.shown = shown
        for mover in movers:
            mover.create()
        self.fire()

    def fire(self) -> None:
        """Begin a volley: everything rests at its start for a step, which ends the hits of the volley before."""
        self._clock = 0.0
        self._step = -1
        for mover in self.movers:
            mover.way.launch(0.0)
            mover.track, mover.rests, mover.impacts = [mover.way.coordinates()], [], []
        self._steps = [mover.steps(self.speed) for mover in self.movers]

    @property
    def slowness(self) -> float:
        """How many times more slowly the film is played than it was taken."""
        return max(self.speed / self.shown, 1.0)

    @property
    def moment(self) -> float:
        """Steps since the volley began, in the film."""
        return self._clock / (STEP * self.slowness)

    def process(self, dt: float) -> None:
        if dt == 0.0:
            return
        if self._step < 0:
            self._step = 0
            for mover in self.movers:
                mover.way.launch(self.speed)
            return
        self._clock += dt
        for mover, steps in zip(self.movers, self._steps, strict=True):
            if self._step < steps:
                self._take_down(mover)
            if self._step == steps - 1:
                mover.way.halt()
        self._step += 1
        if self._clock > self.hold + max(self._steps) * STEP * self.slowness:
            self.fire()

    def _take_down(self, mover: Mover) -> None:
        rest = 1.0
        for hit in self.physics.hits.of(mover.entity):
            if hit.phase == "started":
                seen = hit.seen_from(mover.entity)
                mover.impacts.append(Impact(self._step, hit.time, hit.points[0], seen.normal, seen.entity_b))
                if mover.bullet is not None and mover.bullet.stop and hit.depth == 0.0:
                    rest = min(rest, hit.time)
        mover.track.append(mover.way.coordinates())
        mover.rests.append(rest)

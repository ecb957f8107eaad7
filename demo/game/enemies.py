"""The foes on the way: each appears where the view comes to it, and moves on a trajectory of its own."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper

from ecsphys import (
    AABBCollider,
    BallisticTrajectory,
    CircleCollider,
    CircularTrajectory,
    HarmonicTrajectory,
    HitListener,
    Lifetime,
    LinearTrajectory,
    OBBCollider,
    Transform,
    Velocity,
)
from ecsphys.demo.game.debris import scatter
from ecsphys.demo.game.level import FOES, VIEW_WIDTH, Foothold
from ecsphys.demo.game.parts import (
    BOMB,
    DIVER,
    MOON,
    MOTH,
    TABLE,
    THROWER,
    WARDEN,
    Foe,
    Harm,
    Layer,
    Throwing,
)
from ecsphys.demo.game.pieces import LUNAR
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Session
from ecsphys.demo.game.splashes import EMBER, trail
from ecsphys.types import Hit

MOONS = 4
MOON_ORBIT = 1.9
DIVE_SPEED = -8.0
_FALL = -16.0  # units/s² of a bomb
_THROW_SECONDS = 1.15


def add_foe(place: Foothold) -> int:
    """The foe of a foothold; a warden brings its moons."""
    x, y, layer = place.x, place.y, TABLE.filter(Layer.FOE)
    if place.kind == MOTH:
        flutter = HarmonicTrajectory(x, y, 1.6, 0.9, 2.2)
        return esper.create_entity(Transform(x, y), flutter, CircleCollider(0.5), Foe(MOTH, 1.0, 100), layer)
    if place.kind == DIVER:
        dive = LinearTrajectory(x + 2.0, y, DIVE_SPEED, 0.0)
        return esper.create_entity(
            Transform(x + 2.0, y), dive, OBBCollider(0.7, 0.35), Foe(DIVER, 1.0, 150), Lifetime(6.0), layer
        )
    if place.kind == THROWER:
        return esper.create_entity(
            Transform(x, y), AABBCollider(0.6, 0.7), Foe(THROWER, 2.0, 200), Throwing(2.4, 1.2), layer
        )
    core = esper.create_entity(
        Transform(x, y),
        HarmonicTrajectory(x, y, 0.0, 0.6, 1.1),
        CircleCollider(0.75),
        Foe(WARDEN, 4.0, 400),
        layer,
    )
    for number in range(MOONS):
        circle = CircularTrajectory(x, y, MOON_ORBIT, 1.7, math.tau * number / MOONS)
        parts = CircleCollider(0.3), Harm(MOON, 1, 1), TABLE.filter(Layer.MOON), Moon(core)
        esper.create_entity(Transform(x, y), circle, *parts)
    return core


class Moon:
    """Belongs to a warden and goes out with it."""

    __slots__ = ("warden",)

    def __init__(self, warden: int) -> None:
        self.warden = warden


class FoeSystem(esper.Processor):
    """Lets foes appear, moons follow their wardens, throwers throw, and the struck stop flashing.

    ``on_hit`` is called with each thing that a bomb hits; the bomb is ``entity_a``.
    """

    def __init__(self, session: Session, on_hit: Callable[[Hit], None]) -> None:
        self._session = session
        self._on_hit = on_hit

    def process(self, dt: float) -> None:
        session = self._session
        if session.state is not State.PLAY:
            return
        border = session.view_left + VIEW_WIDTH + 1.0
        while session.next_foe < len(FOES) and FOES[session.next_foe].x < border:
            add_foe(FOES[session.next_foe])
            session.next_foe += 1
        for _, foe in esper.get_component(Foe):
            if foe.flash > 0.0:
                foe.flash = max(foe.flash - dt, 0.0)
        for entity, (moon, circle) in esper.get_components(Moon, CircularTrajectory):
            if not esper.entity_exists(moon.warden):
                self._drop(entity, circle)
            else:
                warden = esper.component_for_entity(moon.warden, Transform)
                circle.center_x, circle.center_y = warden.x, warden.y
        for _, (throwing, place) in esper.get_components(Throwing, Transform):
            throwing.wait -= dt
            if throwing.wait <= 0.0:
                throwing.wait += throwing.period
                self._throw(place)

    def _drop(self, entity: int, circle: CircularTrajectory) -> None:
        """A moon without its warden flies on as a dead stone."""
        place = esper.component_for_entity(entity, Transform)
        across, up = place.x - circle.center_x, place.y - circle.center_y
        turning = circle.angular_speed
        center = circle.center_x, circle.center_y
        scatter(LUNAR, place, (-turning * up, turning * across), center, self._session.rng)
        esper.delete_entity(entity)

    def _throw(self, place: Transform) -> None:
        """A bomb that would hit the hero where it stands: y = vy·t + ½·a·t² solved for vy."""
        target = self._session.hero.transform
        if abs(target.x - place.x) > 14.0 or self._session.tally.is_down:
            return
        x, y, t = place.x, place.y + 0.9, _THROW_SECONDS
        vx, vy = (target.x - x) / t, (target.y - y) / t - 0.5 * _FALL * t
        esper.create_entity(
            Transform(x, y),
            Velocity(angular=-6.0),
            BallisticTrajectory(x, y, vx, vy, 0.0, _FALL),
            CircleCollider(0.3),
            Harm(BOMB, 1, 1),
            trail(EMBER, 40.0),
            Lifetime(4.0),
            TABLE.filter(Layer.SHOT),
            HitListener(on_started=self._on_hit),
        )
        self._session.tell("throw", x, y)

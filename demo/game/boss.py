"""The Keeper of the lighthouse: volleys, a sweeping beam, and homing lasers, in turn."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper

from ecsphys import (
    CapsuleCollider,
    CircleCollider,
    HarmonicTrajectory,
    HitListener,
    Lifetime,
    LinearTrajectory,
    Parent,
    PolygonCollider,
    Transform,
)
from ecsphys.demo.game.level import ARENA_LEFT, ARENA_RIGHT, add_wall
from ecsphys.demo.game.parts import BEAM, KEEPER, LASER, SPARK, TABLE, Foe, Harm, Layer
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Boss, Session
from ecsphys.effects import HomingLaser
from ecsphys.types import Hit

HEALTH = 60.0
SIZE = 1.5
VOLLEY, BEAM_SWEEP, LASERS = range(3)
ATTACK_SECONDS = (3.4, 3.4, 4.2)
LASER_COUNT = 3
WARNING = 1.0
SWEEP_SECONDS = 1.7
SWEEP = 0.85  # radians to either side of straight down
BEAM_LENGTH = 16.0
BEAM_RADIUS = 0.32
LASER_WIDTH = 0.34
_SPARK_SPEED = 6.5
_AFTERGLOW = 3.0


def add_keeper() -> Boss:
    """The boss, high above the arena's middle."""
    x, y = 0.5 * (ARENA_LEFT + ARENA_RIGHT), 5.0
    corners = tuple(
        (SIZE * math.cos(math.tau * (i + 0.5) / 8), SIZE * math.sin(math.tau * (i + 0.5) / 8)) for i in range(8)
    )
    # One line from high on the left to low on the right, through the middle, where it begins.
    sway = HarmonicTrajectory(x, y, 8.5, -2.3, 0.62, -0.5 * math.pi)
    keeper = esper.create_entity(
        Transform(x, y), sway, PolygonCollider(corners), Foe(KEEPER, HEALTH, 3000), TABLE.filter(Layer.FOE)
    )
    return Boss(keeper)


class BossSystem(esper.Processor):
    """Lets the Keeper appear when the hero enters the arena, attack, and fall.

    ``on_hit`` is called with each thing that a spark hits; the spark is ``entity_a``.
    """

    def __init__(self, session: Session, on_hit: Callable[[Hit], None]) -> None:
        self._session = session
        self._on_hit = on_hit

    def process(self, dt: float) -> None:
        session = self._session
        if session.state is not State.PLAY:
            return
        if session.won_in is not None:
            _disarm()
            session.won_in -= dt
            if session.won_in <= 0.0:
                session.enter(State.WIN)
            return
        boss = session.boss
        if boss is None:
            if session.hero.transform.x > ARENA_LEFT + 3.0:
                add_wall(ARENA_LEFT - 1.0)
                session.boss = add_keeper()
                session.safe_place = (ARENA_LEFT + 3.0, 0.8)
                session.tell("keeper", 0.5 * (ARENA_LEFT + ARENA_RIGHT), 5.0)
            return
        if not esper.entity_exists(boss.entity):
            self._fall(boss)
            return
        boss.health = esper.component_for_entity(boss.entity, Foe).health / HEALTH
        self._attack(boss, dt)

    def _fall(self, boss: Boss) -> None:
        session = self._session
        session.tell("fall", boss.x, boss.y)
        session.boss = None
        session.won_in = _AFTERGLOW
        session.tally.safe = 2.0 * _AFTERGLOW
        _disarm()

    def _attack(self, boss: Boss, dt: float) -> None:
        boss.elapsed += dt
        place = esper.component_for_entity(boss.entity, Transform)
        boss.x, boss.y = place.x, place.y
        if boss.attack == VOLLEY:
            self._volley(boss, place)
        elif boss.attack == BEAM_SWEEP:
            self._sweep(boss, place)
        else:
            self._fire_lasers(boss, place)
        if boss.elapsed >= ATTACK_SECONDS[boss.attack]:
            boss.attack = (boss.attack + 1) % len(ATTACK_SECONDS)
            boss.elapsed, boss.shots = 0.0, 0

    def _volley(self, boss: Boss, place: Transform) -> None:
        """Three times three sparks towards the hero."""
        target = self._session.hero.transform
        boss.aim = math.atan2(target.y - place.y, target.x - place.x)
        if boss.shots < 3 and boss.elapsed > 0.8 * (boss.shots + 1):
            boss.shots += 1
            for spread in (-0.3, 0.0, 0.3):
                self._spark(place, boss.aim + spread)

    def _sweep(self, boss: Boss, place: Transform) -> None:
        """A thin warning first; then the beam swings across the ground."""
        swung = min(max((boss.elapsed - WARNING) / SWEEP_SECONDS, 0.0), 1.0)
        boss.aim = -0.5 * math.pi + SWEEP * (2.0 * swung - 1.0)
        if boss.beam is None and WARNING <= boss.elapsed < WARNING + SWEEP_SECONDS:
            boss.beam = esper.create_entity(
                Transform(),
                Parent(boss.entity, angle=boss.aim),
                CapsuleCollider(BEAM_LENGTH, BEAM_RADIUS, offset_x=0.5 * BEAM_LENGTH),
                Harm(BEAM, 1, 0),
                TABLE.filter(Layer.LIGHT),
            )
            self._session.tell("beam", place.x, place.y)
        if boss.beam is not None:
            esper.component_for_entity(boss.beam, Parent).angle = boss.aim
            if boss.elapsed >= WARNING + SWEEP_SECONDS:
                esper.delete_entity(boss.beam)
                boss.beam = None

    def _fire_lasers(self, boss: Boss, place: Transform) -> None:
        """They leave to all sides and bend towards the hero, each no faster than it can turn."""
        if boss.shots == 0 and boss.elapsed > 0.9:
            boss.shots = 1
            for number in range(LASER_COUNT):
                angle = 0.5 * math.pi + 0.9 * (number - 0.5 * (LASER_COUNT - 1))
                x, y = place.x + SIZE * math.cos(angle), place.y + SIZE * math.sin(angle)
                esper.create_entity(
                    Transform(x, y, angle),
                    HomingLaser(
                        9.5,
                        LASER_WIDTH,
                        target=self._session.hero.entity,
                        turn_limit=0.13,
                        segment_length=0.5,
                        segments=12,
                    ),
                    Harm(LASER, 1, 0),
                    Lifetime(3.4),
                    TABLE.filter(Layer.LIGHT),
                )
            self._session.tell("lasers", place.x, place.y)

    def _spark(self, place: Transform, angle: float) -> None:
        across, up = math.cos(angle), math.sin(angle)
        x, y = place.x + SIZE * across, place.y + SIZE * up
        esper.create_entity(
            Transform(x, y, angle),
            LinearTrajectory(x, y, _SPARK_SPEED * across, _SPARK_SPEED * up),
            CircleCollider(0.26),
            Harm(SPARK, 1, 1),
            Lifetime(4.0),
            TABLE.filter(Layer.SHOT),
            HitListener(on_started=self._on_hit),
        )
        self._session.tell("spark", x, y)


def _disarm() -> None:
    """With the Keeper, all that it and its kin have thrown is gone."""
    for entity, _ in esper.get_component(Harm):
        esper.delete_entity(entity)

"""What strikes what: weapons and shots listen to their own hits; what the hero touches is read from the arrays."""

from __future__ import annotations

import math

import esper

from ecsphys import Solid, Transform, Velocity
from ecsphys.demo.game.debris import scatter
from ecsphys.demo.game.enemies import DIVE_SPEED
from ecsphys.demo.game.hero import DOWN_SECONDS
from ecsphys.demo.game.level import add_mote
from ecsphys.demo.game.parts import DIVER, Crate, Foe, Harm, Mote, Strike
from ecsphys.demo.game.pieces import WOODEN
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Hero, Session
from ecsphys.effects import LaserSegment
from ecsphys.types import Hit

_FLASH = 0.12
_KNOCK_X, _KNOCK_Y = 8.0, 8.0
_CRATE_SCORE = 20


class DamageSystem(esper.Processor):
    """Runs after the hits of a step are known; weapons and shots call ``on_strike`` and ``on_shot`` with their hits."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def on_strike(self, hit: Hit) -> None:
        """A weapon of the hero, ``entity_a``, strikes something."""
        if self._is_played(hit):
            strike = esper.component_for_entity(hit.entity_a, Strike)
            self._strike(hit.entity_a, strike, hit.entity_b, hit.points[0])

    def on_shot(self, hit: Hit) -> None:
        """A spark or a bomb, ``entity_a``, breaks on a wall; what it does to the hero is seen to later in the step."""
        if self._is_played(hit) and esper.has_component(hit.entity_b, Solid):
            self._break(hit.entity_a)

    def on_crash(self, hit: Hit) -> None:
        """A crate, ``entity_a``, strikes something hard: it breaks."""
        if self._is_played(hit):
            self._break_crate(hit.entity_a, hit.points[0])

    def _is_played(self, hit: Hit) -> bool:
        """Neither of the two is marked dead."""
        both_exist = esper.entity_exists(hit.entity_a) and esper.entity_exists(hit.entity_b)
        return both_exist and self._session.state is State.PLAY

    def _strike(self, weapon: int, strike: Strike, target: int, point: tuple[float, float]) -> None:
        session = self._session
        foe, crate = esper.try_component(target, Foe), esper.try_component(target, Crate)
        harm = esper.try_component(target, Harm)
        if foe is not None:
            foe.health -= strike.damage
            foe.flash = _FLASH
            session.tell("strike", *point)
            if foe.health <= 0.0:
                self._defeat(target, foe, point)
        elif crate is not None:
            crate.health -= strike.damage
            if crate.health <= 0.0:
                self._break_crate(target, point)
        elif harm is not None and harm.fragile:
            self._break(target)
            session.tally.collect(5)
        strike.uses -= 1
        if strike.uses <= 0:
            session.tell("fizzle", *point)
            esper.delete_entity(weapon)

    def _defeat(self, entity: int, foe: Foe, blow: tuple[float, float]) -> None:
        session = self._session
        place = esper.component_for_entity(entity, Transform)
        session.tell("defeat", place.x, place.y, session.tally.defeat(foe.score))
        session.shake = max(session.shake, 0.35)
        scatter(foe.kind, place, (DIVE_SPEED if foe.kind == DIVER else 0.0, 0.0), blow, session.rng)
        esper.delete_entity(entity)

    def _break(self, entity: int) -> None:
        place = esper.component_for_entity(entity, Transform)
        self._session.tell("break", place.x, place.y)
        esper.delete_entity(entity)

    def _break_crate(self, entity: int, blow: tuple[float, float]) -> None:
        session = self._session
        place, speed = esper.component_for_entity(entity, Transform), esper.component_for_entity(entity, Velocity)
        session.tally.collect(_CRATE_SCORE)
        session.tell("crate", place.x, place.y)
        scatter(WOODEN, place, (speed.x, speed.y), blow, session.rng)
        esper.delete_entity(entity)
        for number in range(3):
            add_mote(place.x + 0.55 * (number - 1), place.y + 0.3, float(number))

    def process(self, dt: float) -> None:
        session = self._session
        if session.state is not State.PLAY:
            return
        self._collect()
        if session.tally.safe <= 0.0 and not session.tally.is_down:
            self._suffer()

    def _collect(self) -> None:
        """The lights that the hero has just touched."""
        for hit in self._session.physics.hits.started.between(Hero, Mote):
            place = esper.component_for_entity(hit.entity_b, Transform)
            self._session.tally.collect(esper.component_for_entity(hit.entity_b, Mote).value)
            self._session.tell("mote", place.x, place.y)
            esper.delete_entity(hit.entity_b)

    def _suffer(self) -> None:
        """Whatever harmful overlaps the hero, the first of it counts."""
        session, hero = self._session, self._session.hero
        for hit in session.physics.hits.of(hero.entity):
            hit = hit.seen_from(hero.entity)
            other = hit.entity_b
            # What touches is a laser's segment; what harms is the laser.
            segment = esper.try_component(other, LaserSegment)
            source = other if segment is None else segment.owner
            harm = esper.try_component(source, Harm) if esper.entity_exists(source) else None
            if harm is None and not esper.has_component(other, Foe):
                continue
            if not session.tally.hurt(1 if harm is None else harm.damage):
                continue
            hero.vx = math.copysign(_KNOCK_X, -hit.normal[0])
            hero.vy = _KNOCK_Y
            session.shake = max(session.shake, 0.6)
            session.tell("hurt", *hit.points[0])
            if session.tally.is_down:
                hero.down_left = DOWN_SECONDS
                session.tell("down", hero.transform.x, hero.transform.y)
            if harm is not None and harm.fragile:
                self._break(other)
            return

"""What strikes what: the hero's weapons by events, one at a time; the hero and the lights by arrays."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import Hit, Transform, laser_of
from ecsphys.demo.game.hero import DOWN_SECONDS
from ecsphys.demo.game.level import add_mote
from ecsphys.demo.game.parts import Crate, Foe, Harm, Lifetime, Mote, Strike
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Session

_FLASH = 0.12
_KNOCK_X, _KNOCK_Y = 8.0, 8.0
_CRATE_SCORE = 20


class DamageSystem(esper.Processor):
    """Runs after the hits of a step are known."""

    def __init__(self, session: Session) -> None:
        self._session = session
        esper.set_handler("hit_started", self._on_hit)

    def _on_hit(self, hit: Hit) -> None:
        """A weapon of the hero meets something, or something fragile breaks on a wall."""
        if self._session.state is not State.PLAY:
            return
        for one in (hit.entity_a, hit.entity_b):
            other = hit.other(one)
            if not (esper.entity_exists(one) and esper.entity_exists(other)):
                return
            strike = esper.try_component(one, Strike)
            if strike is not None:
                self._strike(one, strike, other, hit.points[0])
                return
        for one in (hit.entity_a, hit.entity_b):
            harm = esper.try_component(one, Harm)
            if harm is not None and harm.fragile and hit.other(one) != self._session.hero.entity:
                self._break(one)
                return

    def _strike(self, weapon: int, strike: Strike, target: int, point: tuple[float, float]) -> None:
        session = self._session
        foe, crate = esper.try_component(target, Foe), esper.try_component(target, Crate)
        harm = esper.try_component(target, Harm)
        if foe is not None:
            foe.health -= strike.damage
            foe.flash = _FLASH
            session.tell("strike", *point)
            if foe.health <= 0.0:
                place = esper.component_for_entity(target, Transform)
                session.tell("defeat", place.x, place.y, session.tally.defeat(foe.score))
                session.shake = max(session.shake, 0.35)
                esper.delete_entity(target)
        elif crate is not None:
            crate.health -= strike.damage
            if crate.health <= 0.0:
                self._break_crate(target)
        elif harm is not None and harm.fragile:
            self._break(target)
            session.tally.collect(5)
        strike.uses -= 1
        if strike.uses <= 0:
            session.tell("fizzle", *point)
            esper.delete_entity(weapon)

    def _break(self, entity: int) -> None:
        place = esper.component_for_entity(entity, Transform)
        self._session.tell("break", place.x, place.y)
        esper.delete_entity(entity)

    def _break_crate(self, entity: int) -> None:
        session = self._session
        place = esper.component_for_entity(entity, Transform)
        session.tally.collect(_CRATE_SCORE)
        session.tell("crate", place.x, place.y)
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
        started, hero = self._session.physics.started, self._session.hero.entity
        touched = np.concatenate(
            (started.entity_b[started.entity_a == hero], started.entity_a[started.entity_b == hero])
        )
        for entity in touched.tolist():
            mote = esper.try_component(entity, Mote) if esper.entity_exists(entity) else None
            if mote is not None:
                place = esper.component_for_entity(entity, Transform)
                self._session.tally.collect(mote.value)
                self._session.tell("mote", place.x, place.y)
                esper.delete_entity(entity)

    def _suffer(self) -> None:
        """Whatever harmful overlaps the hero, the first of it counts."""
        session, hero = self._session, self._session.hero
        for hit in session.physics.hits_of(hero.entity):
            other = hit.other(hero.entity)
            if not esper.entity_exists(other):
                continue
            # What touches is a laser's segment; what harms is the laser.
            source = laser_of(other) or other
            harm = esper.try_component(source, Harm) if esper.entity_exists(source) else None
            if harm is None and not esper.has_component(other, Foe):
                continue
            if not session.tally.hurt(1 if harm is None else harm.damage):
                continue
            away = -hit.normal[0] if hit.entity_a == hero.entity else hit.normal[0]
            hero.vx = math.copysign(_KNOCK_X, away)
            hero.vy = _KNOCK_Y
            session.shake = max(session.shake, 0.6)
            session.tell("hurt", *hit.points[0])
            if session.tally.is_down:
                hero.down_left = DOWN_SECONDS
                session.tell("down", hero.transform.x, hero.transform.y)
            if harm is not None and harm.fragile:
                self._break(other)
            return


class LifetimeSystem(esper.Processor):
    """Deletes what has lived its time."""

    def process(self, dt: float) -> None:
        for entity, lifetime in esper.get_component(Lifetime):
            if lifetime.seconds <= dt:
                esper.delete_entity(entity)
            else:
                lifetime.seconds -= dt

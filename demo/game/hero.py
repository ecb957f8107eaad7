"""The hero: runs, jumps, swings the sword, throws bolts, and dashes with the lance."""

from __future__ import annotations

import math

import esper

from ecsphys import CapsuleCollider, Character, RigidBody, Transform
from ecsphys.demo.game.level import SEA
from ecsphys.demo.game.parts import TABLE, Crate, Layer
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Hero, Session
from ecsphys.demo.game.weapons import HAND_Y, SWORD_SECONDS, OnStrike, couch_lance, swing_sword, throw_bolt

HALF_HEIGHT = 0.75
RADIUS = 0.38
RUN_SPEED = 7.5
PUSH_SPEED = 3.2  # against a crate
PUSH_FORCE = 70.0  # moves two crates in a row
MASS = 1.5  # for bodies that run into it
WEIGHT = 27.0  # on bodies that it stands on
LANDING = 0.5  # of its momentum: how hard it lands on them
STEP = 0.3  # as high as the end of a bridge rises above its sagging planks
RUN_CHANGE = 60.0  # units/s²
AIR_CHANGE = 34.0
GRAVITY = 40.0
JUMP_SPEED = 15.6  # rises 15.6² / 80 = 3.0 units
CUT_JUMP_SPEED = 5.0  # left of a jump that is let go
FALL_SPEED = 20.0
DASH_SPEED = 19.0
DASH_SECONDS = 0.26
LATE_JUMP = 0.09  # seconds after the edge in which a jump still counts
EARLY_JUMP = 0.11  # seconds before the landing in which it counts already
BOLT_ENERGY = 1.0
DASH_ENERGY = 1.5
DOWN_SECONDS = 1.6
_BOLTS = frozenset({"bolt", "bolt up", "bolt at"})


def create_hero(x: float, y: float) -> Hero:
    """The hero at (x, y), standing upright."""
    hero, body = Hero(), CapsuleCollider.upright(2.0 * HALF_HEIGHT, RADIUS)
    walker = Character(step_height=STEP, snap_distance=STEP, push_force=PUSH_FORCE, mass=MASS)
    hero.entity = esper.create_entity(Transform(x, y), body, walker, TABLE.filter(Layer.HERO), hero)
    return hero


class HeroSystem(esper.Processor):
    """Turns the controls into motion and strikes.

    ``on_strike`` is called with each thing that a weapon strikes; the weapon is ``entity_a``.
    """

    def __init__(self, session: Session, on_strike: OnStrike) -> None:
        self._session = session
        self._on_strike = on_strike

    def process(self, dt: float) -> None:
        session = self._session
        if session.state is not State.PLAY or dt == 0.0:
            return
        hero = session.hero
        if session.tally.is_down:
            self._lie(dt)
        else:
            self._steer(dt)
            self._act(dt)
        hero.vy = max(hero.vy - GRAVITY * dt, -FALL_SPEED) if hero.dash_left <= 0.0 else 0.0
        self._move(dt)

    def _steer(self, dt: float) -> None:
        hero, controls = self._session.hero, self._session.controls
        hero.dash_left = max(hero.dash_left - dt, 0.0)
        if hero.dash_left > 0.0:
            hero.vx = DASH_SPEED * hero.facing
            return
        aim = max(-1.0, min(controls.x, 1.0)) * (PUSH_SPEED if hero.is_pushing else RUN_SPEED)
        change = (RUN_CHANGE if hero.on_floor else AIR_CHANGE) * dt
        hero.vx += max(-change, min(aim - hero.vx, change))
        if abs(controls.x) > 0.2 and hero.swing_left <= 0.0:
            hero.facing = 1 if controls.x > 0.0 else -1
        hero.jump_wanted = EARLY_JUMP if "jump" in controls.pressed else hero.jump_wanted - dt
        if hero.jump_wanted > 0.0 and hero.since_floor < LATE_JUMP:
            hero.vy = JUMP_SPEED
            hero.jump_wanted = 0.0
            hero.since_floor = LATE_JUMP
            self._session.tell("jump", hero.transform.x, hero.transform.y - HALF_HEIGHT)
        if "jump" not in controls.held and hero.vy > CUT_JUMP_SPEED:
            hero.vy = CUT_JUMP_SPEED

    def _act(self, dt: float) -> None:
        session, hero = self._session, self._session.hero
        pressed, place = session.controls.pressed, hero.transform
        hero.swing_left -= dt
        hero.swing_wait -= dt
        hero.bolt_wait -= dt
        hero.dash_wait -= dt
        if "sword" in pressed and hero.swing_wait <= 0.0:
            swing_sword(hero.entity, hero.facing, self._on_strike)
            hero.swing_left, hero.swing_wait = SWORD_SECONDS, 0.28
            session.tell("swing", place.x, place.y, hero.facing)
        is_shooting = bool(pressed & _BOLTS) or "bolt at" in session.controls.held
        if is_shooting and hero.bolt_wait <= 0.0 and session.tally.spend(BOLT_ENERGY):
            across, up = self._aim()
            throw_bolt(place.x + 0.6 * across, place.y + HAND_Y + 0.6 * up, (across, up), self._on_strike)
            hero.bolt_wait = 0.2
            session.tell("bolt", place.x + across, place.y + up)
        if "lance" in pressed and hero.dash_wait <= 0.0 and session.tally.spend(DASH_ENERGY):
            couch_lance(hero.entity, hero.facing, DASH_SECONDS, self._on_strike)
            hero.dash_left, hero.dash_wait = DASH_SECONDS, 0.5
            session.tally.safe = max(session.tally.safe, DASH_SECONDS + 0.08)
            session.tell("dash", place.x, place.y, hero.facing)

    def _aim(self) -> tuple[float, float]:
        """Unit vector to the mouse, or of the direction that is held, in eighths of a turn; ahead where none is."""
        controls, hero = self._session.controls, self._session.hero
        if "bolt at" in controls.held or "bolt at" in controls.pressed:
            across, up = controls.target[0] - hero.transform.x, controls.target[1] - hero.transform.y - HAND_Y
            length = math.hypot(across, up)
            hero.facing = -1 if across < 0.0 else 1
            return (across / length, up / length) if length > 0.0 else (1.0, 0.0)
        facing = hero.facing
        up = 1 if "bolt up" in controls.pressed else (controls.y > 0.4) - (controls.y < -0.4)
        across = (controls.x > 0.4) - (controls.x < -0.4)
        if across == 0 and up == 0:
            return float(facing), 0.0
        length = math.hypot(across, up)
        return across / length, up / length

    def _lie(self, dt: float) -> None:
        session, hero = self._session, self._session.hero
        hero.vx *= math.exp(-6.0 * dt)
        hero.dash_left = 0.0
        hero.down_left -= dt
        if hero.down_left > 0.0:
            return
        if session.tally.is_over:
            session.enter(State.LOSE)
            return
        session.tally.rise()
        hero.transform.x, hero.transform.y = session.safe_place
        hero.vx = hero.vy = 0.0
        session.tell("rise", *session.safe_place)

    def _move(self, dt: float) -> None:
        session, hero = self._session, self._session.hero
        place = hero.transform
        fell, was_on_floor = hero.vy, hero.on_floor
        move = hero.move = session.physics.move_character(hero.entity, (hero.vx * dt, hero.vy * dt))
        walked = move.moved[0] - move.carried[0] - move.pushed[0]
        hero.is_pushing = move.on_wall and any(
            abs(contact.normal[0]) > 0.7 and esper.has_component(contact.entity, Crate) for contact in move.contacts
        )
        if move.on_wall:
            hero.vx = walked / dt
        if move.on_ceiling:
            hero.vy = min(hero.vy, 0.0)
        if move.on_floor:
            hero.since_floor = 0.0
            hero.vy = max(hero.vy, 0.0)
            hero.stride += abs(walked)
            if not was_on_floor and fell < -9.0:
                session.tell("land", place.x, place.y - HALF_HEIGHT)
            if move.floor is not None and esper.has_component(move.floor, RigidBody):
                self._press_down(move.floor, 0.0 if was_on_floor else fell, dt)
        else:
            hero.since_floor += dt
        if place.y < SEA - 1.0 and not session.tally.is_down:
            session.tell("drown", place.x, SEA)
            session.tally.fall()
            hero.down_left = DOWN_SECONDS
            hero.vx = 0.0

    def _press_down(self, floor: int, fell: float, dt: float) -> None:
        """Weigh on a body, and land on it with a speed that is below 0: bridges sag and swing, floating crates sink."""
        place = self._session.hero.transform
        push = WEIGHT - LANDING * MASS * fell / dt
        self._session.physics.bodies.apply_force(floor, (0.0, -push), (place.x, place.y - HALF_HEIGHT))

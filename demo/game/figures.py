"""Paints what moves: the hero, the foes, the Keeper, and what they throw and swing."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CapsuleCollider, Transform
from ecsphys.demo.game import palette
from ecsphys.demo.game.boss import BEAM_LENGTH, BEAM_SWEEP, SIZE, WARNING
from ecsphys.demo.game.hero import HALF_HEIGHT
from ecsphys.demo.game.paint import Paint, moved, turned
from ecsphys.demo.game.parts import (
    BEAM,
    BOLT,
    BOMB,
    DIVER,
    KEEPER,
    LANCE,
    LASER,
    MOON,
    MOTH,
    THROWER,
    Foe,
    Harm,
    Strike,
)
from ecsphys.demo.game.rules import State
from ecsphys.demo.game.session import Session
from ecsphys.demo.game.weapons import LANCE_LENGTH, SWORD_REACH, SWORD_SECONDS, SWORD_SPREAD
from ecsphys.demo.palette import Color


def paint_hero(brush: Paint, session: Session) -> None:
    """A small knight with a long red cloak; it blinks while nothing can hurt it."""
    hero, tally, time = session.hero, session.tally, session.time
    x, y, face = hero.transform.x, hero.transform.y, hero.facing
    hurt_in_play = session.state is State.PLAY and tally.safe > 0.0
    alpha = 0.35 if hurt_in_play and hero.dash_left <= 0.0 and math.sin(40.0 * time) < 0.0 else 1.0
    is_pushing = hero.is_pushing and not tally.is_down
    lean = -0.17 * face if is_pushing else -0.08 * face * min(abs(hero.vx) / 7.0, 1.6)
    foot = y - HALF_HEIGHT
    if tally.is_down:
        # On the back: it turns about the feet, half the body's depth above the ground.
        lean = 1.45 * face
        foot += 0.3

    def part(corners: tuple[tuple[float, float], ...], color: Color, deep: Color | None = None) -> None:
        points = moved(turned(np.array(corners) * (face, 1.0), lean), x, foot)
        brush.polygon(points, color, alpha, deep)

    brush.discs(np.array([[x, y]]), 2.0, palette.LIGHT_DEEP, 0.16 * alpha, edge=0.0, light=True)
    # The cloak streams behind: each joint of it lags further.
    joints = np.linspace(0.0, 1.0, 7)
    stream = min(abs(hero.vx) / 7.5, 2.0)
    back = -face * joints * (0.25 + 0.95 * stream) - 0.12 * face
    droop = -0.95 * joints / (1.0 + 0.9 * stream) - 0.02 * hero.vy * joints
    flutter = 0.13 * joints * np.sin(9.0 * time - 5.0 * joints) * (0.35 + stream)
    spine = np.column_stack((x + back, foot + 1.08 + droop + flutter))
    if tally.is_down:
        spine = moved(turned(np.column_stack((-0.16 * face - 0.0 * joints, 1.2 - 0.95 * joints)), lean), x, foot)
    brush.line(spine, 0.16 + 0.42 * joints, palette.CLOAK_DARK, alpha)
    brush.line(moved(spine, 0.0, 0.05), 0.1 + 0.26 * joints, palette.CLOAK, alpha)
    swing = math.sin(2.6 * hero.stride) if hero.on_floor else 0.7
    moving = min(abs(hero.vx) / 4.0, 1.0) if hero.on_floor else 1.0
    for side in (-1.0, 1.0):
        step = 0.26 * side * swing * moving
        lift = 0.12 * max(side * math.cos(2.6 * hero.stride), 0.0) * moving
        color = palette.ARMOUR_DARK if side < 0.0 else palette.ARMOUR
        part(((-0.12, 0.5), (0.12, 0.5), (step + 0.16, lift), (step - 0.1, lift)), color)
    part(((-0.27, 0.42), (0.27, 0.42), (0.3, 1.08), (-0.3, 1.08)), palette.ARMOUR, palette.ARMOUR_DARK)
    part(((-0.29, 0.5), (0.29, 0.5), (0.29, 0.62), (-0.29, 0.62)), palette.CLOAK_DARK)
    head = ((-0.27, 1.06), (0.25, 1.06), (0.31, 1.3), (0.2, 1.54), (-0.16, 1.56), (-0.3, 1.34))
    part(head, palette.ARMOUR, palette.ARMOUR_DARK)
    part(((0.02, 1.24), (0.3, 1.24), (0.29, 1.34), (0.02, 1.34)), palette.INK)
    part(((-0.16, 1.54), (0.06, 1.55), (-0.2, 1.8), (-0.46, 1.72)), palette.CLOAK)
    brush.discs(moved(turned(np.array([[0.2 * face, 1.29]]), lean), x, foot), 0.05, palette.LIGHT, alpha)
    if is_pushing:
        part(((0.1, 0.86), (0.55, 0.9), (0.55, 1.02), (0.1, 1.04)), palette.ARMOUR_DARK)
    elif hero.swing_left <= 0.0 and not tally.is_down:
        _paint_blade(brush, x + 0.3 * face, y + 0.0, 0.5 * math.pi - 0.95 * face + 0.4 * face * (hero.vx != 0.0), alpha)


def _paint_blade(brush: Paint, x: float, y: float, angle: float, alpha: float) -> None:
    along = np.array((math.cos(angle), math.sin(angle)))
    brush.line(np.array([[x, y], [x, y] + 1.25 * along]), 0.34, palette.LIGHT_DEEP, 0.5 * alpha, light=True, soft=True)
    brush.line(np.array([[x, y], [x, y] + 1.2 * along]), np.array((0.12, 0.04)), palette.LIGHT, alpha)


def paint_strikes(brush: Paint, session: Session) -> None:
    """The hero's sword, bolts and lance."""
    hero = session.hero
    for entity, (strike, place) in esper.get_components(Strike, Transform):
        if not esper.entity_exists(entity):
            continue
        here = np.array([[place.x, place.y]])
        if strike.kind == BOLT:
            tail = here - 1.3 * np.array([[math.cos(place.angle), math.sin(place.angle)]])
            brush.dashes(tail, here, 0.4, palette.LIGHT_DEEP, 0.9)
            brush.discs(here, 0.75, palette.LIGHT_DEEP, 0.6, edge=0.0, light=True)
            brush.discs(here, 0.2, palette.LIGHT)
        elif strike.kind == LANCE:
            tip = moved(here, hero.facing * (LANCE_LENGTH + 0.4), 0.0)
            both = np.vstack((here - (1.6 * hero.facing, 0.0), tip))
            brush.line(both, np.array((2.4, 0.5)), palette.LIGHT_DEEP, np.array((0.0, 0.75)), light=True, soft=True)
            brush.line(np.vstack((here, tip)), np.array((0.42, 0.05)), palette.LIGHT)
        else:
            _paint_swing(brush, place.x, place.y, hero.facing, 1.0 - max(hero.swing_left, 0.0) / SWORD_SECONDS)


def _paint_swing(brush: Paint, x: float, y: float, facing: int, swung: float) -> None:
    """The sword's path: a crescent that is brightest at the blade, from above to below."""
    start = 0.5 * SWORD_SPREAD
    end = start - SWORD_SPREAD * min(1.25 * swung + 0.15, 1.0)
    angles = np.linspace(start, end, 18)
    share = np.linspace(0.0, 1.0, 18)
    ray = np.column_stack((facing * np.cos(angles), np.sin(angles)))
    outer = (x, y) + SWORD_REACH * ray
    inner = (x, y) + (SWORD_REACH * (1.0 - 0.62 * share))[:, None] * ray
    fade = 1.0 - 0.5 * swung
    brush.strip(outer, inner, palette.LIGHT, palette.LIGHT_DEEP, 0.95 * share * fade, 0.1 * share * fade)
    brush.line(outer, 0.5, palette.LIGHT_DEEP, 0.6 * share * fade, light=True, soft=True)
    brush.line(np.array([[x, y], outer[-1]]), np.array((0.2, 0.07)), palette.LIGHT)


def paint_foes(brush: Paint, session: Session) -> None:
    """All foes, white for a moment where they were struck."""
    for entity, (foe, place) in esper.get_components(Foe, Transform):
        if not esper.entity_exists(entity) or abs(place.x - session.view_x) > 20.0:
            continue
        body = palette.STRUCK if foe.flash > 0.0 else palette.FOE
        rim = palette.STRUCK if foe.flash > 0.0 else palette.FOE_LIGHT
        if foe.kind == MOTH:
            _paint_moth(brush, place, session.time, body, rim)
        elif foe.kind == DIVER:
            _paint_diver(brush, place, session.time, body, rim)
        elif foe.kind == THROWER:
            _paint_thrower(brush, place, session, body, rim)
        elif foe.kind == KEEPER:
            _paint_keeper(brush, place, session, body, rim)
        else:
            _paint_orb(brush, place.x, place.y, 0.75, body, rim)
            _paint_eye(brush, place.x, place.y, 0.34, session)


def _paint_orb(brush: Paint, x: float, y: float, radius: float, body: Color, rim: Color) -> None:
    here = np.array([[x, y]])
    brush.discs(here, 1.9 * radius, palette.HARM, 0.22, edge=0.0, light=True)
    brush.discs(here, radius, rim)
    brush.discs(here - (0.0, 0.1 * radius), 0.88 * radius, body)


def _paint_eye(brush: Paint, x: float, y: float, size: float, session: Session) -> None:
    """It looks at the hero."""
    target = session.hero.transform
    away = math.hypot(target.x - x, target.y - y) or 1.0
    look = np.array([[x + 0.4 * size * (target.x - x) / away, y + 0.4 * size * (target.y - y) / away]])
    brush.discs(np.array([[x, y]]), 2.2 * size, palette.EYE, 0.4, edge=0.0, light=True)
    brush.discs(np.array([[x, y]]), size, palette.EYE)
    brush.discs(look, 0.5 * size, palette.INK)
    brush.discs(moved(look, 0.12 * size, 0.15 * size), 0.15 * size, palette.SUN)


def _paint_moth(brush: Paint, place: Transform, time: float, body: Color, rim: Color) -> None:
    flap = 0.75 * math.sin(16.0 * time + place.x)
    for side in (-1.0, 1.0):
        wing = np.array(((0.1, 0.05), (1.15, 0.75 + flap), (1.25, 0.1 + 0.8 * flap), (0.6, -0.35 + 0.3 * flap)))
        brush.polygon(wing * (side, 1.0) + (place.x, place.y), rim, 0.95, body)
        spot = np.array([[place.x + 0.85 * side, place.y + 0.25 + 0.7 * flap]])
        brush.discs(spot, 0.13, palette.EYE, 0.9)
    _paint_orb(brush, place.x, place.y, 0.42, body, rim)
    for side in (-0.16, 0.16):
        brush.discs(np.array([[place.x + side, place.y + 0.06]]), 0.1, palette.EYE)


def _paint_diver(brush: Paint, place: Transform, time: float, body: Color, rim: Color) -> None:
    at = (place.x, place.y)
    tail = np.array([[place.x + 2.6, place.y + 0.1 * math.sin(20.0 * time)]])
    brush.dashes(tail, np.array([[place.x + 0.3, place.y]]), 0.7, palette.HARM, 0.5)
    for side in (-1.0, 1.0):
        beat = 0.35 + 0.2 * math.sin(18.0 * time)
        wing = np.array(((-0.1, 0.1), (0.5, 0.15), (1.0, 0.3 + beat), (0.75, 0.05)))
        brush.polygon(wing * (1.0, side) + at, rim)
    brush.polygon(np.array(((-0.95, 0.0), (-0.1, -0.34), (0.8, -0.12), (0.8, 0.12), (-0.1, 0.34))) + at, body)
    brush.line(np.array(((-0.95, 0.0), (-0.1, 0.34), (0.8, 0.12))) + at, 0.06, rim)
    brush.discs(np.array([[place.x - 0.36, place.y + 0.05]]), 0.13, palette.EYE)


def _paint_thrower(brush: Paint, place: Transform, session: Session, body: Color, rim: Color) -> None:
    at, bob = np.array((place.x, place.y)), 0.05 * math.sin(3.0 * session.time)
    for side in (-1.0, 1.0):
        brush.line(np.array(((0.3 * side, -0.3), (0.75 * side, -0.15 + bob), (0.85 * side, -0.7))) + at, 0.14, rim)
    shell = np.array(((-0.7, -0.45), (0.7, -0.45), (0.62, 0.1), (0.32, 0.5), (-0.32, 0.5), (-0.62, 0.1)))
    brush.polygon(shell + at + (0.0, bob), rim, 1.0, body)
    _paint_eye(brush, place.x, place.y + bob, 0.24, session)
    brush.polygon(np.array(((-0.3, 0.45), (0.3, 0.45), (0.42, 0.8), (-0.42, 0.8))) + at + (0.0, bob), body)


def _paint_keeper(brush: Paint, place: Transform, session: Session, body: Color, rim: Color) -> None:
    """A great lantern with an eye for a flame, in an iron cage."""
    x, y, time = place.x, place.y, session.time
    at = np.array((x, y))
    brush.discs(at[None], 5.0, palette.HARM, 0.3, edge=0.0, light=True)
    for number in range(8):
        angle = math.tau * number / 8 + 0.4 * time
        tip = at + (SIZE + 0.75 + 0.14 * math.sin(4.0 * time + number)) * np.array((math.cos(angle), math.sin(angle)))
        left, right = (at + SIZE * np.array((math.cos(angle + d), math.sin(angle + d))) for d in (-0.22, 0.22))
        brush.polygon(np.vstack((left, right, tip)), rim)
    corners = np.array([(math.cos(math.tau * (i + 0.5) / 8), math.sin(math.tau * (i + 0.5) / 8)) for i in range(8)])
    brush.polygon(SIZE * corners + at, rim)
    brush.polygon(0.88 * SIZE * corners + at, body)
    brush.discs(at[None], 1.05, palette.HARM, 0.8, edge=0.15)
    _paint_eye(brush, x, y, 0.62, session)
    boss = session.boss
    if boss is not None and boss.attack == BEAM_SWEEP and boss.elapsed < WARNING:
        ahead = at + BEAM_LENGTH * np.array((math.cos(boss.aim), math.sin(boss.aim)))
        brush.line(np.vstack((at, ahead)), 0.12, palette.HARM, 0.5 + 0.4 * math.sin(30.0 * time))


def paint_harms(brush: Paint, session: Session) -> None:
    """What hurts: sparks, bombs, moons and the beam."""
    for entity, (harm, place) in esper.get_components(Harm, Transform):
        if harm.kind == LASER or not esper.entity_exists(entity) or abs(place.x - session.view_x) > 20.0:
            continue
        here = np.array([[place.x, place.y]])
        if harm.kind == BEAM:
            _paint_beam(brush, entity, place, session.time)
        elif harm.kind == BOMB:
            brush.discs(here, 0.8, palette.EYE, 0.3, edge=0.0, light=True)
            brush.discs(here, 0.32, palette.INK)
            brush.discs(here + 0.1, 0.14, palette.FOE_LIGHT)
            fuse = here + 0.42 * np.array([[math.cos(place.angle), math.sin(place.angle)]])
            brush.line(np.vstack((here, fuse)), 0.1, palette.INK)
            brush.discs(fuse, 0.13, palette.EYE)
        elif harm.kind == MOON:
            brush.discs(here, 0.75, palette.HARM, 0.35, edge=0.0, light=True)
            brush.discs(here, 0.3, palette.HARM)
            brush.discs(moved(here, -0.06, 0.08), 0.13, palette.HARM_CORE)
        else:
            brush.discs(here, 0.85, palette.HARM, 0.5, edge=0.0, light=True)
            brush.discs(here, 0.27, palette.HARM)
            brush.discs(here, 0.15, palette.HARM_CORE)


def paint_lasers(brush: Paint, session: Session) -> None:
    """The Keeper's homing lasers: ribbons that fade towards their tails, bright in the middle of their width."""
    mesh = session.light.laser_mesh()
    if not len(mesh.positions):
        return
    u = mesh.texture_coordinates[:, 0]
    # Left and right ends of the rungs alternate; between them a line, which is where the light is.
    left, right = mesh.positions[0::2], mesh.positions[1::2]
    middle = 0.5 * (left + right)
    for first, end in zip(mesh.first_vertex[:-1] // 2, mesh.first_vertex[1:] // 2, strict=True):
        rungs = slice(int(first), int(end))
        share = u[0::2][rungs]
        for reach, color, alpha in ((3.2, palette.HARM, 0.5), (1.0, palette.HARM, 1.0), (0.45, palette.HARM_CORE, 1.0)):
            for side in (left[rungs], right[rungs]):
                rim = middle[rungs] + reach * (side - middle[rungs])
                brush.strip(middle[rungs], rim, color, color, alpha * share, 0.0 if reach > 1.0 else alpha * share)
        brush.discs(middle[rungs][share == share.max()][:1], 0.5, palette.HARM_CORE, 0.8, edge=0.0, light=True)


def _paint_beam(brush: Paint, entity: int, place: Transform, time: float) -> None:
    beam = esper.component_for_entity(entity, CapsuleCollider)
    start = np.array((place.x, place.y))
    ends = np.vstack((start, start + beam.length * np.array((math.cos(place.angle), math.sin(place.angle)))))
    flicker = 1.0 + 0.12 * math.sin(55.0 * time)
    brush.line(ends, 3.6 * flicker, palette.HARM, 0.55, light=True, soft=True)
    brush.line(ends, 2.0 * beam.radius * flicker, palette.HARM)
    brush.line(ends, 1.1 * beam.radius, palette.HARM_CORE)

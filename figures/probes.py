"""What a Character feels for: a cell for each field, with one that moves."""

from __future__ import annotations

import math

from ecsphys import CapsuleCollider, Character, OBBCollider, RigidBody, Solid, Transform
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.rigid.tint import COOL, STONE, WARM
from figures.marks import MEASURE, WAY, anchor, arrow, dashes, measure, turn
from figures.panel import Panel, Place, cells

SIZE = (960, 540)
_VIOLET, _ORANGE = COOL[0], WARM[1]


def character_probes() -> list[Panel]:
    """What the fields of a Character stand for, each with one that moves."""
    return cells((_step_height, _snap_distance, _slope_limit, _wall_reach, _push_force, _skin))


_RADIUS, _HEIGHT = 0.42, 1.7
_STAND = 0.5 * _HEIGHT


def _cell(place: Place, title: str, detail: str, ground: list[Pair]) -> Panel:
    """A cell, 7.2 units wide, with ground of one line, filled below."""
    panel = Panel.empty(place, (-3.6, -1.0), 7.2)
    panel.title(title, detail)
    panel.earth(ground)
    return panel


def _hero(panel: Panel, x: float, y: float, character: Character) -> int:
    return panel.put(_VIOLET, Transform(x, y + _STAND), CapsuleCollider.upright(_HEIGHT, _RADIUS), character)


def _walk(panel: Panel, hero: int, seconds: float, speed: float = 2.0) -> None:
    def move() -> None:
        panel.physics.move_character(hero, (speed / 60.0, -0.02))

    panel.play(seconds, move)


def _step_height(place: Place) -> Panel:
    panel = _cell(place, "step_height", "climbs steps up to this", [(-4, 0), (0.3, 0), (0.3, 0.55), (4, 0.55)])
    hero = _hero(panel, -2.6, 0.0, Character(step_height=0.8))
    _walk(panel, hero, 0.3)
    panel.ghost(hero, _VIOLET)
    _walk(panel, hero, 1.8)
    arrow(panel.above, (-0.9, 1.0), (0.2, 1.35))
    dashes(panel.above, (-1.3, 0.8), (0.3, 0.8), MEASURE)
    measure(panel.above, (-1.1, 0.0), (-1.1, 0.8))
    return panel


def _snap_distance(place: Place) -> Panel:
    panel = _cell(place, "snap_distance", "follows the floor down", [(-4, 0.7), (-0.3, 0.7), (3.0, -0.8), (4, -0.8)])
    hero = _hero(panel, -2.6, 0.7, Character(snap_distance=0.4))
    _walk(panel, hero, 0.6)
    panel.ghost(hero, _VIOLET)
    x, y = panel.where(hero)
    _walk(panel, hero, 1.5)
    end = panel.where(hero)
    # The way without snapping: level, into the air.
    dashes(panel.below, (x, y), (end[0], y), alpha=0.5)
    arrow(panel.above, (end[0], y - 0.05), (end[0], end[1] + 0.25))
    foot = end[1] - _STAND
    measure(panel.above, (end[0] + 0.95, foot + 0.4), (end[0] + 0.95, foot))
    return panel


def _slope_limit(place: Place) -> Panel:
    low, steep = math.tan(math.radians(35)), math.tan(math.radians(66))
    knee = (0.6, 2.0 * low - 0.5)
    top = (1.7, knee[1] + 1.1 * steep)
    panel = _cell(place, "slope_limit", "a steeper slope is a wall", [(-4, -0.5), (-1.4, -0.5), knee, top, (4, top[1])])
    hero = _hero(panel, -2.6, -0.5, Character())
    _walk(panel, hero, 0.6)
    panel.ghost(hero, _VIOLET)
    _walk(panel, hero, 2.4)
    corner = (-1.4, -0.5)
    limit = 0.25 * math.pi
    dashes(panel.above, corner, (corner[0] + 2.6, corner[1] + 2.6), MEASURE)
    dashes(panel.above, corner, (corner[0] + 2.6, corner[1]), MEASURE, alpha=0.6)
    turn(panel.above, corner, 1.5, 0.0, limit, MEASURE, 0.2, 2.0)
    panel.note("45°", 0.72, -0.3, MEASURE)
    return panel


def _wall_reach(place: Place) -> Panel:
    panel = _cell(place, "wall_reach", "finds a wall beside it", [(-4, 0), (1.05, 0), (1.05, 2.6), (4, 2.6)])
    hero = _hero(panel, 0.2, 0.0, Character(wall_reach=0.8))
    _walk(panel, hero, 0.1, 0.0)
    x, y = panel.where(hero)
    for side in (-1.0, 1.0):
        measure(panel.above, (x + side * _RADIUS, y), (x + side * (_RADIUS + 0.8), y))
    for wall in panel.physics.move_character(hero, (0.0, -0.02)).walls:
        anchor(panel.above, wall.point)
        panel.note("found", wall.point[0] + 0.55, wall.point[1] + 0.3, WAY, anchor="left")
    return panel


def _push_force(place: Place) -> Panel:
    panel = _cell(place, "push_force", "pushes dynamic bodies", [(-4, 0), (4, 0)])
    hero = _hero(panel, -2.4, 0.0, Character(push_force=40.0))
    crate = panel.put(_ORANGE, Transform(-0.2, 0.6), OBBCollider(0.6, 0.6), RigidBody(), Solid())
    panel.ghost(hero, _VIOLET)
    panel.ghost(crate, _ORANGE)
    _walk(panel, hero, 1.4)
    x, y = panel.where(crate)
    arrow(panel.above, (x + 0.8, y), (x + 2.0, y))
    return panel


def _skin(place: Place) -> Panel:
    panel = _cell(place, "skin", "a gap, far too small to see", [(-4, 0), (4, 0)])
    hero = _hero(panel, -2.0, 0.0, Character())
    _walk(panel, hero, 0.2, 0.0)
    foot = (-2.0, 0.0)
    middle, radius = (1.5, 0.85), 1.35
    panel.fill(
        [
            (middle[0] + radius * math.cos(k * math.tau / 60), middle[1] + radius * math.sin(k * math.tau / 60))
            for k in range(60)
        ],
        palette.ARENA,
        1.0,
    )
    # The floor below and the foot above, as through a magnifying glass.
    for low, high, color in ((-radius, -0.42, STONE), (-0.12, radius, _VIOLET)):
        outline = []
        for k in range(61):
            y = low + (high - low) * k / 60
            outline.append((math.sqrt(max(radius**2 - y * y, 0.0)), y))
        shape = outline + [(-x, y) for x, y in reversed(outline)]
        panel.fill([(middle[0] + x, middle[1] + y) for x, y in shape], color, 0.6)
        edge = -0.42 if color is STONE else -0.12
        half = math.sqrt(radius**2 - edge**2)
        panel.above.line((middle[0] - half, middle[1] + edge), (middle[0] + half, middle[1] + edge), color, 2.0)
    panel.above.circle(middle, radius, color=palette.TEXT_SOFT)
    measure(panel.above, (middle[0] + 0.4, middle[1] - 0.12), (middle[0] + 0.4, middle[1] - 0.42), tick=0.12)
    panel.above.circle(foot, 0.16, color=palette.TEXT_SOFT)
    for side in (-1.0, 1.0):
        dashes(
            panel.above,
            (foot[0] + 0.05, foot[1] + side * 0.16),
            (middle[0] - 0.4, middle[1] + side * radius * 0.96),
            alpha=0.5,
        )
    return panel

"""Figures of frames and moves: y up and y down, what a Character feels for, layers that scroll, sides of a chain."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import (
    CapsuleCollider,
    ChainCollider,
    Character,
    CircleCollider,
    OBBCollider,
    Priority,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.demo import palette
from ecsphys.demo.figures.marks import MEASURE, WAY, anchor, arrow, dashes, measure, turn
from ecsphys.demo.figures.panel import TEXT_HEIGHT, Panel, Place
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.rigid.tint import COOL, STONE, WARM
from ecsphys.demo.scenes.sketch import Color
from ecsphys.effects import Camera, ParallaxLayer
from ecsphys.systems import ScrollingSystem

WIDE, TALL = (960, 400), (960, 540)
_VIOLET, _BLUE, _TEAL, _GREEN = COOL
_RED, _ORANGE, _YELLOW, _PALE = WARM


def y_up_down() -> list[Panel]:
    """The same throw and the same angle in units with y up, and in pixels with y down."""
    panels = []
    for number, (title, gravity) in enumerate((("y up", (0, -9.8)), ("y down, in pixels", (0, 900)))):
        unit = 40.0 if number else 1.0
        place = (482 * number, 0, 478 + 482 * number, WIDE[1])
        panel = Panel.empty(place, (0.0, 0.0), 12.0 * unit, gravity, y_down=number == 1, grid=unit)
        panel.title(title, f"gravity=({gravity[0]}, {gravity[1]})")
        _frame(panel, unit, up=1.0 if number == 0 else -1.0)
        panels.append(panel)
    return panels


def _frame(panel: Panel, unit: float, up: float) -> None:
    """Axes, a thrown ball and a turned box; ``unit`` is a fortieth of the panel's pixels in its world."""
    height = panel.view[3]

    def at(x: float, y: float) -> Pair:
        """A place on the paper, from its lower left corner, in the panel's world."""
        return x * unit, y * unit if up > 0.0 else height - y * unit

    origin = at(0.7, 0.7) if up > 0.0 else at(0.7, 7.0)
    for x, y, name in ((2.2, 0.0, "x"), (0.0, 2.2, "y")):
        tip = (origin[0] + x * unit, origin[1] + y * unit)
        arrow(panel.above, origin, tip, MEASURE, 0.28 * unit)
        away = (0.35, -0.15 * up) if name == "x" else (0.4, -0.2)
        panel.note(name, tip[0] + away[0] * unit, tip[1] + away[1] * unit, MEASURE)
    panel.above.dot(origin, MEASURE, 5.0)
    # The same curve takes a shorter time under the stronger gravity.
    haste = 1.0 if up > 0.0 else math.sqrt(900.0 / (9.8 * unit))
    ball = panel.put(_YELLOW, Transform(*at(4.4, 2.6)), CircleCollider(0.36 * unit), RigidBody(), Velocity(2.1 * unit * haste, 8.2 * unit * up * haste))
    panel.follow(ball, _YELLOW)
    panel.play(1.25 / haste)
    x, y = panel.where(ball)
    arrow(panel.above, (x, y - 0.6 * unit * up), (x, y - 2.0 * unit * up), WAY, 0.28 * unit)
    panel.note("gravity", x + 0.35 * unit, y - 1.5 * unit * up, WAY, anchor="left")
    middle = at(9.7, 6.2)
    panel.put(_BLUE, Transform(*middle, 0.6), OBBCollider(1.05 * unit, 0.4 * unit), Solid())
    dashes(panel.above, middle, (middle[0] + 1.75 * unit, middle[1]), dash=0.14 * unit)
    turn(panel.above, middle, 1.5 * unit, 0.0, 0.6, WAY, 0.26 * unit)
    panel.note("angle=0.6", *at(9.5, 8.45), palette.TEXT)
    panel.note("counter-clockwise" if up > 0.0 else "clockwise", *at(9.5, 7.85), WAY)


def character_probes() -> list[Panel]:
    """What the fields of a Character stand for, each with one that moves."""
    makers = (_step_height, _snap_distance, _slope_limit, _wall_reach, _push_force, _skin)
    panels = []
    for number, make in enumerate(makers):
        left, bottom = 322 * (number % 3), 274 * (1 - number // 3)
        panels.append(make((left, bottom, left + 316, bottom + 266)))
    return panels


_RADIUS, _HEIGHT = 0.42, 1.7
_STAND = 0.5 * _HEIGHT


def _cell(place: Place, title: str, detail: str, ground: list[Pair]) -> Panel:
    """A cell, 7.2 units wide, with ground of one line, filled below."""
    panel = Panel.empty(place, (-3.6, -1.0), 7.2)
    panel.title(title, detail)
    _earth(panel, ground)
    return panel


def _earth(panel: Panel, points: list[Pair]) -> None:
    panel.put(STONE, Transform(), ChainCollider(points, side="left"), Solid())
    for a, b in zip(points[:-1], points[1:], strict=True):
        panel.fill([a, (a[0], panel.view[1]), (b[0], panel.view[1]), b], STONE, 0.45)


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
    panel.fill([(middle[0] + radius * math.cos(k * math.tau / 60), middle[1] + radius * math.sin(k * math.tau / 60)) for k in range(60)], palette.ARENA, 1.0)
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
        dashes(panel.above, (foot[0] + 0.05, foot[1] + side * 0.16), (middle[0] - 0.4, middle[1] + side * radius * 0.96), alpha=0.5)
    return panel


def scrolling_layers() -> list[Panel]:
    """Three layers of their own widths, what a camera sees of each, and what it shows."""
    view, tall, widths = 12.0, 5.0, (40.0, 28.0, 18.0)
    panel = Panel.empty((0, 0, *TALL), (-1.0, -1.4), 42.0, (0.0, 0.0))
    esper.add_processor(ScrollingSystem(panel.physics), priority=Priority.SCROLLING)
    camera = Camera(17.0, 0.5 * tall, view, tall, world_width=widths[0], world_height=tall)
    layers = [ParallaxLayer(width, tall) for width in widths]
    for component in (camera, *layers):
        esper.create_entity(component)
    panel.play(0.05)
    panel.title("Camera and ParallaxLayer")
    for number, (layer, name, color) in enumerate(zip(layers, ("world", "hills", "sky"), (_GREEN, _BLUE, _VIOLET), strict=True)):
        bottom = 6.7 * number
        left = -layer.screen_x
        speed = (widths[number] - view) / (widths[0] - view)
        _layer(panel, number, (0.0, widths[number]), (0.0, bottom), tall)
        _rim(panel, (0.0, bottom), (widths[number], bottom + tall), color, 2.0)
        _rim(panel, (left, bottom), (left + view, bottom + tall), palette.LIT, 3.5)
        start = left + view + 0.3
        arrow(panel.above, (start, bottom + 0.5 * tall), (start + 5.0 * speed + 0.6, bottom + 0.5 * tall), WAY, 0.5, 3.5)
        panel.note(f"{name}, {widths[number]:.0f} wide: speed {speed:.2g}", 0.1, bottom - 0.95, palette.TEXT, anchor="left")
        # The same part of each layer, put behind one another, is the picture.
    corner = (28.5, 14.0)
    for number, layer in reversed(list(enumerate(layers))):
        left = -layer.screen_x
        _layer(panel, number, (left, left + view), corner, tall)
    _rim(panel, corner, (corner[0] + view, corner[1] + tall), palette.LIT, 3.5)
    panel.note("what the camera shows", corner[0] + 0.5 * view, corner[1] - 0.95, palette.LIT)
    return [panel]


def _rim(panel: Panel, low: Pair, high: Pair, color: Color, width: float) -> None:
    corners = [low, (high[0], low[1]), high, (low[0], high[1])]
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        panel.above.line(a, b, color, width)


def _layer(panel: Panel, number: int, part: Pair, corner: Pair, tall: float) -> None:
    """What lies between two x of a layer: the world (0), hills (1) or the sky (2), drawn at a corner."""
    start, end = part
    if number == 2:
        panel.fill([corner, (corner[0] + end - start, corner[1]), (corner[0] + end - start, corner[1] + tall), (corner[0], corner[1] + tall)], (0.10, 0.11, 0.24), 1.0)
        rng = np.random.default_rng(5)
        for x, y in rng.uniform((0.3, 1.8), (17.7, 4.7), (40, 2)):
            if start + 0.1 < x < end - 0.1:
                panel.fill(_square((corner[0] + x - start, corner[1] + y), 0.045), palette.TEXT, 0.9)
        if start < 8.0 and end > 10.0:
            moon = [(9.0 + 0.7 * math.cos(k * math.tau / 40), 3.6 + 0.7 * math.sin(k * math.tau / 40)) for k in range(40)]
            panel.fill([(corner[0] + x - start, corner[1] + y) for x, y in moon], _PALE, 0.9)
        return
    samples = np.unique(np.concatenate((np.linspace(start, end, 120), [x for x in np.arange(0.0, 41.0) for x in (x - 1e-6, x + 1e-6) if start < x < end])))
    heights = 1.9 + 0.8 * np.sin(0.7 * samples) + 0.5 * np.sin(1.9 * samples + 1.0) if number else _blocks(samples)
    color = (0.22, 0.30, 0.50) if number else (0.30, 0.52, 0.40)
    for x, to, low, high in zip(samples[:-1], samples[1:], heights[:-1], heights[1:], strict=True):
        a, b = corner[0] + x - start, corner[0] + to - start
        panel.fill([(a, corner[1]), (b, corner[1]), (b, corner[1] + high), (a, corner[1] + low)], color, 1.0)
    if number == 0:
        hero = (corner[0] + 17.0 - start, corner[1] + 1.15)
        panel.fill([(hero[0] + x, hero[1] + y) for x, y in ((-0.3, -0.45), (0.3, -0.45), (0.3, 0.45), (-0.3, 0.45))], _ORANGE, 1.0)


def _blocks(x: np.ndarray) -> np.ndarray:
    """The height of the ground of the world at each x: 0.7, and some blocks."""
    high = np.isin(np.floor(x), (3, 4, 12, 20, 21, 30, 36))
    higher = np.isin(np.floor(x), (4, 21, 37))
    return 0.7 + 0.8 * high + 0.9 * higher


def _square(middle: Pair, half: float) -> list[Pair]:
    return [(middle[0] + x * half, middle[1] + y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def chain_side() -> list[Panel]:
    """Ground, a cave and an island of one line each: from which side they block."""
    ring = [(2.6, 0.0), (1.9, 1.5), (0.3, 2.1), (-1.5, 1.7), (-2.6, 0.3), (-2.0, -1.4), (-0.2, -2.0), (1.7, -1.5)]
    hills = [(-4.0, -0.3), (-2.4, 0.0), (-1.0, -1.0), (0.8, -1.1), (2.2, 0.1), (4.0, 0.3)]
    made = (
        ("ground", "left", "left to right", "above", "below", hills, [(-0.2, 1.9, 0.0), (1.2, -2.3, 8.0)]),
        ("cave", "left", "counter-clockwise", "inside", "outside", ring, [(-0.6, 0.6, 0.0), (0.7, 2.55, -1.8)]),
        ("island", "right", "counter-clockwise", "outside", "inside", ring, [(0.2, 2.5, 0.0), (0.5, 0.4, 0.0)]),
    )
    panels = []
    for number, (name, side, way, blocks, passes, points, balls) in enumerate(made):
        left = 322 * number
        panel = Panel.empty((left, 0, left + 316, WIDE[1]), (-3.6, -4.6), 7.2)
        panel.title(f"{name}: side=\"{side}\"", f"points {way}")
        closed = points is ring
        panel.put(STONE, Transform(), ChainCollider(points, closed=closed, side=side), Solid())
        for a, b in zip(points if closed else points[:-1], [*points[1:], points[0]] if closed else points[1:], strict=True):
            middle = (a[0] + 0.62 * (b[0] - a[0]), a[1] + 0.62 * (b[1] - a[1]))
            arrow(panel.above, a, middle, MEASURE, 0.3, 2.4)
            panel.above.line(middle, b, MEASURE, 2.4)
        for point in points:
            panel.above.dot(point, MEASURE, 4.0)
        bodies = []
        for (x, y, speed), color in zip(balls, (_YELLOW, _RED), strict=True):
            body = panel.put(color, Transform(x, y), CircleCollider(0.38), RigidBody(rolling_resistance=0.3), Velocity(0.0, speed))
            panel.follow(body, color)
            panel.ghost(body, color, 0.1)
            bodies.append(body)
        panel.play(0.8)
        panel.note(f"blocks from {blocks}", 0.0, -3.68, _YELLOW)
        panel.note(f"passes from {passes}", 0.0, -4.3, _RED)
        panels.append(panel)
    return panels


FIGURES = {
    "y-up-down": (WIDE, y_up_down),
    "character-probes": (TALL, character_probes),
    "scrolling-layers": (TALL, scrolling_layers),
    "chain-side": (WIDE, chain_side),
}

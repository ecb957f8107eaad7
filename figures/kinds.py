"""Figures of what entities are: kinds of bodies, a sensor."""

from __future__ import annotations

import esper

from ecsphys import (
    Bullet,
    CapsuleCollider,
    Character,
    CircleCollider,
    HitListener,
    OBBCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.rigid.tint import COOL, MACHINE, STONE, WARM, Tint
from ecsphys.types import Hit
from figures.marks import arrow, dashes
from figures.panel import Panel, Place, cells

WIDE, TALL = (960, 400), (960, 540)
_BLUE, _TEAL, _GREEN = COOL[1:]
_RED, _ORANGE, _YELLOW, _PALE = WARM
_VIOLET = COOL[0]


def which_one() -> list[Panel]:
    """Six kinds of entities, each at what it is for."""
    return cells((_rigid_body, _solid, _mover, _character, _bullet, _sensor))


def _cell(place: Place, title: str, detail: str, floor: bool = True) -> Panel:
    """A cell, 7.2 units wide, the floor's top at y = 0."""
    panel = Panel.empty(place, (-3.6, -0.6), 7.2)
    panel.title(title, detail)
    if floor:
        panel.put(STONE, Transform(0.0, -0.5), OBBCollider(20.0, 0.5), Solid())
    return panel


def _rigid_body(place: Place) -> Panel:
    panel = _cell(place, "RigidBody", "falls, stacks, is pushed")
    for row in range(3):
        for column in range(3 - row):
            x = 1.3 + 0.9 * (column - 0.5 * (2 - row))
            panel.put(
                (_ORANGE, _YELLOW, _PALE)[row], Transform(x, 0.42 + 0.84 * row), OBBCollider(0.42, 0.42), RigidBody()
            )
    panel.play(0.3)
    ball = panel.put(MACHINE, Transform(-3.2, 1.6), CircleCollider(0.5), RigidBody(density=3.0), Velocity(8.0, 3.0))
    panel.follow(ball, MACHINE)
    panel.play(0.62)
    return panel


def _solid(place: Place) -> Panel:
    panel = _cell(place, "Solid", "ground and walls: it blocks")
    panel.put(STONE, Transform(2.6, 1.5), OBBCollider(0.35, 1.5), Solid())
    panel.put(STONE, Transform(-0.8, 1.0, -0.25), OBBCollider(1.1, 0.16), Solid())
    ball = panel.put(_BLUE, Transform(-2.9, 3.4), CircleCollider(0.36), RigidBody(restitution=0.75), Velocity(2.2, 0.0))
    panel.follow(ball, _BLUE)
    panel.play(2.0)
    return panel


def _mover(place: Place) -> Panel:
    panel = _cell(place, "Velocity + collider", "passes through, reports hits", floor=False)
    crate = panel.put(_VIOLET, Transform(0.2, 1.5), OBBCollider(0.8, 1.1), _lit_by_hits())
    disc = panel.put(_TEAL, Transform(-3.4, 1.3), CircleCollider(0.5), Velocity(3.4, 0.25))
    panel.follow(disc, _TEAL)
    panel.play(1.25)
    x, y = panel.where(disc)
    arrow(panel.above, (x + 0.75, y + 0.05), (x + 1.9, y + 0.13))
    panel.note("hit", panel.where(crate)[0], 2.85, palette.LIT)
    return panel


def _character(place: Place) -> Panel:
    panel = _cell(place, "Character", "you move it: slopes, steps", floor=False)
    ground = [(-4.5, 0.0), (-1.4, 0.0), (0.6, 1.2), (1.5, 1.2), (1.5, 1.6), (2.2, 1.6), (2.2, 2.0), (4.5, 2.0)]
    panel.earth(ground)
    hero = panel.put(
        _VIOLET, Transform(-3.4, 0.9), CapsuleCollider.upright(1.3, 0.32), Character(step_height=0.5, snap_distance=0.3)
    )

    def walk() -> None:
        panel.physics.move_character(hero, (2.6 / 60.0, -0.1))

    for _ in range(2):
        panel.play(0.75, walk)
        panel.ghost(hero, _VIOLET, 0.1)
    panel.play(0.75, walk)
    return panel


def _bullet(place: Place) -> Panel:
    panel = _cell(place, "Bullet", "fast things stop at thin walls", floor=False)
    panel.put(STONE, Transform(1.2, 1.3), OBBCollider(0.06, 1.6), Solid())
    speed = 360.0
    shot = panel.put(_YELLOW, Transform(-3.4, 2.2), CircleCollider(0.16), Bullet(), Velocity(speed, 0.0))
    plain = panel.put(_RED, Transform(-3.4, 0.55), CircleCollider(0.16), Velocity(speed, 0.0))
    for entity, color in ((shot, _YELLOW), (plain, _RED)):
        panel.ghost(entity, color, 0.1)
    panel.play(1.0 / 60.0)
    panel.live.enter()
    for entity, y, color, text in ((shot, 2.2, _YELLOW, "with Bullet"), (plain, 0.55, _RED, "without")):
        esper.component_for_entity(entity, Velocity).x = 0.0
        x, _ = panel.where(entity)
        dashes(panel.below, (-3.4, y), (min(x, 3.2), y), color)
        panel.note(text, -1.3, y + 0.35, color)
    panel.play(0.4)
    return panel


def _sensor(place: Place) -> Panel:
    panel = _cell(place, "sensor=True", "reports, blocks nothing")
    _drop_through(panel, (0.0, 1.3), 1.5, 0.85, 1.5)
    return panel


def _drop_through(
    panel: Panel, middle: tuple[float, float], half_width: float, half_height: float, height: float
) -> None:
    """A ball that falls into a zone, which lights up."""
    panel.put(_GREEN, Transform(*middle), OBBCollider(half_width, half_height, sensor=True), _lit_by_hits())
    ball = panel.put(_BLUE, Transform(middle[0], height), CircleCollider(0.4), RigidBody())
    panel.follow(ball, _BLUE)
    panel.play(0.2)
    panel.ghost(ball, _BLUE, 0.1)
    panel.play(0.35)


def _lit_by_hits() -> HitListener:
    """Gives its entity another colour once something hits it."""

    def light(hit: Hit) -> None:
        # A listener gets a hit as seen from its own entity.
        tint = esper.component_for_entity(hit.entity_a, Tint)
        tint.red, tint.green, tint.blue = palette.LIT

    return HitListener(on_started=light)


def sensor_solid() -> list[Panel]:
    """The same ball over a Solid and over a sensor."""
    panels = []
    for number, name in enumerate(("Solid", "sensor=True")):
        panel = Panel.empty((482 * number, 0, 478 + 482 * number, WIDE[1]), (-5.0, -1.0), 10.0)
        panel.put(STONE, Transform(0.0, -0.7), OBBCollider(20.0, 0.5), Solid())
        block = panel.put(_GREEN, Transform(0.0, 1.8), OBBCollider(2.2, 0.8, sensor=number == 1), _lit_by_hits())
        if number == 0:
            esper.add_component(block, Solid())
        ball = panel.put(_BLUE, Transform(-0.6, 5.4), CircleCollider(0.5), RigidBody())
        panel.follow(ball, _BLUE)
        panel.ghost(ball, _BLUE, 0.08)
        panel.play(0.62)
        panel.ghost(ball, _BLUE, 0.08)
        panel.play(0.25 if number else 1.0)
        panel.note("hit", 2.7, 1.65, palette.LIT, anchor="left")
        if number:
            x, y = panel.where(ball)
            arrow(panel.above, (x, y - 0.7), (x, y - 1.7))
        panel.title(name, ("blocks, and reports a hit", "blocks nothing, and reports a hit")[number])
        panels.append(panel)
    return panels

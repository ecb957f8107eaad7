"""All that can be brought down in the yard, and what each piece of it is worth."""

from __future__ import annotations

import esper

from ecsphys import (
    CircleCollider,
    Drag,
    OBBCollider,
    PolygonCollider,
    RigidBody,
    Transform,
    WeldJoint,
)
from ecsphys.demo.scenes.rigid.bridge import Bridge
from ecsphys.demo.scenes.rigid.ragdolls import ragdoll
from ecsphys.demo.scenes.rigid.tint import COOL, WARM, blend, hue, put
from ecsphys.demo.scenes.sketch import Color
from ecsphys.demo.scenes.yard.ground import GORGE, height_at
from ecsphys.demo.scenes.yard.tally import count_as_piece

BOX, PLANK, CRATE, DOLL = 10, 20, 15, 100
"""Points."""
_HALF = 0.5
_BASE, _PYRAMID_X = 10, 33.6
_FEET = 2.385
"""From the middle of a ragdoll's chest down to its soles."""
_HOUSE_X, _HOUSE_HALF = 45.6, 3.3
_WALL_HALF, _WALL_THICK, _BOARD_THICK = 1.95, 0.2, 0.16
_STOREYS = 2
_HOUSE_STRENGTH = 1200.0
_BRIDGE_STRENGTH, _BRIDGE_SAG, _BRIDGE_THICK = 1500.0, 0.8, 0.22
_CALM = 0.2, 2.0
"""The drag of ragdolls, along and turning: they come to rest."""
_WOOD = (hue(0xC98A54), hue(0xA8643F), hue(0xE0A468))


def put_pyramid() -> None:
    """Boxes in rows, each with one less than the row below, and a ragdoll on top."""
    for row in range(_BASE):
        for column in range(_BASE - row):
            x = _PYRAMID_X + 2.06 * _HALF * (column - 0.5 * (_BASE - 1 - row))
            color = blend(WARM, row / (_BASE - 1))
            box = put(color, Transform(x, _HALF * (1 + 2 * row)), OBBCollider(_HALF, _HALF), RigidBody(friction=0.6))
            count_as_piece(box, BOX)
    put_doll(_PYRAMID_X, 2.0 * _HALF * _BASE, COOL[2])


def put_doll(x: float, floor: float, color: Color) -> None:
    """A ragdoll that stands on a floor; its head is the piece."""
    for entity in ragdoll(x, floor + _FEET, color):
        if esper.has_component(entity, RigidBody):
            esper.add_component(entity, Drag(*_CALM))
        if esper.has_component(entity, CircleCollider):
            count_as_piece(entity, DOLL)


def put_bridge(banks: tuple[int, int]) -> None:
    """Planks over the gorge, whose hinges break, with crates and a ragdoll on them."""
    Bridge(banks, GORGE, -_BRIDGE_THICK, _BRIDGE_SAG, _WOOD[1], _BRIDGE_STRENGTH).join()
    for x in (18.8, 19.9):
        put_crate(x, _bridge_at(x) + 0.5, 0.5)
    put_crate(19.35, _bridge_at(19.35) + 1.5, 0.5)
    put_doll(22.6, _bridge_at(22.6), COOL[0])


def _bridge_at(x: float) -> float:
    """The height of the planks' tops."""
    part = (x - GORGE[0]) / (GORGE[1] - GORGE[0])
    return -4.0 * _BRIDGE_SAG * part * (1.0 - part)


def put_crate(x: float, y: float, half: float) -> None:
    """A crate of wood."""
    crate = put(_WOOD[2], Transform(x, y), OBBCollider(half, half), RigidBody(density=0.8, friction=0.7))
    count_as_piece(crate, CRATE)


def put_house() -> None:
    """Walls and floors of planks, welded where they meet, below a roof of two beams; the welds break."""
    ground = height_at(_HOUSE_X)
    below: list[int] = []
    floor = ground
    for storey in range(_STOREYS):
        walls = [
            _plank(_HOUSE_X + side * (_HOUSE_HALF - 0.5), floor + _WALL_HALF, _WALL_THICK, _WALL_HALF, _WOOD[0])
            for side in (-1.0, 1.0)
        ]
        for wall, foot in zip(walls, below * 2, strict=False):
            _weld(foot, wall, floor)
        top = floor + 2.0 * _WALL_HALF
        board = _plank(_HOUSE_X, top + _BOARD_THICK, _HOUSE_HALF, _BOARD_THICK, _WOOD[1])
        for wall in walls:
            _weld(wall, board, top)
        put_doll(_HOUSE_X + 0.8 * (1.0 if storey else -1.0), floor, (COOL[3], WARM[0])[storey])
        below, floor = [board], top + 2.0 * _BOARD_THICK
    roof = put(
        _WOOD[0],
        Transform(_HOUSE_X, floor),
        PolygonCollider([(-3.6, 0.0), (3.6, 0.0), (0.35, 2.3), (-0.35, 2.3)]),
        RigidBody(density=0.5, friction=0.7),
    )
    count_as_piece(roof, 2 * PLANK)


def _plank(x: float, y: float, half_width: float, half_height: float, color: Color) -> int:
    plank = put(color, Transform(x, y), OBBCollider(half_width, half_height), RigidBody(friction=0.7))
    count_as_piece(plank, PLANK)
    return plank


def _weld(a: int, b: int, y: float) -> None:
    """Weld two planks where the upper one stands, at the height y."""
    upright = min(a, b, key=lambda plank: esper.component_for_entity(plank, OBBCollider).half_width)
    x = esper.component_for_entity(upright, Transform).x
    esper.create_entity(WeldJoint.at(a, b, x, y, break_force=_HOUSE_STRENGTH, break_torque=_HOUSE_STRENGTH))


def put_lookout() -> None:
    """Crates with a ragdoll on top, on the hill at the far end."""
    ground = height_at(61.5)
    for row in range(3):
        put_crate(61.5, ground + 0.8 * (1 + 2 * row), 0.8)
    put_doll(61.5, ground + 4.8, WARM[2])

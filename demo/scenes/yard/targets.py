"""All that can be brought down in the yard, and what each piece of it is worth."""

from __future__ import annotations

from dataclasses import dataclass

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
from ecsphys.demo.scenes.car.vehicle import STANDING, Car
from ecsphys.demo.scenes.patterns.pattern import CRATE, DOLL, TOY, WOOD, Pattern
from ecsphys.demo.scenes.rigid.bridge import Bridge
from ecsphys.demo.scenes.rigid.ragdolls import ragdoll
from ecsphys.demo.scenes.rigid.tint import COOL, WARM, blend, hue, put
from ecsphys.demo.scenes.sketch import Color
from ecsphys.demo.scenes.yard import roof
from ecsphys.demo.scenes.yard.ground import GORGE, height_at
from ecsphys.demo.scenes.yard.tally import count_as_piece

BOX_POINTS, PLANK_POINTS, CRATE_POINTS, DOLL_POINTS, CAR_POINTS = 10, 20, 15, 100, 150
_HALF = 0.5
_BASE, _PYRAMID_X = 10, 31.0
_FEET = 2.385
"""From the middle of a ragdoll's chest down to its soles."""
_HOUSE_X, _HOUSE_HALF = 42.6, 3.7
_WALL_HALF, _WALL_THICK, _BOARD_THICK = 1.95, 0.2, 0.16
_STOREYS = 2
_HOUSE_STRENGTH = 1200.0
_BRIDGE_STRENGTH, _BRIDGE_SAG, _BRIDGE_THICK = 1500.0, 0.8, 0.22
_CALM = 0.2, 2.0
"""The drag of ragdolls, along and turning: they come to rest."""
_CAR_X, _BRAKE = 9.9, 40.0
_WOOD = (hue(0xC98A54), hue(0xA8643F), hue(0xE0A468))


@dataclass(frozen=True)
class Targets:
    """Things painted in a way of their own: the parked car, and the roof of the house."""

    car: Car
    roof: int


def put_targets(ground: int) -> Targets:
    """Put up everything that can be brought down, on the ground."""
    _put_bridge(ground)
    _put_pyramid()
    _put_lookout()
    car = Car(_CAR_X, height_at(_CAR_X) + STANDING)
    car.drive(0.0, _BRAKE)
    count_as_piece(car.body, CAR_POINTS)
    return Targets(car, _put_house())


def _put_pyramid() -> None:
    """Boxes in rows, each with one less than the row below, and a ragdoll on top."""
    for row in range(_BASE):
        for column in range(_BASE - row):
            x = _PYRAMID_X + 2.06 * _HALF * (column - 0.5 * (_BASE - 1 - row))
            color = blend(WARM, row / (_BASE - 1))
            place = Transform(x, _HALF * (1 + 2 * row))
            box = put(color, place, OBBCollider(_HALF, _HALF), RigidBody(friction=0.6))
            count_as_piece(box, BOX_POINTS)
    _put_doll(_PYRAMID_X, 2.0 * _HALF * _BASE, COOL[2])


def _put_doll(x: float, floor: float, color: Color) -> None:
    """A ragdoll that stands on a floor; its head is the piece."""
    for entity in ragdoll(x, floor + _FEET, color):
        if esper.has_component(entity, RigidBody):
            esper.add_component(entity, Drag(*_CALM))
        if esper.has_component(entity, CircleCollider):
            # It stands with its eyes closed.
            esper.add_component(entity, Pattern(TOY))
            count_as_piece(entity, DOLL_POINTS)


def knock_out(pieces: list[int]) -> None:
    """Ragdolls among the pieces that fell have crosses for eyes once they lie still."""
    for entity in pieces:
        pattern = esper.try_component(entity, Pattern)
        if pattern is not None and pattern.kind == TOY:
            pattern.kind = DOLL


def _put_bridge(ground: int) -> None:
    """Planks over the gorge, whose hinges break, with crates and a ragdoll on them."""
    Bridge((ground, ground), GORGE, -_BRIDGE_THICK, _BRIDGE_SAG, _WOOD[1], _BRIDGE_STRENGTH).join()
    for x in (16.6, 17.7):
        _put_crate(x, _bridge_at(x) + 0.5, 0.5)
    _put_crate(17.15, _bridge_at(17.15) + 1.5, 0.5)
    _put_doll(20.6, _bridge_at(20.6), COOL[0])


def _bridge_at(x: float) -> float:
    """The height of the planks' tops."""
    part = (x - GORGE[0]) / (GORGE[1] - GORGE[0])
    return -4.0 * _BRIDGE_SAG * part * (1.0 - part)


def _put_crate(x: float, y: float, half: float) -> None:
    """A crate of wood."""
    crate = put(_WOOD[2], Transform(x, y), OBBCollider(half, half), RigidBody(density=0.8, friction=0.7), pattern=CRATE)
    count_as_piece(crate, CRATE_POINTS)


def _put_house() -> int:
    """Walls and floors of planks, welded where they meet, below a roof, which is returned; the welds break."""
    floor = height_at(_HOUSE_X)
    below: int | None = None
    for storey in range(_STOREYS):
        top = floor + 2.0 * _WALL_HALF
        board = _plank(_HOUSE_X, top + _BOARD_THICK, _HOUSE_HALF, _BOARD_THICK, _WOOD[1])
        for x in (_HOUSE_X - _HOUSE_HALF + 0.5, _HOUSE_X, _HOUSE_X + _HOUSE_HALF - 0.5):
            wall = _plank(x, floor + _WALL_HALF, _WALL_THICK, _WALL_HALF, _WOOD[0])
            _weld(wall, board, x, top)
            if below is not None:
                _weld(below, wall, x, floor)
        side = 1.0 if storey else -1.0
        _put_doll(_HOUSE_X + 1.6 * side, floor, (COOL[3], WARM[0])[storey])
        _put_crate(_HOUSE_X - 1.7 * side, floor + 0.6, 0.6)
        below, floor = board, top + 2.0 * _BOARD_THICK
    top_piece = put(
        roof.COLOR, Transform(_HOUSE_X, floor), PolygonCollider(roof.OUTLINE), RigidBody(density=0.4, friction=0.7)
    )
    count_as_piece(top_piece, 2 * PLANK_POINTS)
    return top_piece


def _plank(x: float, y: float, half_width: float, half_height: float, color: Color) -> int:
    plank = put(color, Transform(x, y), OBBCollider(half_width, half_height), RigidBody(friction=0.7), pattern=WOOD)
    count_as_piece(plank, PLANK_POINTS)
    return plank


def _weld(a: int, b: int, x: float, y: float) -> None:
    esper.create_entity(WeldJoint.at(a, b, x, y, break_force=_HOUSE_STRENGTH, break_torque=_HOUSE_STRENGTH))


def _put_lookout() -> None:
    """Crates with a ragdoll on top, on the hill at the far end."""
    ground = height_at(57.2)
    for row in range(3):
        _put_crate(57.2, ground + 0.8 * (1 + 2 * row), 0.8)
    _put_doll(57.2, ground + 4.8, WARM[2])

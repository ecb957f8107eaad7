"""What the playground begins with: where the bodies are, and what stands about them."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import AABBCollider, CircleCollider, RigidBody, Solid, Transform, Velocity
from ecsphys.demo.scenes.rigid.stage import plank
from ecsphys.demo.scenes.rigid.tint import STONE, put
from ecsphys.demo.scenes.rigid.tumbler import drum
from ecsphys.demo.scenes.scene import Box

Preset = Literal["pile", "tumbler", "rain", "empty"]
PRESETS: tuple[Preset, ...] = get_args(Preset)

_CELL = 1.05
"""The side of the square that a body has to itself at first."""
_LEAST_HALF = 19.0
_SHAPE = 0.62
"""A room's height by its width."""
_WALL = 1.0
_PEG = 0.4


def room_for(preset: Preset, count: int) -> Box:
    """What is seen of a room with space for ``count`` bodies; the floor's top is at y = 0."""
    half = max(_LEAST_HALF, 0.86 * math.sqrt(count))
    if preset == "tumbler":
        half = max(_LEAST_HALF, (_drum_radius(count) + 2.0) / _SHAPE)
    return -half, -_WALL, half, 2.0 * half * _SHAPE - _WALL


def build_room(preset: Preset, count: int) -> None:
    """Put up floor and walls, and what belongs to the preset."""
    left, _, right, top = room_for(preset, count)
    width = right - left
    put(STONE, Transform(0.0, -_WALL), AABBCollider(width, _WALL), Solid())
    for x in (left, right):
        put(STONE, Transform(x, 0.5 * top), AABBCollider(_WALL, 5.0 * top), Solid())
    if preset == "tumbler":
        radius = _drum_radius(count)
        paddles = max(5, round(0.16 * radius))
        shape = drum(radius, max(20, round(1.6 * radius)), paddles, max(0.8, 0.08 * radius))
        middle = Transform(0.0, radius + 1.2)
        put(STONE, middle, Velocity(angular=min(0.5, 5.0 / radius)), shape, RigidBody("kinematic"))
    elif preset == "rain":
        _build_pegs(left + _WALL, right - _WALL, top)


def _build_pegs(left: float, right: float, top: float) -> None:
    """Rows of pegs, and boards that throw what falls from one side to the other."""
    gap = max(3.4, (right - left) / 26.0)
    for row in range(4):
        y = top * (0.42 + 0.1 * row)
        for x in np.arange(left + gap * (0.5 + 0.5 * (row % 2)), right - 0.3 * gap, gap).tolist():
            peg = _PEG * gap / 3.4
            put(STONE, Transform(x, y), CircleCollider(peg), RigidBody("static", friction=0.2))
    for number, side in enumerate((-1.0, 1.0)):
        board = 0.2 * (right - left)
        x = 0.5 * (left + right) + side * 0.3 * (right - left)
        plank(x, top * (0.2 + 0.06 * number), board, 0.012 * board + 0.1, side * 0.28)


def places_for(preset: Preset, count: int) -> NDArray[float64]:
    """Where ``count`` bodies begin, (count, 2), apart from each other; none for presets that begin empty."""
    left, _, right, _ = room_for(preset, count)
    numbers = np.arange(count)
    if preset == "pile":
        columns = max(int(0.7 * (right - left) / _CELL), 1)
        row, column = np.divmod(numbers, columns)
        x = _CELL * (column - 0.5 * (columns - 1) + 0.22 * np.where(row % 2 == 0, 1.0, -1.0))
        return np.column_stack((x, 0.8 + _CELL * row))
    if preset == "tumbler":
        # Sunflower seeds fill a disc evenly.
        radius = (_drum_radius(count) - 1.6) * np.sqrt((numbers + 0.5) / max(count, 1))
        turn = numbers * math.pi * (3.0 - math.sqrt(5.0))
        middle = _drum_radius(count) + 1.2
        return np.column_stack((radius * np.cos(turn), middle + radius * np.sin(turn)))
    return np.zeros((0, 2))


def _drum_radius(count: int) -> float:
    return 1.8 + math.sqrt(_CELL * _CELL * count / math.pi)

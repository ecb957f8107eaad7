"""Checks of the arguments of ``ecsphys.geometry``. Every error names the argument and its value."""

from __future__ import annotations

import math
from typing import Any

from ecsphys.components.store.column import finite_number, number_pair, show

Pair = tuple[float, float]

pair = number_pair


def size(name: str, value: Any) -> float:
    """A finite number that is not negative: a radius or a half-size."""
    if type(value) is float and 0.0 <= value < math.inf:
        return value
    result = finite_number(name, value)
    if result < 0.0:
        raise ValueError(f"{name} must not be negative, got {show(value)}")
    return result


def half_sizes(name: str, value: Any) -> Pair:
    """A pair of finite numbers that are not negative."""
    half_x, half_y = pair(name, value)
    if half_x < 0.0 or half_y < 0.0:
        raise ValueError(f"{name} must not be negative, got {show(value)}")
    return half_x, half_y


def vector(name: str, value: Any) -> Pair:
    """A pair of finite numbers that has a direction."""
    x, y = pair(name, value)
    if x == 0.0 and y == 0.0:
        raise ValueError(f"{name} must not be zero, got {show(value)}")
    return x, y


def box(min_name: str, low: Any, max_name: str, high: Any) -> tuple[float, float, float, float]:
    """The corners of an axis-aligned rectangle, in order: (min_x, min_y, max_x, max_y)."""
    min_x, min_y = pair(min_name, low)
    max_x, max_y = pair(max_name, high)
    if min_x > max_x or min_y > max_y:
        raise ValueError(f"{min_name} must not exceed {max_name}, got {show(low)} and {show(high)}")
    return min_x, min_y, max_x, max_y


def spread_angle(name: str, value: Any) -> float:
    """The spread of a fan, in (0, 2π]."""
    result = finite_number(name, value)
    if not 0.0 < result <= 2.0 * math.pi:
        raise ValueError(f"{name} must be greater than 0 and at most 2π, got {show(value)}")
    return result

"""What is a floor, a wall, a ceiling; and vectors along them."""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.character.mover import dot
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import cosine_of
from ecsphys.engine.math.elementary import hypot

FLOOR_ANGLE = math.pi / 4
"""A surface is a floor if its normal is within this angle of ``up``, and a ceiling if within it of the opposite."""

# Of the cosine of the steepest floor.
_SLACK = 1e-9


class Ground(NamedTuple):
    """``up`` is a unit vector, or (0, 0) where every surface is a wall; ``steepest`` the angle of a floor at most, and
    ``least_height`` what its normal has along ``up`` at least."""

    up_x: float
    up_y: float
    steepest: float
    least_height: float


@scalar
def ground_of(up_x: float, up_y: float, steepest: float) -> Ground:
    """The ground with floors up to an angle."""
    return Ground(up_x, up_y, steepest, max(cosine_of(steepest) - _SLACK, _SLACK))


@scalar
def is_floor(ground: Ground, normal_x: float, normal_y: float) -> bool:
    """Whether a surface with this normal is a floor."""
    return dot(normal_x, normal_y, ground.up_x, ground.up_y) >= ground.least_height


@scalar
def is_wall(ground: Ground, normal_x: float, normal_y: float) -> bool:
    """Whether it is a wall."""
    return abs(dot(normal_x, normal_y, ground.up_x, ground.up_y)) < ground.least_height


@scalar
def is_ceiling(ground: Ground, normal_x: float, normal_y: float) -> bool:
    """Whether it is a ceiling."""
    return dot(normal_x, normal_y, ground.up_x, ground.up_y) <= -ground.least_height


@scalar
def unit(x: float, y: float) -> tuple[float, float]:
    """A vector's direction; (0, 0) for (0, 0)."""
    length = hypot(x, y)
    if length > 0.0:
        return x / length, y / length
    return x, y


@scalar
def projected(x: float, y: float, normal_x: float, normal_y: float) -> tuple[float, float]:
    """The part of a vector along a plane: (v · t) t with the plane's direction t, which is exact on level ground."""
    along = y * normal_x - x * normal_y
    return -along * normal_y, along * normal_x

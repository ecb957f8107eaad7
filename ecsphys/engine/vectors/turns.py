"""Cosines and sines in lanes: :mod:`ecsphys.engine.math.cos_sin` without a branch."""

from __future__ import annotations

from typing import Any

from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.math.cos_sin import (
    C1,
    C2,
    C3,
    C4,
    C5,
    C6,
    LARGEST_ANGLE,
    PER_QUARTER_TURN,
    QUARTER_TURN,
    QUARTER_TURN_REST,
    S1,
    S2,
    S3,
    S4,
    S5,
    S6,
)
from ecsphys.engine.vectors.lanes import floor, spread, where


@inlined_scalar
def _in_cycle(turns: Any, length: float, lane: Any) -> Any:
    """A whole number modulo a power of two."""
    return turns - spread(length, lane) * floor(turns * spread(1.0 / length, lane))


@inlined_scalar
def cos_sin_in_lanes(angle: Any, lane: Any) -> tuple[Any, Any]:
    """(cos, sin) of angles in radians, the same bits as ``cos_sin``; (1, 0) of NaN, and beyond LARGEST_ANGLE."""
    zero = spread(0.0, lane)
    one = spread(1.0, lane)
    half = spread(0.5, lane)
    most = spread(LARGEST_ANGLE, lane)
    angle = where(angle > -most, where(angle < most, angle, zero), zero)
    turns = floor(angle * spread(PER_QUARTER_TURN, lane) + half)
    r = (angle - turns * spread(QUARTER_TURN, lane)) - turns * spread(QUARTER_TURN_REST, lane)
    z = r * r
    series = spread(S5, lane) + z * spread(S6, lane)
    series = spread(S3, lane) + z * (spread(S4, lane) + z * series)
    series = spread(S1, lane) + z * (spread(S2, lane) + z * series)
    sine = r + r * z * series
    series = spread(C5, lane) + z * spread(C6, lane)
    series = spread(C3, lane) + z * (spread(C4, lane) + z * series)
    series = spread(C1, lane) + z * (spread(C2, lane) + z * series)
    cosine = one - half * z + z * z * series
    is_odd = _in_cycle(turns, 2.0, lane) > half
    c = where(is_odd, sine, cosine)
    s = where(is_odd, cosine, sine)
    middle = spread(1.5, lane)
    return where(_in_cycle(turns + one, 4.0, lane) > middle, -c, c), where(_in_cycle(turns, 4.0, lane) > middle, -s, s)

"""Control by a stick or four keys, at one speed in every direction (A2)."""

from __future__ import annotations

from ecsphys.engine.math.elementary import hypot


def eight_way_velocity(x: float, y: float, speed: float) -> tuple[float, float]:
    """Velocity for an input (x, y): speed·(x, y), shortened where the input is longer than 1.

    Keys give −1, 0 or 1 on each axis. A diagonal (±1, ±1) has the length √2, so each axis gets speed/√2 and the
    diagonal is as fast as the rest; a stick that is tilted half way gives half the speed.
    """
    scale = speed / max(1.0, hypot(x, y))
    return x * scale, y * scale

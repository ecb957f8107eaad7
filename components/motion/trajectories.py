"""Motion in closed form, exact at any time: a trajectory gives the position, whatever the step's length.

A trajectory owns the x, y of the entity's ``Transform`` and, if there is one, of its ``Velocity``; a step adds dt to
``elapsed`` (seconds, settable) and writes both at that time. ``angle`` still turns by ``Velocity.angular``, and forces
do nothing. Two trajectories on one entity raise ``ValueError`` in the next step. Below, t stands for ``elapsed``.
"""

from __future__ import annotations

from typing import final

from ecsphys.components.store.column import column
from ecsphys.components.store.component import Component


@final
class LinearTrajectory(Component):
    """Uniform motion: (x, y) + (vx, vy)·t.

    ``x``, ``y``: position at t = 0. ``vx``, ``vy``: units/s. Row A1.
    """

    x: float
    y: float
    vx: float
    vy: float
    elapsed: float = 0.0


@final
class BallisticTrajectory(Component):
    """Uniformly accelerated motion: (x, y) + (vx, vy)·t + ½·(ax, ay)·t².

    ``x``, ``y``: position at t = 0. ``vx``, ``vy``: velocity at t = 0, units/s. ``ax``, ``ay``: the whole acceleration,
    units/s²; the world's gravity is not added. Row A5.
    """

    x: float
    y: float
    vx: float
    vy: float
    ax: float = 0.0
    ay: float = 0.0
    elapsed: float = 0.0


@final
class CircularTrajectory(Component):
    """Uniform circular motion: center + radius·(cos φ, sin φ), φ = phase + angular_speed·t.

    ``center_x``, ``center_y``: in the world. ``radius``: >= 0. ``angular_speed``: rad/s, 2π/T for a period T, negative
    is clockwise. ``phase``: radians. Row A8.
    """

    center_x: float
    center_y: float
    radius: float = column(low=0.0)
    angular_speed: float
    phase: float = 0.0
    elapsed: float = 0.0


@final
class HarmonicTrajectory(Component):
    """The motion of a spring: center + amplitude·sin(ω·t + φ) where undamped, along both axes.

    ``center_x``, ``center_y``: the point of rest. ``amplitude_x``, ``amplitude_y``: A, units. ``angular_frequency``: ω
    in rad/s, >= 0, √(stiffness/mass) of a spring. ``phase``: φ in radians, gives the start x0 = A·sin φ,
    v0 = A·ω·cos φ. ``damping``: the ratio ζ >= 0, no unit: 0 none, below 1 it swings (ω_d = ω·√(1 − ζ²)), 1 critical,
    above 1 it creeps. Row A11 gives the formulas.
    """

    center_x: float
    center_y: float
    amplitude_x: float
    amplitude_y: float
    angular_frequency: float = column(low=0.0)
    phase: float = 0.0
    damping: float = column(default=0.0, low=0.0)
    elapsed: float = 0.0

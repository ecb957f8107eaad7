"""Homing lasers (D6): chains of short segments that turn towards a target at every joint.

With the unit vectors f, forward, and a, from the head to the target, f·a = cos θ and f × a = sin θ tell where the
target is. Two rules for the turn at a joint, both limited to ``limit`` radians:

* by sign: the whole limit to the side of the target. Once it is ahead, the chain swings from side to side for ever;
* by sine: sin φ = sin θ, no more than the limit's. Ahead, φ = θ: the chain points at the target and settles.

The sine alone cannot tell ahead from behind, where it vanishes too: a target behind (f·a < 0) turns by the whole limit,
to the left where the cross product is 0. Turning needs no trigonometry: f′ = cos φ · f + sin φ · (f turned a quarter),
with cos φ = √(1 − sin² φ), as the limit is at most a quarter.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.engine.effects.strips import place, unit
from ecsphys.engine.math.elementwise import cos_sin_of

MOST_JOINTS: Final = 1024
"""Segments a laser can lay in one step; a longer flight ends there."""


def turn_sines(
    forward: NDArray[float64], aim: NDArray[float64], limit: NDArray[float64], by_sign: NDArray[bool_]
) -> NDArray[float64]:
    """Sines (n,) of the turns from unit ``forward`` towards unit ``aim`` (n, 2), ``limit`` (n,) in [0, π/2] (D6)."""
    sine = forward[:, 0] * aim[:, 1] - forward[:, 1] * aim[:, 0]
    cosine = forward[:, 0] * aim[:, 0] + forward[:, 1] * aim[:, 1]
    most = cos_sin_of(limit)[1]
    whole = np.where(sine < 0.0, -most, most)
    by_sine = np.where(cosine < 0.0, whole, np.clip(sine, -most, most))
    return np.where(by_sign & ~((sine == 0.0) & (cosine >= 0.0)), whole, by_sine)


def turned(forward: NDArray[float64], sine: NDArray[float64]) -> NDArray[float64]:
    """Unit vectors (n, 2) turned by the angles in [−π/2, π/2] with these sines (n,)."""
    turn = np.column_stack((np.sqrt((1.0 - sine) * (1.0 + sine)), sine))
    direction, _ = unit(place(turn, forward, np.zeros(2)))  # normalised, so that rounding does not add up
    return direction


def fly(
    joints: NDArray[float64],
    joint_counts: NDArray[int64],
    forward: NDArray[float64],
    beyond: NDArray[float64],
    distance: NDArray[float64],
    target: NDArray[float64],
    segment_length: NDArray[float64],
    limit: NDArray[float64],
    by_sign: NDArray[bool_],
) -> None:
    """Advance the heads of n chains by ``distance`` (n,), laying joints and turning at each; the first four change.

    ``joints`` (n, c, 2): the newest joint first. ``joint_counts`` (n,): how many were laid, at most c. ``forward``
    (n, 2): the unit direction of flight. ``beyond`` (n,): how far the head is past the newest joint, below
    ``segment_length``. ``target`` (n, 2). A target at the joint itself leaves the direction as it is.
    """
    beyond += np.minimum(distance, MOST_JOINTS * segment_length)
    while (due := np.flatnonzero(beyond >= segment_length)).size:
        newest = joints[due, 0] + segment_length[due, None] * forward[due]
        joints[due, 1:] = joints[due, :-1]
        joints[due, 0] = newest
        joint_counts[due] = np.minimum(joint_counts[due] + 1, joints.shape[1])
        aim, away = unit(target[due] - newest)
        aim = np.where(away[:, None] > 0.0, aim, forward[due])
        forward[due] = turned(forward[due], turn_sines(forward[due], aim, limit[due], by_sign[due]))
        beyond[due] -= segment_length[due]


def heads(joints: NDArray[float64], forward: NDArray[float64], beyond: NDArray[float64]) -> NDArray[float64]:
    """Where the heads (n, 2) of chains are, see :func:`fly`."""
    position: NDArray[float64] = joints[:, 0] + beyond[:, None] * forward
    return position

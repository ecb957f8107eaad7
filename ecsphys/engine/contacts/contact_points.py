"""The points of contacts from step to step: which is which, and the impulses that a solver has left with them."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.contact.contact import FEATURES, SEPARATIONS
from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar

# Columns of impulses: along the normal, then along the tangent, of each of the two points.
NORMAL_IMPULSES, TANGENT_IMPULSES = 0, 2
IMPULSE_COLUMNS = 4


@packed
class ContactPoints(NamedTuple):
    """What a solver needs of the points of each contact; without rows where nothing solves.

    ``separations`` (m, 2): how far apart the surfaces are at each, negative where they overlap. ``features`` (m, 2):
    see :mod:`~ecsphys.engine.contact.manifold`; −1 for a point that is not there. ``impulses`` (m, IMPULSE_COLUMNS).
    """

    separations: Float64Rows
    features: Int32Rows
    impulses: Float64Rows


@inlined_scalar
def begin_points(k: int, points: ContactPoints, row: int, found: Float64Rows) -> None:
    """Write the points of a contact that has just been found to row k, without impulses.

    Row −1: found between two steps, it has no points to be solved.
    """
    for p in range(2):
        points.separations[k, p] = found[row, SEPARATIONS + p] if row >= 0 else 0.0
        points.features[k, p] = int(found[row, FEATURES + p]) if row >= 0 else NO_FEATURE
        points.impulses[k, NORMAL_IMPULSES + p] = 0.0
        points.impulses[k, TANGENT_IMPULSES + p] = 0.0


@inlined_scalar
def carry_impulses(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give the points of row k the impulses of those of the last step's row j with the same features."""
    for p in range(2):
        feature = points.features[k, p]
        for q in range(2):
            if feature != NO_FEATURE and feature == last.features[j, q]:
                points.impulses[k, NORMAL_IMPULSES + p] = last.impulses[j, NORMAL_IMPULSES + q]
                points.impulses[k, TANGENT_IMPULSES + p] = last.impulses[j, TANGENT_IMPULSES + q]


@inlined_scalar
def keep_points(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Write the points of the last step's row j to row k, with their impulses."""
    for p in range(2):
        points.separations[k, p] = last.separations[j, p]
        points.features[k, p] = last.features[j, p]
        points.impulses[k, NORMAL_IMPULSES + p] = last.impulses[j, NORMAL_IMPULSES + p]
        points.impulses[k, TANGENT_IMPULSES + p] = last.impulses[j, TANGENT_IMPULSES + p]

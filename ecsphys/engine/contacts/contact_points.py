"""The points of contacts from step to step: which is which, and the impulses that a solver has left with them."""

from __future__ import annotations

from typing import NamedTuple

from numpy import full, int32, uint8, zeros

from ecsphys.engine.contact.contact import FEATURES, POINTS, SEPARATIONS, ContactRows
from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int32s, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar

# Columns of impulses: along the normal, then along the tangent, of each of the two points.
NORMAL_IMPULSES, TANGENT_IMPULSES = 0, 2
IMPULSE_COLUMNS = 4

# Columns of totals, in the last step: the sums of impulses over its substeps, and the impulse of a complete strike (see
# :mod:`~ecsphys.engine.dynamics.strikes`).
NORMAL_TOTAL, TANGENT_TOTAL, STRIKE = range(3)
TOTAL_COLUMNS = 3


@packed
class ContactPoints(NamedTuple):
    """The points of each contact, as a solver needs them; without rows if nothing solves.

    ``positions`` (m, 4): x and y of each in the world. ``separations`` (m, 2): how far apart the surfaces are at each,
    negative where they overlap. ``features`` (m, 2): see :mod:`~ecsphys.engine.contact.manifold`; −1 for a point that
    is not there. ``impulses`` (m, IMPULSE_COLUMNS), ``totals`` (m, TOTAL_COLUMNS). ``flags`` (m,): the
    game's numbers for the pairs; ``one_way`` (m,): the decisions on surfaces that block from one side only. Both stay
    as long as the contact.
    """

    positions: Float64Rows
    separations: Float64Rows
    features: Int32Rows
    impulses: Float64Rows
    totals: Float64Rows
    flags: Int32s
    one_way: Uint8s


def no_points(count: int) -> ContactPoints:
    """Rows for so many contacts without points."""
    return ContactPoints(
        zeros((count, 4)),
        zeros((count, 2)),
        full((count, 2), NO_FEATURE, int32),
        zeros((count, IMPULSE_COLUMNS)),
        zeros((count, TOTAL_COLUMNS)),
        zeros(count, int32),
        zeros(count, uint8),
    )


@inlined_scalar
def begin_points(k: int, points: ContactPoints, contact: int, found: ContactRows, is_swept: bool) -> None:
    """Write the points of a contact that has just been found to row k, without impulses.

    A contact that was found between two steps (``is_swept``) has no points to solve.
    """
    for p in range(2):
        points.positions[k, 2 * p] = found.rows[contact, POINTS + 2 * p]
        points.positions[k, 2 * p + 1] = found.rows[contact, POINTS + 2 * p + 1]
        points.separations[k, p] = 0.0 if is_swept else found.points[contact, SEPARATIONS + p]
        points.features[k, p] = NO_FEATURE if is_swept else int(found.points[contact, FEATURES + p])


@inlined_scalar
def forget_impulses(k: int, points: ContactPoints) -> None:
    """Let the points of row k have no impulses, totals and notes."""
    for p in range(2):
        points.impulses[k, NORMAL_IMPULSES + p] = 0.0
        points.impulses[k, TANGENT_IMPULSES + p] = 0.0
    for column in range(TOTAL_COLUMNS):
        points.totals[k, column] = 0.0
    points.flags[k] = 0
    points.one_way[k] = 0


@inlined_scalar
def forget_points(k: int, points: ContactPoints) -> None:
    """Let row k have no points to solve, and no impulses to begin with."""
    for p in range(2):
        points.features[k, p] = NO_FEATURE
        points.impulses[k, NORMAL_IMPULSES + p] = 0.0
        points.impulses[k, TANGENT_IMPULSES + p] = 0.0


@inlined_scalar
def _keep_totals(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give row k the totals of the last step's row j, but for its strike, which is over."""
    points.totals[k, NORMAL_TOTAL] = last.totals[j, NORMAL_TOTAL]
    points.totals[k, TANGENT_TOTAL] = last.totals[j, TANGENT_TOTAL]
    points.totals[k, STRIKE] = 0.0


@inlined_scalar
def carry_impulses(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give row k the totals and notes of the last step's row j, and its points the impulses of those with the same
    features."""
    points.flags[k] = last.flags[j]
    points.one_way[k] = last.one_way[j]
    _keep_totals(k, points, last, j)
    for p in range(2):
        feature = points.features[k, p]
        normal = 0.0
        tangent = 0.0
        for q in range(2):
            if feature != NO_FEATURE and feature == last.features[j, q]:
                normal = last.impulses[j, NORMAL_IMPULSES + q]
                tangent = last.impulses[j, TANGENT_IMPULSES + q]
        points.impulses[k, NORMAL_IMPULSES + p] = normal
        points.impulses[k, TANGENT_IMPULSES + p] = tangent


@inlined_scalar
def keep_impulses(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Give row k the impulses, totals and notes that a solver has left in the last step's row j."""
    points.flags[k] = last.flags[j]
    points.one_way[k] = last.one_way[j]
    for p in range(2):
        points.features[k, p] = last.features[j, p]
        points.impulses[k, NORMAL_IMPULSES + p] = last.impulses[j, NORMAL_IMPULSES + p]
        points.impulses[k, TANGENT_IMPULSES + p] = last.impulses[j, TANGENT_IMPULSES + p]
    _keep_totals(k, points, last, j)


@inlined_scalar
def keep_points(k: int, points: ContactPoints, last: ContactPoints, j: int) -> None:
    """Write the points of the last step's row j to row k, with their impulses and notes."""
    for p in range(2):
        points.positions[k, 2 * p] = last.positions[j, 2 * p]
        points.positions[k, 2 * p + 1] = last.positions[j, 2 * p + 1]
        points.separations[k, p] = last.separations[j, p]
    keep_impulses(k, points, last, j)

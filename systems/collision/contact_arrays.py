"""The contacts of a step as arrays, for a stage that solves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import bool_, float64, int32
from numpy.typing import NDArray

from ecsphys.components.store.column_store import read_only

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import ContactBuffer


class ContactArrays:
    """Contacts of pairs of colliders that overlap, or are nearer than the margin asked for, in the order of hits.

    Views, read-only but for the impulses, overwritten by the step after the next.

    ``slots``
        (n, 2) int32, the colliders, by their places in ``state.tables.colliders``.
    ``normal``, ``depth``
        As in :class:`~ecsphys.types.HitArrays`; the depth is 0 or less where the pair is merely near.
    ``is_near``
        (n,) bool, whether the pair is merely near: then it is no hit.
    ``positions``
        (n, 2, 2) float64, the points in the world, also those where the surfaces are apart; NaN in an unused row.
    ``separations``
        (n, 2) float64, how far apart the surfaces are at each point, negative where they overlap.
    ``features``
        (n, 2) int32, which point it is: the same from step to step while the same corners meet; −1 for none.
    ``impulses``
        (n, 4) float64, writable: along the normal at each point, then along the tangent. What a stage writes here is
        what the next step's contact has, at points with the same features; 0 at new ones.

    The last four have no rows unless ``HitTracker.keep_contacts`` was called.
    """

    __slots__ = (
        "depth",
        "features",
        "impulses",
        "is_near",
        "normal",
        "positions",
        "separations",
        "slots",
    )

    def __init__(self, buffer: ContactBuffer, count: int) -> None:
        hits, points = buffer.table
        rows = slice(count)
        self.slots: NDArray[int32] = read_only(hits.pairs[rows])
        self.normal: NDArray[float64] = read_only(hits.normal[rows])
        self.depth: NDArray[float64] = read_only(hits.depth[rows])
        self.is_near: NDArray[bool_] = read_only(buffer.is_near[rows])
        self.positions: NDArray[float64] = read_only(points.positions[rows].reshape(-1, 2, 2))
        self.separations: NDArray[float64] = read_only(points.separations[rows])
        self.features: NDArray[int32] = read_only(points.features[rows])
        self.impulses: NDArray[float64] = points.impulses[rows]

    def __len__(self) -> int:
        return len(self.depth)

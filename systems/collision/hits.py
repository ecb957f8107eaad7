"""Hits: one contact between two colliders, as an object for event handlers and as arrays for bulk use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy import bool_, float64, int32, int64, str_, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_CLASSES, Collider
from ecsphys.components.store.read_only import read_only

Phase = Literal["started", "ongoing", "ended"]
Reason = Literal["despawned", "removed", "disabled", "filtered", "separated"]


# In the order of the engine's codes (hit_tracking.DESPAWNED …), in which the first that applies wins.
REASONS: tuple[Reason, ...] = ("despawned", "removed", "disabled", "filtered", "separated")
_REASON_NAMES: NDArray[str_] = np.array(REASONS)


@dataclass(frozen=True, slots=True)
class Hit:
    """Two colliders of two entities overlapping, as a handler of a hit event receives it.

    Attributes
    ----------
    entity_a, entity_b
        The esper entities, ``entity_a < entity_b`` (but a ``HitListener`` gets its owner first).
    collider_a, collider_b
        The classes of the two colliders.
    normal
        Unit vector from a to b.
    depth
        How far b must move along ``normal`` (or a against it) to end the overlap; greater than 0, but 0 where a
        ``Bullet`` touched on its way.
    points
        One or two contact points in the world, midway between the two surfaces.
    approach_speed
        −(v_b − v_a)·normal at the mean of the points, spin included: positive when closing.
    phase
        "started", "ongoing" or "ended".
    reason
        Why the hit ended: "despawned", "removed", "disabled", "filtered" or "separated"; None in the other phases. A
        hit that ended carries the values it had last.
    time
        When in the step it was, from 0 to 1; always 1 unless a ``Bullet`` touched on its way.
    part_a, part_b
        The numbers of the colliders in their ``CompoundCollider``, None for one that is on its own.
    """

    entity_a: int
    entity_b: int
    collider_a: type[Collider]
    collider_b: type[Collider]
    normal: tuple[float, float]
    depth: float
    points: tuple[tuple[float, float], ...]
    approach_speed: float
    phase: Phase
    reason: Reason | None = None
    time: float = 1.0
    part_a: int | None = None
    part_b: int | None = None

    def seen_from(self, entity: int) -> Hit:
        """The same hit with ``entity`` as ``entity_a``, so that ``normal`` points away from it.

        ValueError where ``entity`` is neither of the two.
        """
        if self.other(entity) == self.entity_b:
            return self
        return replace(
            self,
            entity_a=self.entity_b,
            entity_b=self.entity_a,
            collider_a=self.collider_b,
            collider_b=self.collider_a,
            normal=(0.0 - self.normal[0], 0.0 - self.normal[1]),
            part_a=self.part_b,
            part_b=self.part_a,
        )

    def other(self, entity: int) -> int:
        """The entity hit by ``entity``; ValueError where ``entity`` is neither of the two."""
        if entity == self.entity_a:
            return self.entity_b
        if entity == self.entity_b:
            return self.entity_a
        raise ValueError(f"entity {entity} has no part in this hit of {self.entity_a} and {self.entity_b}")


class HitArrays:
    """Hits as arrays of equal length n, by (entity_a, entity_b, collider_a, collider_b), then by the parts.

    Valid until the next step, and read-only. ``for hit in physics.hits`` yields each as a :class:`Hit`; where there are
    many, arithmetic on the arrays is far faster.

    ``entity_a``, ``entity_b``
        (n,) int64, the esper entities, a < b.
    ``collider_a``, ``collider_b``
        (n,) uint8, indices into ``ecsphys.COLLIDER_CLASSES``.
    ``part_a``, ``part_b``
        (n,) int32, numbers in the entities' ``CompoundCollider``, −1 for a collider on its own.
    ``normal``
        (n, 2) float64, unit, from a to b.
    ``depth``
        (n,) float64, greater than 0, but 0 where a ``Bullet`` touched on its way.
    ``points``
        (n, 2, 2) float64, in the world; NaN in an unused second row.
    ``point_count``
        (n,) uint8, 1 or 2.
    ``approach_speed``
        (n,) float64, positive when closing.
    ``time``
        (n,) float64, in [0, 1] of the step: 1 unless a ``Bullet`` touched on its way.
    ``is_new``
        (n,) bool, whether it began in this step.
    """

    __slots__ = (
        "approach_speed",
        "collider_a",
        "collider_b",
        "depth",
        "entity_a",
        "entity_b",
        "is_new",
        "normal",
        "part_a",
        "part_b",
        "point_count",
        "points",
        "time",
    )

    entity_a: NDArray[int64]
    entity_b: NDArray[int64]
    collider_a: NDArray[uint8]
    collider_b: NDArray[uint8]
    part_a: NDArray[int32]
    part_b: NDArray[int32]
    normal: NDArray[float64]
    depth: NDArray[float64]
    points: NDArray[float64]
    point_count: NDArray[uint8]
    approach_speed: NDArray[float64]
    time: NDArray[float64]
    is_new: NDArray[bool_]

    def __init__(self, capacity: int = 0) -> None:
        self.entity_a = np.zeros(capacity, int64)
        self.entity_b = np.zeros(capacity, int64)
        self.collider_a = np.zeros(capacity, uint8)
        self.collider_b = np.zeros(capacity, uint8)
        self.part_a = np.zeros(capacity, int32)
        self.part_b = np.zeros(capacity, int32)
        self.normal = np.zeros((capacity, 2))
        self.depth = np.zeros(capacity)
        self.points = np.zeros((capacity, 2, 2))
        self.point_count = np.zeros(capacity, uint8)
        self.approach_speed = np.zeros(capacity)
        self.time = np.zeros(capacity)
        self.is_new = np.zeros(capacity, bool_)

    def __len__(self) -> int:
        return int(self.depth.size)

    def __repr__(self) -> str:
        return f"<{len(self)} hits>"

    def __iter__(self) -> Iterator[Hit]:
        return self._hits(["started" if new else "ongoing" for new in self.is_new.tolist()], [None] * len(self))

    def select(self, rows: slice | NDArray[Any]) -> HitArrays:
        """Some of the rows, read-only: a view for a slice, a copy for an array of row numbers."""
        chosen = HitArrays.__new__(HitArrays)
        chosen._take(self, rows)
        return chosen

    def _take(self, source: HitArrays, rows: slice | NDArray[Any]) -> None:
        for name in HitArrays.__slots__:
            setattr(self, name, read_only(getattr(source, name)[rows]))

    def _hits(self, phases: list[Phase], reasons: list[Reason] | list[None]) -> Iterator[Hit]:
        rows = zip(
            self.entity_a.tolist(),
            self.entity_b.tolist(),
            self.collider_a.tolist(),
            self.collider_b.tolist(),
            self.normal.tolist(),
            self.depth.tolist(),
            self.points.tolist(),
            self.point_count.tolist(),
            self.approach_speed.tolist(),
            phases,
            reasons,
            self.time.tolist(),
            self.part_a.tolist(),
            self.part_b.tolist(),
            strict=True,
        )
        for a, b, class_a, class_b, normal, depth, points, count, speed, phase, reason, time, part_a, part_b in rows:
            yield Hit(
                a,
                b,
                COLLIDER_CLASSES[class_a],
                COLLIDER_CLASSES[class_b],
                (normal[0], normal[1]),
                depth,
                tuple((x, y) for x, y in points[:count]),
                speed,
                phase,
                reason,
                time,
                None if part_a < 0 else part_a,
                None if part_b < 0 else part_b,
            )


class EndedHitArrays(HitArrays):
    """:class:`HitArrays` of hits that are over, with their last values, none of them new, and

    ``reason``
        (n,) str, why each ended: "despawned", "removed", "disabled", "filtered" or "separated".
    """

    __slots__ = ("reason",)

    def __init__(self, hits: HitArrays, rows: slice | NDArray[Any], reasons: NDArray[uint8]) -> None:
        self._take(hits, rows)
        self.is_new = read_only(np.zeros(len(self), bool_))
        self.reason: NDArray[str_] = read_only(_REASON_NAMES[reasons])

    def __iter__(self) -> Iterator[Hit]:
        return self._hits(["ended"] * len(self), self.reason.tolist())

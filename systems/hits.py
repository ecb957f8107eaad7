"""Hits: one contact between two colliders, as an object for event handlers and as arrays for bulk use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

import numpy as np
from numpy import bool_, float64, int64, str_, uint8
from numpy.typing import NDArray

from ecsphys.components.colliders import COLLIDER_CLASSES
from ecsphys.components.component import Component

Phase = Literal["started", "ongoing", "ended"]
Reason = Literal["despawned", "removed", "filtered", "separated"]


class EndReason(IntEnum):
    """Codes of the reasons a hit ends for, the first that applies winning; ``REASONS`` has their public names."""

    DESPAWNED = 0
    REMOVED = 1
    FILTERED = 2
    SEPARATED = 3


REASONS: tuple[Reason, ...] = ("despawned", "removed", "filtered", "separated")
_REASON_NAMES: NDArray[str_] = np.array(REASONS)


@dataclass(frozen=True, slots=True)
class Hit:
    """Two colliders of two entities overlapping, as a handler of a hit event receives it.

    Attributes
    ----------
    entity_a, entity_b
        The esper entities, ``entity_a < entity_b``.
    collider_a, collider_b
        The classes of the two colliders.
    normal
        Unit vector from a to b.
    depth
        How far b must move along ``normal`` (or a against it) to end the overlap; greater than 0.
    points
        One or two contact points in the world, midway between the two surfaces.
    approach_speed
        −(v_b − v_a)·normal at the mean of the points, spin included: positive when closing.
    phase
        "started", "ongoing" or "ended".
    reason
        Why the hit ended: "despawned", "removed", "filtered" or "separated"; None in the other phases. A hit that
        ended carries the values it had last.
    """

    entity_a: int
    entity_b: int
    collider_a: type[Component]
    collider_b: type[Component]
    normal: tuple[float, float]
    depth: float
    points: tuple[tuple[float, float], ...]
    approach_speed: float
    phase: Phase
    reason: Reason | None = None

    def other(self, entity: int) -> int:
        """The entity hit by ``entity``; ValueError where ``entity`` is neither of the two."""
        if entity == self.entity_a:
            return self.entity_b
        if entity == self.entity_b:
            return self.entity_a
        raise ValueError(f"entity {entity} has no part in this hit of {self.entity_a} and {self.entity_b}")


class HitArrays:
    """Hits as arrays of equal length n, ordered by (entity_a, entity_b, collider_a, collider_b).

    Valid until the next step. Read them; writing changes nothing in the world.

    ``entity_a``, ``entity_b``
        (n,) int64, the esper entities, a < b.
    ``collider_a``, ``collider_b``
        (n,) uint8, indices into ``ecsphys.COLLIDER_CLASSES``.
    ``normal``
        (n, 2) float64, unit, from a to b.
    ``depth``
        (n,) float64, greater than 0.
    ``points``
        (n, 2, 2) float64, in the world; NaN in an unused second row.
    ``point_count``
        (n,) uint8, 1 or 2.
    ``approach_speed``
        (n,) float64, positive when closing.
    ``reason``
        (n,) str, of ``Physics.ended`` only; None elsewhere.
    """

    __slots__ = (
        "approach_speed",
        "collider_a",
        "collider_b",
        "depth",
        "entity_a",
        "entity_b",
        "normal",
        "point_count",
        "points",
        "reason",
    )

    entity_a: NDArray[int64]
    entity_b: NDArray[int64]
    collider_a: NDArray[uint8]
    collider_b: NDArray[uint8]
    normal: NDArray[float64]
    depth: NDArray[float64]
    points: NDArray[float64]
    point_count: NDArray[uint8]
    approach_speed: NDArray[float64]
    reason: NDArray[str_] | None

    def __init__(self, capacity: int = 0) -> None:
        self.entity_a = np.zeros(capacity, int64)
        self.entity_b = np.zeros(capacity, int64)
        self.collider_a = np.zeros(capacity, uint8)
        self.collider_b = np.zeros(capacity, uint8)
        self.normal = np.zeros((capacity, 2))
        self.depth = np.zeros(capacity)
        self.points = np.zeros((capacity, 2, 2))
        self.point_count = np.zeros(capacity, uint8)
        self.approach_speed = np.zeros(capacity)
        self.reason = None

    def __len__(self) -> int:
        return int(self.depth.size)

    def __repr__(self) -> str:
        return f"<{len(self)} hits>"

    def select(self, rows: slice | NDArray[Any], reasons: NDArray[uint8] | None = None) -> HitArrays:
        """Some of the rows: a view for a slice, a copy for an array of row numbers."""
        chosen = HitArrays.__new__(HitArrays)
        for name in self.__slots__:
            column = getattr(self, name)
            setattr(chosen, name, None if column is None else column[rows])
        if reasons is not None:
            chosen.reason = _REASON_NAMES[reasons]
        return chosen

    def as_hits(self, phase: Phase | NDArray[bool_]) -> Iterator[Hit]:
        """The rows as :class:`Hit` objects; ``phase`` for all, or per row whether it has just started."""
        phases: list[Phase]
        if isinstance(phase, str):
            phases = [phase] * len(self)
        else:
            phases = ["started" if new else "ongoing" for new in phase.tolist()]
        reasons = self.reason.tolist() if self.reason is not None else [None] * len(self)
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
            strict=True,
        )
        for a, b, class_a, class_b, normal, depth, points, count, speed, phase_name, reason in rows:
            yield Hit(
                a,
                b,
                COLLIDER_CLASSES[class_a],
                COLLIDER_CLASSES[class_b],
                (normal[0], normal[1]),
                depth,
                tuple((x, y) for x, y in points[:count]),
                speed,
                phase_name,
                reason,
            )

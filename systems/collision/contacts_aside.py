"""Contacts that a solver finds anew between two steps: what it leaves with them goes to those of the steps."""

from __future__ import annotations

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.contacts.contact_points import NORMAL_IMPULSES, NORMAL_TOTAL, TANGENT_IMPULSES
from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits


class ContactsAside:
    """The first ``count`` contacts of a ``buffer``, found since the last step."""

    __slots__ = ("buffer", "count")

    def __init__(self) -> None:
        self.buffer, self.count = ContactBuffer(), 0

    def return_impulses(self, found: StepHits, count: int, capacity: int) -> None:
        """Give the contacts of the last step the impulses that a solver has left with the first ``count`` of these; all
        slots are below ``capacity``."""
        if not found.buffer.has_points:
            return
        rows, aside = self._in_common(found.buffer, found.counts.contacts, count, capacity)
        points, solved = found.buffer.table.points, self.buffer.table.points
        points.features[rows] = solved.features[aside]
        points.impulses[rows] = solved.impulses[aside]
        points.totals[rows] = solved.totals[aside]
        points.flags[rows] = solved.flags[aside]
        points.one_way[rows] = solved.one_way[aside]

    def give(self, buffer: ContactBuffer, count: int, capacity: int) -> int:
        """Give the contacts of a step what a solver has left with these; returns how many merely near ones are hits by
        that, as they were pushed apart before they could overlap."""
        if not (buffer.has_points and self.buffer.has_points):
            return 0
        rows, aside = self._in_common(buffer, count, self.count, capacity)
        if not rows.size:
            return 0
        points, solved = buffer.table.points, self.buffer.table.points
        points.totals[rows] = solved.totals[aside]
        points.flags[rows] = solved.flags[aside]
        points.one_way[rows] = solved.one_way[aside]
        features = points.features[rows]
        for p in range(2):
            for q in range(2):
                same = np.flatnonzero((features[:, p] == solved.features[aside, q]) & (features[:, p] != NO_FEATURE))
                for impulse in (NORMAL_IMPULSES, TANGENT_IMPULSES):
                    points.impulses[rows[same], impulse + p] = solved.impulses[aside[same], impulse + q]
        pushed = rows[buffer.is_near[rows] & (points.totals[rows, NORMAL_TOTAL] > 0.0)]
        buffer.is_near[pushed] = False
        buffer.columns.is_new[pushed] = True
        buffer.table.hits.rest[pushed] = 0
        return int(pushed.size)

    def _in_common(
        self, buffer: ContactBuffer, count: int, aside_count: int, capacity: int
    ) -> tuple[NDArray[int64], NDArray[int64]]:
        """The rows of the pairs that are in both, in a buffer and among these."""
        key = np.array((capacity, 1))
        here, aside = buffer.pairs[:count] @ key, self.buffer.pairs[:aside_count] @ key
        if np.array_equal(here, aside):
            rows = np.arange(count)
            return rows, rows
        _, rows, aside_rows = np.intersect1d(here, aside, assume_unique=True, return_indices=True)
        return rows, aside_rows

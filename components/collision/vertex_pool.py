"""``VERTEX_POOL``: the vertices and edge normals of all polygon colliders in one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.store.fork_safe_lock import fork_safe_lock
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes.layout import MAX_VERTICES, POOL_COLUMNS, POOL_X, POOL_Y
from ecsphys.engine.shapes.segment import SEGMENT_ROWS, SEGMENT_VERTICES

_FIRST_CAPACITY: Final = 256
_LOCK: Final = fork_safe_lock()


class VertexPool:
    """Runs of vertices in ``data``, float64 of shape (capacity, 4): x, y, and the outward unit normal of the edge from
    each vertex to the next. ``data`` is replaced when it grows, so read the attribute again every frame. A run of two
    vertices is a segment of a chain, which has two rows more (:mod:`ecsphys.engine.shapes.segment`).

    A run that is given back serves the next polygon with as many vertices. ``high_water`` is the end of the last run,
    ``changes`` counts the writes. Any thread may create polygons: all that changes the pool holds one lock, but for
    giving back, which is a single call. Systems only read it.
    """

    __slots__ = ("_free", "changes", "data", "high_water")

    def __init__(self) -> None:
        self.data: NDArray[float64] = aligned_zeros(_FIRST_CAPACITY, POOL_COLUMNS)
        self.high_water = 0
        self.changes = 0
        # Finalisers append to these lists at any point: they are never replaced.
        self._free: list[list[int]] = [[] for _ in range(MAX_VERTICES + 1)]

    def allocate(self, count: int) -> int:
        """The start of a run of ``count`` vertices."""
        with _LOCK:
            free = self._free[count]
            return free.pop() if free else self._allocate_fresh(count)

    def _allocate_fresh(self, count: int) -> int:
        count = SEGMENT_ROWS if count == SEGMENT_VERTICES else count
        start = self.high_water
        capacity = len(self.data)
        if start + count > capacity:
            grown = aligned_zeros(capacity + max(capacity // 4, _FIRST_CAPACITY), POOL_COLUMNS)
            grown[:capacity] = self.data
            self.data = grown
            REPLACEMENTS.made += 1
        self.high_water = start + count
        return start

    def release(self, start: int, count: int) -> None:
        """Take a run back; a count of 0 is no run."""
        if count:
            self._free[count].append(start)

    def write(self, start: int, vertices: Sequence[tuple[float, float]]) -> None:
        """Store counter-clockwise vertices, and the normal of each edge: its direction turned clockwise a quarter."""
        rows = []
        following = (*vertices[1:], vertices[0])
        for (x, y), (next_x, next_y) in zip(vertices, following, strict=True):
            edge_x, edge_y = next_x - x, next_y - y
            length = hypot(edge_x, edge_y)
            rows.append((x, y, edge_y / length, -edge_x / length))
        with _LOCK:
            self.data[start : start + len(vertices)] = rows
            self.changes += 1

    def allocate_copies(self, vertices: Sequence[tuple[float, float]], copies: int) -> NDArray[int64]:
        """The starts of ``copies`` runs, at least one, with the same vertices in each."""
        count = len(vertices)
        with _LOCK:
            starts = np.array([self.allocate(count) for _ in range(copies)], int64)
            first = int(starts[0])
            self.write(first, vertices)
            self.data[starts[:, None] + np.arange(count)] = self.data[first : first + count]
        return starts

    def put(self, start: int, run: NDArray[float64]) -> None:
        """Write rows that once were in :attr:`data` to a run."""
        with _LOCK:
            self.data[start : start + len(run)] = run
            self.changes += 1

    def allocate_segments(self, rows: NDArray[float64]) -> NDArray[int64]:
        """The starts of runs for segments of a chain, one or more, with their rows (n, 4, 4)."""
        with _LOCK:
            starts = np.array([self.allocate(SEGMENT_VERTICES) for _ in rows], int64)
            self.data[starts[:, None] + np.arange(SEGMENT_ROWS)] = rows
            self.changes += 1
        return starts

    def read(self, start: int, count: int) -> tuple[tuple[float, float], ...]:
        """The vertices of a run."""
        run = self.data[start : start + count]
        return tuple(zip(run[:, POOL_X].tolist(), run[:, POOL_Y].tolist(), strict=True))


VERTEX_POOL: Final = VertexPool()

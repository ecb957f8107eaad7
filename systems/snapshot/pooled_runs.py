"""The corners of polygons and the points of paths, which lie in pools beside the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.collision.polygon_collider import VERTEX_POOL, PolygonCollider, VertexPool
from ecsphys.components.motion.trajectories import WAYPOINT_POOL, PathTrajectory, WaypointPool
from ecsphys.components.store.component import Component
from ecsphys.engine.shapes.segment import SEGMENT_ROWS, SEGMENT_VERTICES
from ecsphys.systems.snapshot.saved_checks import refuse_numbers_beyond, refuse_other_array

POOLS: dict[type[Component], VertexPool | WaypointPool] = {
    PolygonCollider: VERTEX_POOL,
    PathTrajectory: WAYPOINT_POOL,
}


class PooledRuns:
    """The runs of a pool that some rows of a class had: their starts and contents."""

    __slots__ = ("_cls", "contents", "counts", "rows", "starts")

    def __init__(self, cls: type[Component], rows: NDArray[Any]) -> None:
        self._cls = cls
        self.rows = rows
        columns = cls._columns
        self.starts: NDArray[int64] = columns.row_of_block("_start")[rows]
        self.counts: NDArray[int64] = columns.row_of_block("_count")[rows]
        self.contents: NDArray[Any] = POOLS[cls].data[self._places()]

    def moved_to(self, rows: NDArray[Any]) -> PooledRuns:
        """The same runs, for other rows of the class, in the same order."""
        moved = PooledRuns(self._cls, rows)
        moved.counts, moved.contents = self.counts, self.contents
        return moved

    def _places(self) -> NDArray[int64]:
        """The numbers of all rows of the runs, one after the other."""
        lengths = lengths_of(self._cls, self.counts)
        ends = np.cumsum(lengths)
        first = np.repeat(self.starts - (ends - lengths), lengths)
        places: NDArray[int64] = first + np.arange(first.size)
        return places

    def are_as_they_were(self) -> bool:
        """Whether the rows have these runs still, with the same contents."""
        columns = self._cls._columns
        return bool(
            np.array_equal(columns.row_of_block("_start")[self.rows], self.starts)
            and np.array_equal(columns.row_of_block("_count")[self.rows], self.counts)
            and np.array_equal(POOLS[self._cls].data[self._places()], self.contents)
        )

    def put_back(self) -> None:
        """Give the rows these contents again, in other runs where theirs were given away."""
        if self.are_as_they_were():
            return
        pool, columns = POOLS[self._cls], self._cls._columns
        starts, counts = columns.row_of_block("_start"), columns.row_of_block("_count")
        begin = 0
        if columns.tracked:
            columns.mark_written(self.rows)
        lengths = lengths_of(self._cls, self.counts).tolist()
        for row, count, length in zip(self.rows.tolist(), self.counts.tolist(), lengths, strict=True):
            run = self.contents[begin : begin + length]
            begin += length
            start = int(starts[row])
            if int(counts[row]) != count:
                before = start, int(counts[row])
                start = pool.allocate(count)
                pool.put(start, run)
                starts[row], counts[row] = start, count
                # Last, as everywhere: an interrupt leaves none with what another may be given.
                pool.release(*before)
            else:
                pool.put(start, run)


def lengths_of(cls: type[Component], counts: NDArray[int64]) -> NDArray[int64]:
    """The numbers of rows in runs; runs of segments of chains have more rows than vertices."""
    if cls is not PolygonCollider:
        return counts
    lengths: NDArray[int64] = np.where(counts == SEGMENT_VERTICES, SEGMENT_ROWS, counts)
    return lengths


def refuse_other_runs(cls: type[Component], runs: Any, total: int, is_closed: NDArray[int64]) -> None:
    """ValueError for counts and contents of runs that no component of a class could have."""
    if type(runs) is not tuple or len(runs) != 2:
        raise ValueError(f"the snapshot's {cls.__name__} must have counts and contents of its runs")
    counts, contents = runs
    refuse_other_array(f"{cls.__name__} counts", counts, int64, total)
    refuse_numbers_beyond(f"{cls.__name__} counts", counts, 2, len(contents))
    columns = POOLS[cls].data.shape[1]
    refuse_other_array(f"{cls.__name__} contents", contents, np.float64, int(counts.sum()), columns)
    begin = 0
    for count, closed in zip(counts.tolist(), is_closed.tolist(), strict=True):
        run = contents[begin : begin + count]
        begin += count
        made = _made_anew(cls, list(map(tuple, run[:, :2].tolist())), bool(closed))
        if made.shape != run.shape or made.tobytes() != run.tobytes():
            raise ValueError(f"the snapshot has a {cls.__name__} whose run does not fit its points")


def _made_anew(cls: type[Component], points: list[Any], closed: bool) -> NDArray[Any]:
    """The contents of the run of a new component with these points."""
    if cls is PolygonCollider:
        made: Any = PolygonCollider(points)
        pool: Any = VERTEX_POOL
    else:
        made, pool = PathTrajectory(points[: len(points) - closed], 0.0, closed), WAYPOINT_POOL
    run: NDArray[Any] = pool.data[made._start : made._start + made._count].copy()
    return run

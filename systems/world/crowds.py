"""Errors for more colliders in one place than can be paired."""

from __future__ import annotations

from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.crowd import find_crowd
from ecsphys.engine.broadphase.pair_table import MOST_PAIRS


def crowd_error(entities: NDArray[int64], boxes: NDArray[float64]) -> RuntimeError:
    """For a broadphase: ``entities`` and ``boxes`` (n, 4) of all colliders."""
    row, count = find_crowd(boxes, boxes)
    return RuntimeError(
        f"more than {MOST_PAIRS:,} pairs of colliders are too close together: the box of entity"
        f" {int(entities[row])}, near"
        f" {_centre(boxes[row])}, overlaps {count - 1:,} other boxes; move some apart or delete some, then step again"
    )


def bullets_error(entities: NDArray[int64], paths: NDArray[float64], boxes: NDArray[float64]) -> RuntimeError:
    """For bullets: their ``entities``, and the boxes (k, 4) round their ``paths``, which meet too many of ``boxes``."""
    row, count = find_crowd(paths, boxes)
    return RuntimeError(
        f"more than {MOST_PAIRS:,} pairs of a bullet and a collider may meet in this step: the path of entity"
        f" {int(entities[row])}, near {_centre(paths[row])}, overlaps the boxes of {count:,} colliders;"
        " use fewer or slower bullets"
    )


def queries_error(queries: NDArray[float64], boxes: NDArray[float64]) -> RuntimeError:
    """For queries with ``queries`` (k, 4) for boxes."""
    row, count = find_crowd(queries, boxes)
    return RuntimeError(
        f"the queries overlap the boxes of colliders more than {MOST_PAIRS:,} times: the query in row {row} overlaps"
        f" {count:,} of {len(boxes):,} boxes; make fewer queries in one call"
    )


def rays_error(count: int) -> RuntimeError:
    """For a call for all hits of ``count`` rays."""
    return RuntimeError(f"the {count:,} rays have more than {MOST_PAIRS:,} hits: cast fewer in one call")


def _centre(box: NDArray[float64]) -> str:
    min_x, min_y, max_x, max_y = (0.5 * box).tolist()
    return f"({min_x + max_x:.6g}, {min_y + max_y:.6g})"

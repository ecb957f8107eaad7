"""The impacts to come, the earliest first: a binary heap of pairs, which knows the place of each.

``heap`` (m,) holds the pairs in the queue, ``places`` (m,) where each is in it, −1 where it is not. The times are
the first column of ``impacts``; of two at one time the lower pair comes first, so that the order depends on nothing but
times and numbers.
"""

from __future__ import annotations

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import scalar

TIME = 0


@scalar
def _comes_before(k: int, other: int, impacts: NDArray[float64]) -> bool:
    return impacts[k, TIME] < impacts[other, TIME] or (impacts[k, TIME] == impacts[other, TIME] and k < other)


@scalar
def settle(place: int, count: int, heap: NDArray[int32], places: NDArray[int32], impacts: NDArray[float64]) -> None:
    """Bring the pair at a place of the queue, the only one whose time has changed, to where it belongs."""
    k = heap[place]
    while place > 0 and _comes_before(k, heap[(place - 1) // 2], impacts):
        heap[place] = heap[(place - 1) // 2]
        places[heap[place]] = place
        place = (place - 1) // 2
    child = 2 * place + 1
    while child < count:
        if child + 1 < count and _comes_before(heap[child + 1], heap[child], impacts):
            child += 1
        if not _comes_before(heap[child], k, impacts):
            break
        heap[place] = heap[child]
        places[heap[place]] = place
        place = child
        child = 2 * place + 1
    heap[place] = k
    places[k] = place


@scalar
def put(k: int, count: int, heap: NDArray[int32], places: NDArray[int32], impacts: NDArray[float64]) -> int:
    """Put pair k, whose time is new, in its place among the ``count`` in the queue; returns how many there are then."""
    if places[k] >= 0:
        settle(int(places[k]) + 0, count, heap, places, impacts)
        return count
    heap[count] = k
    settle(count, count + 1, heap, places, impacts)
    return count + 1


@scalar
def take_first(count: int, heap: NDArray[int32], places: NDArray[int32], impacts: NDArray[float64]) -> int:
    """Take the earliest pair out of the ``count`` > 0 in the queue."""
    first = int(heap[0]) + 0
    places[first] = -1
    if count > 1:
        heap[0] = heap[count - 1]
        settle(0, count - 1, heap, places, impacts)
    return first

"""Sorting a few numbers, or many, in place, and looking up a number among others that ascend."""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import scalar

# Up to so many numbers are put in one by one.
_FEW = 32


@scalar
def find_number(numbers: NDArray[int64], number: int) -> int:
    """The place of a number among others, ascending; −1 where it is not."""
    low = 0
    high = int(numbers.shape[0])
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] == number:
            return middle
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return -1


@scalar
def sort_numbers(numbers: NDArray[int64], count: int) -> None:
    """Sort the first numbers, ascending."""
    if count > _FEW:
        _sort_heap(numbers, count)
        return
    for k in range(1, count):
        number = numbers[k]
        place = k
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


@scalar
def _sort_heap(numbers: NDArray[int64], count: int) -> None:
    """Heapsort (Williams 1964, Floyd 1964): never more than a multiple of n · log n, whatever the order."""
    for top in range(count // 2 - 1, -1, -1):
        _sift(numbers, top, count)
    for end in range(count - 1, 0, -1):
        numbers[0], numbers[end] = numbers[end], numbers[0]
        _sift(numbers, 0, end)


@scalar
def _sift(numbers: NDArray[int64], top: int, end: int) -> None:
    """Let a number sink below the larger ones under it."""
    number = numbers[top]
    while 2 * top + 1 < end:
        child = 2 * top + 1
        if child + 1 < end and numbers[child + 1] > numbers[child]:
            child += 1
        if numbers[child] <= number:
            break
        numbers[top] = numbers[child]
        top = child
    numbers[top] = number

"""Sorting numbers in place, and looking up a number among others that ascend."""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import scalar


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
def sort_numbers(numbers: NDArray[int64], first: int, end: int) -> None:
    """Sort the numbers ``first`` … ``end − 1``, ascending.

    Shell's method ("A high-speed sorting procedure", 1959) with Knuth's gaps: most often they are few.
    """
    gap = 1
    while 3 * gap < end - first:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(first + gap, end):
            number = numbers[k]
            place = k
            while place - gap >= first and numbers[place - gap] > number:
                numbers[place] = numbers[place - gap]
                place -= gap
            numbers[place] = number
        gap //= 3


@scalar
def sort_distinct(numbers: NDArray[int64], first: int, end: int) -> int:
    """Sort the numbers ``first`` … ``end − 1`` and leave each once; returns where they end then."""
    sort_numbers(numbers, first, end)
    kept = first
    for k in range(first, end):
        if kept == first or numbers[k] != numbers[kept - 1]:
            numbers[kept] = numbers[k]
            kept += 1
    return kept

"""Looking up a number among others that ascend."""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import scalar


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

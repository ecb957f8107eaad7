"""The memory of particles: parallel arrays that grow in bulk and are compacted in bulk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.capacity import Capacity

_FIRST_CAPACITY = 256


class ParticlePool:
    """``len(pool)`` particles in parallel arrays, the oldest first.

    The arrays are views of blocks with room for more, valid until particles are added or removed: ``position`` and
    ``velocity`` (n, 2), ``age``, ``lifetime``, ``gravity_scale`` and ``drag`` (n,), all float64, and ``style`` (n,)
    int64.
    """

    __slots__ = ("_blocks", "_capacity", "_count")

    def __init__(self) -> None:
        self._count = 0
        self._capacity = Capacity()
        pairs = [np.empty((_FIRST_CAPACITY, 2), float64) for _ in range(2)]
        singles = [np.empty(_FIRST_CAPACITY, float64) for _ in range(4)]
        self._blocks: list[NDArray[Any]] = [*pairs, *singles, np.empty(_FIRST_CAPACITY, int64)]

    def __len__(self) -> int:
        return self._count

    @property
    def position(self) -> NDArray[float64]:
        return self._blocks[0][: self._count]

    @property
    def velocity(self) -> NDArray[float64]:
        return self._blocks[1][: self._count]

    @property
    def age(self) -> NDArray[float64]:
        return self._blocks[2][: self._count]

    @property
    def lifetime(self) -> NDArray[float64]:
        return self._blocks[3][: self._count]

    @property
    def gravity_scale(self) -> NDArray[float64]:
        return self._blocks[4][: self._count]

    @property
    def drag(self) -> NDArray[float64]:
        return self._blocks[5][: self._count]

    @property
    def style(self) -> NDArray[int64]:
        return self._blocks[6][: self._count]

    def add(self, count: int, *values: NDArray[Any] | float) -> None:
        """Append ``count`` particles; ``values`` in the order of the arrays above, each of its shape or one for all."""
        first, total = self._count, self._count + count
        self._make_room(total)
        for block, value in zip(self._blocks, values, strict=True):
            block[first:total] = value
        self._count = total

    def keep(self, chosen: NDArray[bool_]) -> None:
        """Remove all particles but the ``chosen`` (n,), which keep their order."""
        self._make_room(self._count)
        if chosen.all():
            return
        survivors = np.flatnonzero(chosen)
        for block in self._blocks:
            # take makes a copy first, so source and target may overlap.
            block[: survivors.size] = block.take(survivors, axis=0)
        self._count = survivors.size

    def _make_room(self, total: int) -> None:
        """Have room for as many, but not far more for long."""
        held = len(self._blocks[0])
        capacity = self._capacity.choose(total, held)
        if capacity != held:
            self._blocks = [_resized(block, self._count, capacity) for block in self._blocks]


def _resized(block: NDArray[Any], used: int, capacity: int) -> NDArray[Any]:
    resized = np.empty((capacity, *block.shape[1:]), block.dtype)
    resized[:used] = block[:used]
    return resized

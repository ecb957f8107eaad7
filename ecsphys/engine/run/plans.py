"""Plans: kernels that run one after the other in one call, and what stops them.

A kernel of a plan takes a record and returns a *status*. 0 means that it is done. Any other number stops the plan:
Python does what the kernel asks for, such as to make room in an array, and goes on with the same kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ecsphys.engine.kernels.array_types import Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import COMPILES, kernel
from ecsphys.engine.kernels.kernel_calls import address_of, status_of

DONE: Final = 0

# A status is less than this.
_STATUSES: Final = 256

Step = Callable[[Any], int]


@packed
class PlannedKernels(NamedTuple):
    """The addresses (n,) of the kernels of a plan, in their order."""

    addresses: Int64s


@kernel
def run_kernels(planned: PlannedKernels, record: int, first: int) -> int:
    """Run the kernels from the ``first`` on with the record at an address.

    Returns −1 if all are done, else the place of the kernel that stopped · 256 + its status.
    """
    for place in range(first, planned.addresses.shape[0]):
        status = status_of(planned.addresses[place], record)
        if status != 0:
            return place * 256 + status
    return -1


class Stop(NamedTuple):
    """Where a plan has stopped: the ``place`` of the kernel, and its ``status``."""

    place: int
    status: int


class Plan:
    """Some kernels that run one after the other."""

    __slots__ = ("_kernels", "_planned")

    def __init__(self, kernels: Sequence[Step]) -> None:
        self._kernels = tuple(kernels)
        self._planned: PlannedKernels | None = None

    def __len__(self) -> int:
        return len(self._kernels)

    def load(self) -> PlannedKernels:
        """The kernels' addresses; kernels that are not there yet are loaded or compiled first."""
        if self._planned is None:
            addresses = [address_of(kernel) for kernel in self._kernels]
            self._planned = PlannedKernels(np.array(addresses, np.int64))
        return self._planned

    if COMPILES:

        def run(self, record: Any, first: int = 0) -> Stop | None:
            """Run the kernels from the ``first`` on, in one call; returns where they have stopped, None at the end."""
            stop = run_kernels(self._planned or self.load(), record.address, first)
            return None if stop < 0 else Stop(*divmod(stop, _STATUSES))

    else:

        def run(self, record: Any, first: int = 0) -> Stop | None:
            """Run the kernels from the ``first`` on, in one call; returns where they have stopped, None at the end."""
            for place in range(first, len(self._kernels)):
                status = self._kernels[place](record)
                if status != DONE:
                    return Stop(place, status)
            return None

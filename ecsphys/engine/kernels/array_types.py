"""Types of arrays for annotations: what numpy's own leave open, the number of dimensions.

Kernels are compiled for the types of their annotations (:mod:`ecsphys.engine.kernels.bundles`). To a type checker each
of these is the plain ``NDArray``. An array of records whose rows are read whole is annotated beside its dtype:
``Annotated[NDArray[np.void], Layout(DTYPE, 1)]``.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy import float32, float64, int32, int64, uint8, uint32
from numpy.typing import DTypeLike, NDArray

from ecsphys.engine.kernels.building import NamedTuple


class Layout(NamedTuple):
    """The type of an array that lies in memory without gaps, row by row."""

    dtype: DTypeLike
    dimensions: int


Float64s = Annotated[NDArray[float64], Layout(float64, 1)]
Float64Rows = Annotated[NDArray[float64], Layout(float64, 2)]
Float64Blocks = Annotated[NDArray[float64], Layout(float64, 3)]
Float32Blocks = Annotated[NDArray[float32], Layout(float32, 3)]
Int64s = Annotated[NDArray[int64], Layout(int64, 1)]
Int64Rows = Annotated[NDArray[int64], Layout(int64, 2)]
Int32s = Annotated[NDArray[int32], Layout(int32, 1)]
Int32Rows = Annotated[NDArray[int32], Layout(int32, 2)]
Uint32s = Annotated[NDArray[uint32], Layout(uint32, 1)]
Uint32Rows = Annotated[NDArray[uint32], Layout(uint32, 2)]
Uint8Rows = Annotated[NDArray[uint8], Layout(uint8, 2)]
Uint8s = Annotated[NDArray[uint8], Layout(uint8, 1)]


def record(floats: str, wholes: str = "") -> np.dtype[np.void]:
    """A record of float64 and int64 fields with these names, for kernels that read ``rows[k].name``."""
    return np.dtype([(name, float64) for name in floats.split()] + [(name, int64) for name in wholes.split()])

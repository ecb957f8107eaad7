"""The vocabulary of the engine's modules: decorators of kernels, types of arrays, bundles, buffers and intrinsics."""

# The library first, before numpy: numpy cannot tell why a second interpreter fails.
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar  # isort: skip
from ecsphys.engine.kernels.array_types import (
    Float32Blocks,
    Float64Blocks,
    Float64Rows,
    Float64s,
    Int32Rows,
    Int32s,
    Int64Rows,
    Int64s,
    Layout,
    Uint8Rows,
    Uint8s,
    Uint32Rows,
    Uint32s,
    record,
)
from ecsphys.engine.kernels.buffers import Capacity, aligned_zeros, grown, zeros_of
from ecsphys.engine.kernels.building import IS_BUILDING, NamedTuple
from ecsphys.engine.kernels.bundles import address_of, are_same, packed
from ecsphys.engine.kernels.intrinsics import index, lowest_bit, prefetch, scratch

__all__ = [
    "IS_BUILDING",
    "Capacity",
    "Float32Blocks",
    "Float64Blocks",
    "Float64Rows",
    "Float64s",
    "Int32Rows",
    "Int32s",
    "Int64Rows",
    "Int64s",
    "Layout",
    "NamedTuple",
    "Uint8Rows",
    "Uint8s",
    "Uint32Rows",
    "Uint32s",
    "address_of",
    "aligned_zeros",
    "are_same",
    "grown",
    "index",
    "inlined_scalar",
    "kernel",
    "lowest_bit",
    "packed",
    "prefetch",
    "record",
    "scalar",
    "scratch",
    "zeros_of",
]

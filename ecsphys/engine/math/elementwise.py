"""Arrays of numbers: the check of a game's numbers, and elementary functions of whole arrays.

Numpy's own functions differ with the processor: it has other code for each generation.
"""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np
from numpy import float64
from numpy.ma import is_masked
from numpy.typing import NDArray

from ecsphys.engine.kernels import Float64s, kernel
from ecsphys.engine.math.elementary import atan2, cos_sin, exp, expm1, log


def real_array(name: str, value: Any, shape: str) -> NDArray[float64]:
    """An array-like of integers or floats as contiguous float64, in its own shape.

    ``shape`` says in the message which one is wanted. TypeError for anything else, complex numbers and bools too. What
    is too large for float64 is infinite.
    """
    if type(value) is np.ndarray and value.dtype == float64:
        return np.asarray(value, order="C")
    if type(value) is float:
        return np.array(value)
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.zeros(1, object)
    if (array.dtype.kind not in "iuf" and array.size) or is_masked(value):
        raise TypeError(f"{name} must be real numbers of shape {shape}, got {reprlib.repr(value)}")
    with np.errstate(over="ignore"):
        return np.asarray(array, float64, order="C")


def real_number(name: str, value: Any) -> float:
    """One number; TypeError for anything else."""
    array = real_array(name, value, "(), one number")
    if array.ndim:
        raise TypeError(f"{name} must be one number, got {reprlib.repr(value)}")
    return float(array)


Reals = NDArray[float64]

# Where squares neither overflow nor vanish.
_SMALL, _LARGE = 1e-140, 1e150
_UP, _DOWN = 2.0**600, 2.0**-600


@kernel
def turn_all(angles: Float64s, cosines: Float64s, sines: Float64s) -> None:
    """The cosine and the sine of each angle (n,)."""
    for k in range(angles.shape[0]):
        cosines[k], sines[k] = cos_sin(angles[k])


@kernel
def aim_all(y: Float64s, x: Float64s, angles: Float64s) -> None:
    """The angle of each vector (n,)."""
    for k in range(y.shape[0]):
        angles[k] = atan2(y[k], x[k])


_EXP, _EXPM1, _LOG = range(3)


@kernel
def apply_to_all(function: int, numbers: Float64s, results: Float64s) -> None:
    """e^x, e^x − 1 or the natural logarithm of each number (n,)."""
    for k in range(numbers.shape[0]):
        if function == _EXP:
            results[k] = exp(numbers[k])
        elif function == _EXPM1:
            results[k] = expm1(numbers[k])
        else:
            results[k] = log(numbers[k])


def exp_of(numbers: NDArray[Any]) -> Reals:
    """e^x of numbers in an array of any shape."""
    return _of_each(_EXP, numbers)


def expm1_of(numbers: NDArray[Any]) -> Reals:
    """e^x − 1 of numbers in an array of any shape."""
    return _of_each(_EXPM1, numbers)


def log_of(numbers: NDArray[Any]) -> Reals:
    """The natural logarithms of numbers in an array of any shape."""
    return _of_each(_LOG, numbers)


def _of_each(function: int, numbers: NDArray[Any]) -> Reals:
    flat = np.ascontiguousarray(numbers, float64).reshape(-1)
    results = np.empty_like(flat)
    apply_to_all(function, flat, results)
    return results.reshape(np.shape(numbers))


def cos_sin_of(angles: NDArray[Any]) -> tuple[Reals, Reals]:
    """The cosines and the sines of angles in radians, in an array of any shape."""
    flat = np.ascontiguousarray(angles, float64).reshape(-1)
    cosines, sines = np.empty_like(flat), np.empty_like(flat)
    turn_all(flat, cosines, sines)
    return cosines.reshape(np.shape(angles)), sines.reshape(np.shape(angles))


def lengths_of(x: NDArray[Any], y: NDArray[Any]) -> Reals:
    """√(x² + y²) of numbers of any size, element by element."""
    largest = np.maximum(np.abs(x), np.abs(y))
    scale = np.where(largest > _LARGE, _DOWN, np.where(largest < _SMALL, _UP, 1.0))
    x, y = x * scale, y * scale
    lengths: Reals = np.sqrt(x * x + y * y) / scale
    return lengths


def angles_of(vectors: NDArray[Any]) -> Reals:
    """The angles (n,) of vectors (n, 2)."""
    x, y = np.ascontiguousarray(np.asarray(vectors, float64).T)
    angles: Reals = np.empty_like(x)
    aim_all(y, x, angles)
    return angles

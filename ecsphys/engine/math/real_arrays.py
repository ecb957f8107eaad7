"""The check of numbers that a game gives as an array: numpy alone drops imaginary parts, masks and units of time."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np
from numpy import float64
from numpy.ma import is_masked
from numpy.typing import NDArray


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

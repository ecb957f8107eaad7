"""Arrays that the game may read, but not write."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def read_only(array: Array) -> Array:
    """A view of an array that cannot be written through; the array itself stays as it is."""
    shown = array.view()
    shown.flags.writeable = False
    return shown

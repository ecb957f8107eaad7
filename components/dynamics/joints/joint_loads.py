"""The loads of joints: force and torque of the last step, by the rows of their components."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import float64
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ecsphys.components.store.component import Component

FORCE_X, FORCE_Y, TORQUE = range(3)
LOAD_COLUMNS = 3

# For each class (rows, LOAD_COLUMNS); rows beyond carry nothing.
_loads: dict[type[Component], NDArray[float64]] = {}
_NONE: NDArray[float64] = np.zeros((0, LOAD_COLUMNS))


def load_of(joint: Component) -> tuple[float, float, float]:
    """Force (x, y) and torque of a joint in the last step."""
    loads = _loads.get(type(joint), _NONE)
    if joint._row >= len(loads):
        return 0.0, 0.0, 0.0
    x, y, torque = loads[joint._row].tolist()
    return x, y, torque


def read_loads(cls: type[Component], rows: NDArray[np.int32] | slice) -> NDArray[float64]:
    """The loads (k, LOAD_COLUMNS) of some rows of a class, by their numbers (k,) or as a slice."""
    found: NDArray[float64] = loads_of_class(cls)[rows]
    return found


def loads_of_class(cls: type[Component]) -> NDArray[float64]:
    """The loads (rows, LOAD_COLUMNS) of a class; the same array until the class has room for more rows."""
    held = _loads.get(cls, _NONE)
    if len(held) < cls._columns.capacity:
        held = np.concatenate((held, np.zeros((cls._columns.capacity - len(held), LOAD_COLUMNS))))
        _loads[cls] = held
    return held


def write_loads(cls: type[Component], rows: NDArray[np.int32] | slice, loads: NDArray[float64] | float) -> None:
    """Set the loads (k, LOAD_COLUMNS) of some rows of a class, by their numbers (k,) or as a slice."""
    loads_of_class(cls)[rows] = loads

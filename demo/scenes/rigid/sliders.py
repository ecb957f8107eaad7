"""Parameters that change a material of many bodies at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import Physics, RigidBody
from ecsphys.demo.scenes.parameter import Parameter


def material(
    physics: Physics, name: str, field: str, bodies: Sequence[int], choices: Sequence[float], form: str = "{:g}"
) -> Parameter:
    """A field of the ``RigidBody`` of dynamic bodies that are all alike in it; a change wakes them."""

    def get() -> float:
        return float(RigidBody.column(field, writable=False)[_rows(bodies)[1][0]])

    def put(value: float) -> None:
        present, rows = _rows(bodies)
        RigidBody.column(field)[rows] = value
        physics.bodies.wake(present)

    return Parameter(name, get, put, choices, form)


def _rows(bodies: Sequence[int]) -> tuple[NDArray[int64], NDArray[int64]]:
    """The entities that still exist, and the rows of their ``RigidBody``."""
    entities, rows = ecsphys.join(RigidBody)
    wanted = np.isin(entities, bodies)
    return entities[wanted], rows[wanted]

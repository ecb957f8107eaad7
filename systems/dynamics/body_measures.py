"""What follows from the masses of bodies."""

from __future__ import annotations

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.dynamics.body_mass import OWN_INVERSE_INERTIA, OWN_INVERSE_MASS


def refuse_weightless(masses: NDArray[float64], numbers: NDArray[int64]) -> None:
    """ValueError naming the first body, by its entity, so light that an impulse gives it no finite velocity."""
    inverses = masses[:, [OWN_INVERSE_MASS, OWN_INVERSE_INERTIA]]
    if np.isfinite(inverses).all():
        return
    row, column = np.argwhere(~np.isfinite(inverses))[0].tolist()
    what = ("mass", "inertia")[column]
    raise ValueError(f"entity {numbers[row]}: the {what} of its body must be larger, 1/{what} is infinite")


def rolling_radii(masses: NDArray[float64]) -> NDArray[float64]:
    """The radii (n,) of the discs that turn as bodies do, from r² = 2·inertia/mass; 0 for what does not turn."""
    turns = masses[:, OWN_INVERSE_INERTIA] > 0.0
    radii = np.zeros(len(turns))
    radii[turns] = np.sqrt(2.0 * masses[turns, OWN_INVERSE_MASS] / masses[turns, OWN_INVERSE_INERTIA])
    return radii

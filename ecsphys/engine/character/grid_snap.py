"""Characters on whole pixels: where a level or upright surface stops one, its skin is left out of its coordinates.

Only where it is shown is on the grid. The next move begins where the character really is, a skin away from what it
touches: so it moves as one without a grid does.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.character.mover import AHEAD, CONTACT_NORMAL, CONTACTS, OF_MOVE, SKIN, Mover, X
from ecsphys.engine.character.solid_casts import ALL, cast, least_gap
from ecsphys.engine.kernels.compilation import scalar

# In skins: how far from the grid a character may be that is put on it.
_MOST_SNAP = 4.0

# How much a surface may lean.
_LEVEL = 1e-9


@scalar
def snap_to_grid(mover: Mover, pool: NDArray[float64], grid: float, place: float, last: float, axis: int) -> float:
    """Put a coordinate, X or Y, on a multiple of ``grid`` where a surface across it was touched; returns by how much.

    ``place`` is the coordinate of the transform before the move, which ``last`` was added to after the move before: it
    stays on the grid as long as it does not move. Where it would overlap a solid there, nothing is done.
    """
    state, contacts = mover.state, mover.contacts
    is_stopped = last != 0.0 and state[X + axis] == -last
    for k in range(mover.counts[CONTACTS + OF_MOVE]):
        is_stopped |= abs(contacts[OF_MOVE, k, CONTACT_NORMAL + axis]) >= 1.0 - _LEVEL
    if not is_stopped:
        return 0.0
    before = state[X + axis]
    on_grid = math.floor((place + before) / grid + 0.5) * grid
    if not abs(on_grid - (place + before)) <= _MOST_SNAP * state[SKIN]:
        return 0.0
    after = on_grid - place
    # So that the sum is the very multiple.
    after += on_grid - (place + after)
    state[X + axis] = after
    cast(mover, pool, ALL, 0.0, 0.0, AHEAD)
    if least_gap(mover, AHEAD) < 0.0:
        state[X + axis] = before
        return 0.0
    return float(after - before)

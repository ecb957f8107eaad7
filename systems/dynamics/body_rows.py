"""Rows of bodies: new ones, and what of the old ones is carried to them."""

from __future__ import annotations

import numpy as np
from numpy import bool_, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.dynamics.body_mass import MASS_COLUMNS
from ecsphys.engine.dynamics.body_state import ARM_COLUMNS, FORCE_COLUMNS, BodyList
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE, SleepStates
from ecsphys.systems.world.entity_table import Slots


def run_of(rows: Slots) -> slice | Slots:
    """Ascending rows as a slice where they follow each other, which is many times faster to read and write."""
    count = len(rows)
    is_run = count > 0 and int(rows[-1]) - int(rows[0]) == count - 1
    return slice(int(rows[0]), int(rows[-1]) + 1) if is_run else rows


def new_list(kind: NDArray[uint8], rows: NDArray[int32], owners: Slots) -> BodyList:
    return BodyList(
        kind,
        np.ascontiguousarray(rows),
        owners.astype(int32, copy=False),
        np.zeros((kind.size, MASS_COLUMNS)),
        np.zeros((kind.size, FORCE_COLUMNS)),
        np.full((kind.size, ARM_COLUMNS), np.nan),
    )


def new_states(count: int) -> SleepStates:
    return SleepStates(
        np.zeros(count),
        np.full(count, AWAKE, int32),
        np.zeros((count, 3)),
        np.zeros(count, int32),
        np.zeros(count, uint8),
        np.zeros(count, uint8),
        np.zeros(count, int32),
        np.zeros((0, 2), int32),
    )


def carried_states(old: SleepStates, before: Slots, now: Slots, count: int) -> SleepStates:
    """The states of bodies that have other rows ``now``; an island that has lost one is awake."""
    states = new_states(count)
    old_rows, new_rows = run_of(before), run_of(now)
    states.slow_for[new_rows] = old.slow_for[old_rows]
    states.accelerations[new_rows] = old.accelerations[old_rows]
    states.touching[new_rows] = old.touching[old_rows]
    place: Slots = np.full(len(old.island), AWAKE, int32)
    place[before] = now
    island = old.island
    lost = np.flatnonzero((island != AWAKE) & (place == AWAKE))
    is_broken = np.zeros(len(island), bool_)
    is_broken[island[lost]] = True
    asleep = island[before] != AWAKE
    before, now = before[asleep], now[asleep]
    whole = ~is_broken[island[before]]
    states.island[now[whole]] = place[island[before[whole]]]
    states.slow_for[now[~whole]] = 0.0
    return states

"""The contacts of the last step: what pairs up with the next step's, and what a solver has left with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.contacts.contact_points import ContactPoints
from ecsphys.engine.contacts.hit_tracking import EndedRows, HitRows
from ecsphys.systems.collision.step_hits import StepHits

if TYPE_CHECKING:
    from ecsphys.systems.collision.hit_listeners import HitListeners
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.snapshot.kept_arrays import KeptArrays

_HITS: Final = tuple(f"contacts.{name}" for name in HitRows._fields)
_POINTS: Final = tuple(f"points.{name}" for name in ContactPoints._fields)
_ENDED: Final = tuple(f"ended.{name}" for name in HitRows._fields)
PAIRS: Final = "contacts.pairs"
REST: Final = "contacts.rest"


def take_contacts(found: StepHits, arrays: KeptArrays) -> None:
    """Copy the contacts of a step, and its hits that ended."""
    buffer, count = found.buffer, found.contact_count
    hits, points = buffer.table
    _keep(hits, arrays, _HITS, slice(count))
    if buffer.has_points:
        _keep(points, arrays, _POINTS, slice(count))
    arrays.keep("suppressed", buffer.suppressed_rows(count))
    ended = found.ended_rows
    arrays.keep("ended.reasons", ended.reasons)
    if ended.rows.size:
        hits, points = found.last.table
        _keep(hits, arrays, _ENDED, ended.rows)
        arrays.keep("ended.totals", points.totals[ended.rows] if found.last.has_points else points.totals)


def put_contacts(state: PhysicsState, token: object, arrays: KeptArrays, listeners: HitListeners) -> StepHits:
    """The outcome of a step with these contacts, whose events have been sent; in buffers of the tracker."""
    tracker = state.hits
    count, ended_count = len(arrays[PAIRS]), len(arrays["ended.reasons"])
    buffer = tracker.room_for(count, None)
    hits, points = buffer.table
    _write(hits, arrays, _HITS, count)
    _write(points, arrays, _POINTS, count)
    buffer.forget_suppressed()
    for row in arrays["suppressed"].tolist():
        buffer.suppress(row)
    last = tracker.room_for(ended_count, buffer)
    if ended_count:
        hits, points = last.table
        _write(hits, arrays, _ENDED, ended_count)
        hits.rest[:ended_count] = 0
        if last.has_points:
            points.totals[:ended_count] = arrays["ended.totals"]
    found = StepHits(
        token,
        buffer,
        count,
        bool(buffer.is_near[:count].any()),
        last,
        EndedRows(np.arange(ended_count), arrays["ended.reasons"].copy()),
        listeners,
        tracker.owners,
    )
    found.delivery.leave_out()
    return found


def _keep(
    table: tuple[NDArray[Any], ...], arrays: KeptArrays, names: tuple[str, ...], rows: slice | NDArray[int64]
) -> None:
    for name, array in zip(names, table, strict=True):
        arrays.keep(name, array[rows])


def _write(table: tuple[NDArray[Any], ...], arrays: KeptArrays, names: tuple[str, ...], count: int) -> None:
    for array, name in zip(table, names, strict=True):
        if len(array):
            array[:count] = arrays[name]

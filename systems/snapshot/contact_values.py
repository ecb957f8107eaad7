"""The contacts of the last step: the data that match them with the next step, and the data of the solver."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.contacts.contact_points import TOTAL_COLUMNS, ContactPoints
from ecsphys.engine.contacts.contact_table import HitRows
from ecsphys.engine.contacts.hit_tracking import SEPARATED, EndedRows
from ecsphys.engine.dynamics.strikes import STRIKE_COLUMNS, StrikeRoom
from ecsphys.engine.shapes.layout import KIND_CHAIN
from ecsphys.engine.tables.row_copies import Memory, copy_rows, memory_of
from ecsphys.systems.hits.step_hits import ContactBuffer, HitCounts, StepHits
from ecsphys.systems.hits.strikes import NO_STRIKES, ToldStrikes, used_part
from ecsphys.systems.snapshot.saved_checks import refuse_numbers_beyond, refuse_other_array, refuse_others

if TYPE_CHECKING:
    from ecsphys.systems.hits.hit_listeners import HitListeners
    from ecsphys.systems.physics_state import PhysicsState

Arrays = dict[str, NDArray[Any]]

# Rows more than are needed: what grows a little from step to step finds room.
_SPARE: Final = 16
# Memory beyond this multiple of the needed size is given back.
_MOST: Final = 8

_NO_ROWS: Final[NDArray[int64]] = np.zeros(0, int64)
_NO_TOTALS: Final[NDArray[float64]] = np.zeros((0, TOTAL_COLUMNS))


class _Kept(NamedTuple):
    """Copies of the rows of some arrays: ``arrays`` have room for ``capacity`` rows, ``size`` are in use."""

    arrays: tuple[NDArray[Any], ...]
    memory: Memory
    capacity: int
    size: int

    @classmethod
    def room_for(cls, like: tuple[NDArray[Any], ...], count: int, last: _Kept | None) -> _Kept:
        """Room for so many rows, in ``last`` if that fits."""
        if last is not None and count <= last.capacity <= _MOST * (count + _SPARE):
            return last._replace(size=count)
        capacity = count + count // 4 + _SPARE
        arrays = tuple([np.empty((capacity, *array.shape[1:]), array.dtype) for array in like])
        return cls(arrays, memory_of(arrays), capacity, count)

    def used(self, fields: tuple[str, ...]) -> Arrays:
        """The rows in use, by the names of the arrays."""
        return {name: array[: self.size] for name, array in zip(fields, self.arrays, strict=True)}

    @classmethod
    def of_arrays(cls, what: str, named: Any, like: Any) -> _Kept:
        """Arrays that were read, by name, of the types and shapes of others; ValueError for others."""
        refuse_others(what, named, dict.fromkeys(like._fields, (np.ndarray,)))
        count = len(next(iter(named.values())))
        for name, array in zip(like._fields, like, strict=True):
            refuse_other_array(f"{what}' {name}", named[name], array.dtype, count, *array.shape[1:])
        room = cls.room_for(like, count, None)
        for array, name in zip(room.arrays, like._fields, strict=True):
            array[:count] = named[name]
        return room


_OF_TREE: Final[dict[str, tuple[type, ...]]] = {
    "contacts": (dict,),
    "points": (dict, type(None)),
    "ended": (dict,),
    "reasons": (np.ndarray,),
    "totals": (np.ndarray,),
    "suppressed": (np.ndarray,),
    "strikes": (dict,),
    "pressed_for": (float,),
}
# What numbers may be, where they are used as indices or computed with.
_RANGES: Final = {
    "entity_a": (1, 2**62),
    "entity_b": (1, 2**62),
    "collider_a": (0, KIND_CHAIN),
    "collider_b": (0, KIND_CHAIN),
    "part_a": (-1, 2**31 - 1),
    "part_b": (-1, 2**31 - 1),
    "normal": (-2.0, 2.0),
    "depth": (-1e300, 1e300),
    "point_count": (0, 2),
    "is_new": (0, 1),
    "is_near": (0, 1),
    "sensor_a": (0, 1),
    "sensor_b": (0, 1),
}


_LIKE: Final = ContactBuffer(0, has_points=True).table


class KeptContacts:
    """Copies of the contacts of a step, of its hits that ended, and of what its game has noted of them.

    ``has_points``: also of what a solver needs of their points.
    """

    __slots__ = (
        "_ended",
        "_hits",
        "_points",
        "_pressed_for",
        "_reasons",
        "_strikes",
        "_suppressed",
        "_totals",
        "_untold",
        "has_points",
    )

    def __init__(self) -> None:
        self._hits = _Kept.room_for(_LIKE.hits, 0, None)
        self._ended = _Kept.room_for(_LIKE.hits, 0, None)
        self._points: _Kept | None = None
        self._reasons: NDArray[Any] = _NO_ROWS
        self._suppressed = _NO_ROWS
        self._untold: frozenset[tuple[int, int]] = frozenset()
        self._totals = _NO_TOTALS
        self._strikes = NO_STRIKES.left
        self._pressed_for = 0.0
        self.has_points = False

    def take(self, found: StepHits) -> None:
        """Copy the contacts of a step."""
        buffer, count = found.buffer, found.counts.contacts
        hits, points = buffer.memory
        self._hits = _Kept.room_for(_LIKE.hits, count, self._hits)
        copy_rows(hits, self._hits.memory, count)
        self.has_points = buffer.has_points
        if buffer.has_points:
            self._points = _Kept.room_for(_LIKE.points, count, self._points)
            copy_rows(points, self._points.memory, count)
        self._suppressed, self._untold = buffer.suppressed_rows(count), frozenset(buffer.untold)
        self._pressed_for = found.pressed_for
        self._strikes = used_part(found.strikes.left)
        rows, reasons = found.ended_rows
        self._ended = _Kept.room_for(_LIKE.hits, rows.size, self._ended)
        self._reasons, self._totals = _NO_ROWS, _NO_TOTALS
        if rows.size:
            self._reasons = reasons.copy()
            copy_rows(found.last.memory[0], self._ended.memory, rows.size, rows)
            if found.last.has_points:
                self._totals = found.last.table.points.totals[rows]

    def put(self, state: PhysicsState, listeners: HitListeners) -> StepHits:
        """The outcome of a step with these, whose events have been sent; in buffers of the tracker."""
        tracker = state.hits
        count, ended_count = self._hits.size, self._ended.size
        buffer = tracker.room_for(count, None)
        if buffer.has_points != self.has_points:
            buffer = ContactBuffer(count, self.has_points)
        copy_rows(self._hits.memory, buffer.memory[0], count)
        if self.has_points and self._points is not None:
            copy_rows(self._points.memory, buffer.memory[1], count)
        buffer.forget_suppressed()
        for row in self._suppressed.tolist():
            buffer.suppress(row)
        buffer.untold.update(self._untold)
        last = tracker.room_for(ended_count, buffer)
        if ended_count:
            copy_rows(self._ended.memory, last.memory[0], ended_count)
            hits, points = last.table
            hits.rest[:ended_count] = 0
            if last.has_points:
                points.totals[:ended_count] = self._totals
        is_near = buffer.is_near[:count]
        new = np.count_nonzero(buffer.columns.is_new[:count] & ~is_near)
        counts = HitCounts(count, int(np.count_nonzero(is_near)), int(new), ended_count)
        found = StepHits(
            state.token,
            buffer,
            counts,
            last,
            EndedRows(np.arange(ended_count), self._reasons.copy()),
            listeners,
            tracker.owners,
        )
        found.strikes = ToldStrikes(0, self._strikes, bool(self._strikes.counts.any()))
        found.pressed_for = self._pressed_for
        found.delivery.leave_out()
        return found

    @property
    def pairs(self) -> NDArray[int32]:
        """The slots (n, 2) of the colliders of each contact."""
        return self._hits.arrays[0][: self._hits.size]

    def follow(self, pairs: NDArray[int32]) -> None:
        """Refer to colliders by other slots."""
        self.pairs[...] = pairs
        # What went on asleep is told apart by where it was.
        self._hits.arrays[HitRows._fields.index("rest")][: self._hits.size] = 0

    @classmethod
    def of_tree(cls, tree: Any, colliders: int) -> KeptContacts:
        """What :meth:`to_tree` has made plain values of, of so many colliders; ValueError for others."""
        refuse_others("contacts", tree, _OF_TREE)
        made = cls()
        made._hits = _hits_of("contacts", tree["contacts"], colliders)
        # They are of slots, which are others now; nothing asks for them any more.
        made._ended = _hits_of("ended", {**tree["ended"], "pairs": np.zeros_like(tree["ended"]["pairs"])}, 1)
        count, ended = made._hits.size, made._ended.size
        if tree["points"] is not None:
            made._points = _Kept.of_arrays("points", tree["points"], _LIKE.points)
            if made._points.size != count:
                raise ValueError(f"the snapshot has points for {made._points.size} contacts, expected {count}")
            for name in ("separations", "impulses", "totals"):
                refuse_numbers_beyond(f"points' {name}", tree["points"][name], -1e300, 1e300)
            refuse_numbers_beyond("points' one_way", tree["points"]["one_way"], 0, 2)
            made.has_points = True
        made._reasons, made._totals, made._suppressed = tree["reasons"], tree["totals"], tree["suppressed"]
        refuse_other_array("reasons", made._reasons, made._reasons.dtype, ended)
        refuse_numbers_beyond("reasons", made._reasons, 0, SEPARATED)
        refuse_other_array("totals", made._totals, float64, ended if len(made._totals) else 0, TOTAL_COLUMNS)
        refuse_other_array("suppressed", made._suppressed, int64, None)
        refuse_numbers_beyond("suppressed", made._suppressed, 0, count - 1)
        made._strikes = _strikes_of(tree["strikes"], count)
        made._pressed_for = tree["pressed_for"]
        if not 0.0 <= made._pressed_for < math.inf:
            raise ValueError(f"the snapshot's contacts have an impossible pressed time: {made._pressed_for} s")
        return made

    def to_tree(self, pairs: NDArray[int32]) -> dict[str, Any]:
        """All as plain values, with these numbers of the colliders."""
        points = self._points if self.has_points else None
        return {
            "contacts": {**self._hits.used(HitRows._fields), "pairs": pairs},
            "points": None if points is None else points.used(ContactPoints._fields),
            "ended": self._ended.used(HitRows._fields),
            "reasons": self._reasons,
            "totals": self._totals,
            "suppressed": self._suppressed,
            "strikes": self._strikes._asdict(),
            "pressed_for": self._pressed_for,
        }


def _strikes_of(tree: Any, contacts: int) -> StrikeRoom:
    """Strikes and loads that were read, of so many contacts; ValueError for others."""
    refuse_others("strikes", tree, dict.fromkeys(StrikeRoom._fields, (np.ndarray,)))
    room = StrikeRoom(**tree)
    refuse_other_array("strikes' counts", room.counts, int64, 2)
    strikes, loads = len(room.struck), len(room.loaded)
    refuse_other_array("strikes' struck", room.struck, int64, strikes, 2)
    refuse_other_array("strikes' rows", room.rows, int64, strikes)
    refuse_other_array("strikes' numbers", room.numbers, float64, strikes, STRIKE_COLUMNS)
    refuse_other_array("strikes' loaded", room.loaded, int64, loads, 2)
    refuse_other_array("strikes' loads", room.loads, float64, loads, 2)
    for name in ("struck", "loaded"):
        refuse_numbers_beyond(f"strikes' {name}", tree[name], 1, 2**62)
    for name in ("numbers", "loads"):
        refuse_numbers_beyond(f"strikes' {name}", tree[name], -1e300, 1e300)
    refuse_numbers_beyond("strikes' rows", room.rows, 0, contacts)
    if room.counts.tolist() != [strikes, loads]:
        raise ValueError(f"the snapshot has {strikes} and {loads} strikes, expected {room.counts.tolist()}")
    return room


def _hits_of(what: str, named: Any, colliders: int) -> _Kept:
    kept = _Kept.of_arrays(what, named, _LIKE.hits)
    refuse_numbers_beyond(f"{what}' pairs", named["pairs"], 0, colliders - 1)
    for name, (low, high) in _RANGES.items():
        refuse_numbers_beyond(f"{what}' {name}", named[name], low, high)
    return kept

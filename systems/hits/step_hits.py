"""What one step's narrowphase found: its contacts, which of them are hits, which began or ended, and the strikes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.store.column_store import read_only
from ecsphys.engine.dynamics import strikes as engine_strikes
from ecsphys.engine.dynamics.contacts.contact_blocks import ContactRows
from ecsphys.engine.hits import contact_table
from ecsphys.engine.hits.hit_tracking import EndedRows
from ecsphys.engine.kernels import Capacity
from ecsphys.engine.tables.row_copies import Memory, memory_of
from ecsphys.systems.hits import hit_arrays
from ecsphys.systems.hits.hit import HIT_COLUMNS
from ecsphys.systems.hits.hit_events import EVERYBODY, Delivery, HitListeners

if TYPE_CHECKING:
    from ecsphys.systems.collision.contact_search import ContactsAside
    from ecsphys.systems.dynamics.body_solver import BodySolver


class ContactArrays:
    """Contacts of pairs of colliders that overlap, or are nearer than the margin asked for, in the order of hits.

    Views, read-only but for the impulses, overwritten by the step after the next.

    ``slots``
        (n, 2) int32, the colliders, by their places in ``state.tables.colliders``.
    ``normal``, ``depth``
        As in :class:`~ecsphys.types.HitArrays`; the depth is 0 or less where the pair is merely near.
    ``is_near``
        (n,) bool, whether the pair is merely near: then it is no hit.
    ``positions``
        (n, 2, 2) float64, the points in the world, also those where the surfaces are apart; NaN in an unused row.
    ``separations``
        (n, 2) float64, how far apart the surfaces are at each point, negative where they overlap.
    ``features``
        (n, 2) int32, which point it is: the same from step to step while the same corners meet; −1 for none.
    ``impulses``
        (n, 4) float64, writable: along the normal at each point, then along the tangent. The next step's
        contact begins with the numbers that a stage writes here, at points with the same features; new ones with 0.

    The last four have no rows unless ``HitTracker.keep_contacts`` was called.
    """

    __slots__ = (
        "depth",
        "features",
        "impulses",
        "is_near",
        "normal",
        "positions",
        "separations",
        "slots",
    )

    def __init__(self, buffer: ContactBuffer, count: int) -> None:
        hits, points = buffer.table
        rows = slice(count)
        self.slots: NDArray[int32] = read_only(hits.pairs[rows])
        self.normal: NDArray[float64] = read_only(hits.normal[rows])
        self.depth: NDArray[float64] = read_only(hits.depth[rows])
        self.is_near: NDArray[bool_] = read_only(buffer.is_near[rows])
        self.positions: NDArray[float64] = read_only(points.positions[rows].reshape(-1, 2, 2))
        self.separations: NDArray[float64] = read_only(points.separations[rows])
        self.features: NDArray[int32] = read_only(points.features[rows])
        self.impulses: NDArray[float64] = points.impulses[rows]

    def __len__(self) -> int:
        return len(self.depth)


NONE_ENDED: Final = EndedRows(np.zeros(0, int64), np.zeros(0, uint8))


class ContactBuffer:
    """Room for the contacts of one step, hits and near ones, in arrays of one length that are kept.

    ``has_points``: also with the arrays of their points, for a solver.
    """

    __slots__ = (
        "_memory",
        "as_of",
        "capacity",
        "columns",
        "has_points",
        "is_near",
        "pairs",
        "rows",
        "table",
        "untold",
        "written",
    )

    def __init__(self, capacity: int = 0, has_points: bool = False) -> None:
        self.capacity, self.has_points = capacity, has_points
        columns: hit_arrays.Columns = {
            name: np.zeros((capacity, *shape), dtype)
            for name, (dtype, shape) in HIT_COLUMNS.items()
            if name in contact_table.HitRows._fields
        }
        self.pairs: NDArray[int32] = np.zeros((capacity, 2), int32)
        self.untold: set[tuple[int, int]] = set()
        """The contacts, by row and entity, of whose start the listener of the entity was not told: nor of the end.
        EVERYBODY stands for all listeners and handlers."""
        self.is_near: NDArray[bool_] = np.zeros(capacity, bool_)
        of_bytes: hit_arrays.Columns = {
            name: one.view(uint8) if one.dtype == bool_ else one for name, one in columns.items()
        }
        rest = np.zeros(capacity, int64)
        rows = contact_table.HitRows(pairs=self.pairs, is_near=self.is_near.view(uint8), rest=rest, **of_bytes)
        self.table = contact_table.ContactTable(rows, contact_table.no_points(capacity if has_points else 0))
        """All arrays, as the engine takes them."""
        self.rows = ContactRows(rows.pairs, rows.normal, self.table.points)
        """The arrays that a solver takes."""
        self._memory: tuple[Memory, Memory] | None = None
        self.written = 0
        """How many rows were written last."""
        self.as_of = -1
        """The revision of the tables when its rows were written last; −1 while they are written."""
        # Without bodies all are the same 0.
        totals = (
            self.table.points.totals.T if has_points else np.broadcast_to(0.0, (contact_table.TOTAL_COLUMNS, capacity))
        )
        impulses = {
            "impulse": contact_table.NORMAL_TOTAL,
            "tangent_impulse": contact_table.TANGENT_TOTAL,
            "strike_impulse": contact_table.STRIKE,
        }
        self.columns: hit_arrays.Columns = {**columns, **{name: totals[row] for name, row in impulses.items()}}
        """The arrays by their public names."""

    @property
    def memory(self) -> tuple[Memory, Memory]:
        """Where the arrays of hits are, and the arrays of points."""
        if self._memory is None:
            self._memory = memory_of(self.table.hits), memory_of(self.table.points)
        return self._memory

    def begin_writing(self, revision: int) -> int:
        """Begin to write rows. Returns how many rows already have the entities, kinds and parts of their pairs, as of a
        revision of the tables."""
        known = self.written if self.as_of == revision else 0
        self.as_of = -1
        return known

    def end_writing(self, revision: int, count: int) -> None:
        """Note that the first ``count`` rows were written as of a revision of the tables."""
        self.written, self.as_of = count, revision

    def with_points(self, wanted: bool) -> contact_table.ContactTable:
        """The table; with points that have no features yet, where they are wanted and were not kept."""
        if wanted == self.has_points:
            return self.table
        return self.table._replace(points=contact_table.no_points(self.capacity if wanted else 0))


class HitCounts(NamedTuple):
    """How many contacts there are in a step, how many of them are merely ``near``, how many are hits that are ``new``,
    and how many hits have ``ended``."""

    contacts: int
    near: int
    new: int
    ended: int


NO_COUNTS = HitCounts(0, 0, 0, 0)


class StepHits:
    """The outcome of one step. The tracker replaces it as a whole, when the next step's is complete.

    Parameters
    ----------
    token
        The database that the hits are of, see ``PhysicsState.token``.
    buffer, counts
        The contacts, and how many they are.
    last
        The buffer of the step before: the values of the hits that ended. The next step writes its hits there.
    ended
        The rows of ``last`` that ended, and why, as the engine's numbers.
    listeners
        The listeners of this step.
    owners
        Which entities have which components, for ``HitArrays.between``.
    """

    _hits: hit_arrays.Hits | None = None
    _started: hit_arrays.HitArrays | None = None
    _ended: hit_arrays.EndedHitArrays | None = None
    _found_rows: slice | NDArray[int64] | None = None

    def __init__(
        self,
        token: object,
        buffer: ContactBuffer,
        counts: HitCounts,
        last: ContactBuffer,
        ended: EndedRows,
        listeners: HitListeners,
        owners: hit_arrays.Owners,
    ) -> None:
        self._owners = owners
        self.buffer = buffer
        self.counts = counts
        self.last = last
        self.listeners = listeners
        self.delivery = Delivery(listeners, token)
        self.ended_rows = ended
        """The rows of :attr:`last` that ended, and why."""
        self.strikes = NO_STRIKES
        """The strikes that were told in this step."""
        self.pressed_for = 0.0
        """How long the step was in which the contacts had their impulses; 0 if none were solved yet."""

    @property
    def _rows(self) -> slice | NDArray[int64]:
        """The rows of the contacts that are hits, found when first asked for: a slice where all are."""
        if self._found_rows is None:
            count = self.counts.contacts
            self._found_rows = np.flatnonzero(~self.buffer.is_near[:count]) if self.counts.near else slice(count)
        return self._found_rows

    @property
    def pairs(self) -> NDArray[int32]:
        """The slots (n, 2) of the colliders of each hit."""
        return self.buffer.pairs[self._rows]

    @property
    def contacts(self) -> ContactArrays:
        """All contacts, hits and near ones: views, for a stage that solves them."""
        return ContactArrays(self.buffer, self.counts.contacts)

    @property
    def hits(self) -> hit_arrays.Hits:
        """All hits of this step, gathered when first asked for; views, overwritten by the step after the next."""
        if self._hits is None:
            self._hits = hit_arrays.Hits(self, self.buffer.columns, self._rows, self._owners)
        return self._hits

    def forget_changes(self) -> None:
        """Let nothing have started or ended: the next step begins, and overwrites the rows of the ended hits."""
        over = self._started, self._ended, self._hits
        self.ended_rows, self._ended = NONE_ENDED, None
        self._started, self._hits = hit_arrays.NO_HITS, None
        # Last: if an interrupt comes before, the arrays that the game asks for now can be read.
        for hits in over:
            if hits is not None and hits is not hit_arrays.NO_HITS:
                hit_arrays.end_hits(hits)

    @property
    def started(self) -> hit_arrays.HitArrays:
        """The hits that began in this step, gathered when first asked for."""
        if self._started is None:
            self._started = hit_arrays.NO_HITS
            if self.counts.new:
                columns = self.buffer.columns
                rows = np.flatnonzero(columns["is_new"][: self.counts.contacts])
                self._started = hit_arrays.HitArrays(columns, rows, self._owners)
        return self._started

    @property
    def ended(self) -> hit_arrays.EndedHitArrays:
        """The hits that ended in this step, with reasons and last values, gathered when first asked for."""
        if self._ended is None:
            self._ended = hit_arrays.EndedHitArrays(self.last.columns, *self.ended_rows, self._owners)
        return self._ended

    @property
    def told(self) -> NDArray[int64]:
        """The places among ``ended`` of those whose start was not kept from everybody."""
        if not self.last.untold:
            return np.arange(self.ended_rows.rows.size)
        untold = [row for row, entity in self.last.untold if entity == EVERYBODY]
        return np.flatnonzero(~np.isin(self.ended_rows.rows, untold))

    def struck(self, ended: NDArray[int64] | None, impulse: float = 0.0) -> hit_arrays.HitArrays:
        """The hits with a complete strike of more than an impulse: hits of this step, or those in some rows of
        :attr:`last` that ``ended``, with their last values."""
        columns = (self.buffer if ended is None else self.last).columns
        strikes = columns["strike_impulse"]
        if ended is None:
            rows = np.flatnonzero(strikes[: self.counts.contacts] > impulse)
            return hit_arrays.HitArrays(columns, rows, self._owners)
        found = hit_arrays.HitArrays(columns, ended[strikes[ended] > impulse], self._owners)
        found.is_new = read_only(np.zeros(len(found), bool_))
        return found

    def strikes_beyond(self, impulse: float) -> hit_arrays.HitArrays:
        """The hits, of this step or ended in it, with a complete strike of more than an impulse; a copy."""
        if not self.strikes.complete:
            return hit_arrays.HitArrays(self.buffer.columns, NONE_ENDED.rows, self._owners)
        now, over = self.struck(None, impulse), self.struck(self.ended_rows.rows, impulse)
        return hit_arrays.together(over, now) if len(over) else now.select(slice(None))

    def keep_from(self, entity: int, row: int) -> None:
        """Keep the end of one of the hits from the listener of an entity, or from EVERYBODY, as its start was."""
        contact = row if isinstance(self._rows, slice) else int(self._rows[row])
        self.buffer.untold.add((contact, entity))

    def are_untold(self, rows: NDArray[int64], entities: NDArray[int64]) -> NDArray[bool_]:
        """Which of some ended hits, by their rows (n,), the listeners of entities (n,) were not told the start of."""
        untold, contacts = self.last.untold, self.ended_rows.rows[rows].tolist()
        pairs = zip(contacts, entities.tolist(), strict=True)
        return np.fromiter((pair in untold for pair in pairs), bool_, len(rows))


class ToldStrikes(NamedTuple):
    """The strikes of a step: how many are complete, the room left to the next step, and whether anything is in it."""

    complete: int
    left: engine_strikes.StrikeRoom
    is_any_left: bool


NO_STRIKES: Final = ToldStrikes(0, engine_strikes.strike_room(0, 0), False)


class StrikeTeller:
    """Finds the strikes of one world, and keeps the unfinished ones from step to step.

    Invariant: the room that ``StepHits.strikes`` of the last step refers to is not written in this step. Two rooms take
    turns. So a step that is cut short leaves the strikes of the last step as they were.
    """

    __slots__ = ("_capacities", "_rooms")

    def __init__(self) -> None:
        self._rooms = engine_strikes.strike_room(0, 0), engine_strikes.strike_room(0, 0)
        self._capacities = Capacity(), Capacity()

    def tell(
        self,
        solver: BodySolver,
        last: StepHits,
        aside: ContactsAside,
        buffer: ContactBuffer,
        count: int,
        ended: EndedRows,
    ) -> ToldStrikes:
        """Write the strikes of a step to the first ``count`` contacts of a buffer; the ``last`` contacts come before.

        ``ended``: the last contacts that ended. ``aside``: contacts that were found again for this step's solver.
        """
        rising = solver.rising_since(last)
        is_solved = rising >= 0
        old, places = last.strikes.left, solver.places
        first, second = self._rooms
        new = self._with_room(second if first is old else first, max(rising, 0), len(ended.rows))
        before = solved = engine_strikes.Contacts(last.buffer.with_points(True), last.counts.contacts)
        if is_solved and solver.found_anew:
            solved = engine_strikes.Contacts(aside.buffer.with_points(True), aside.count)
        found = engine_strikes.FoundContacts(before, solved, engine_strikes.Contacts(buffer.table, count))
        bodies, step = solver.struck_bodies, solver.strike_step
        complete = engine_strikes.tell_strikes(found, ended.rows, places, is_solved, old, new, bodies, step)
        return ToldStrikes(complete, new, new.counts.tolist() != [0, 0])

    def _with_room(self, room: engine_strikes.StrikeRoom, strikes: int, loads: int) -> engine_strikes.StrikeRoom:
        """The room, or a new one in its place if it is too small or much too large."""
        held = len(room.struck), len(room.loaded)
        of_strikes, of_loads = self._capacities
        capacity = (
            of_strikes.choose(strikes, held[engine_strikes.STRIKES]),
            of_loads.choose(loads, held[engine_strikes.LOADS]),
        )
        if capacity == held:
            return room
        larger = engine_strikes.strike_room(*capacity)
        first, second = self._rooms
        self._rooms = (larger, second) if room is first else (first, larger)
        return larger

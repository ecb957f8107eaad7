"""The changes of a component class, in order, for any number of readers.

A log has a *revision*, which grows by one with each entry. A reader keeps a cursor, the revision up to which it has
read, and asks for the later entries. So each reader sees each change once. The oldest entries are forgotten: a reader
with an older cursor must assume that anything may have changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat
from operator import is_
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import ref

import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from ecsphys.components.store.standing_blocks import Counter, fork_safe_lock

if TYPE_CHECKING:
    from ecsphys.components.store.column_store import ColumnStore

# With more to read it is cheaper to read all.
_MOST_ENTITIES: Final = 1 << 16
_MOST_WRITES: Final = 64

# So few rows that were assigned are found one by one.
_FEW_ROWS: Final = 8

_NO_ROWS: Final[NDArray[int64]] = np.zeros(0, int64)

WRITTEN: Final = bytearray()
"""A byte for each tracked class: 1 if :meth:`WriteLog.collect` may find something. One read covers all classes."""

PUSHED: Final = bytearray(1)
"""Its byte is 1 if a field of any ``pushing`` class was assigned since :func:`collect_pushes`."""

PUSHES: Final = Counter()
"""How often :func:`collect_pushes` has found any."""

_LOCK: Final = fork_safe_lock()
_TRACKED: Final[list[WriteLog]] = []


class Entries(Counter):
    """``made``: how many entries all write logs together have had. ``stepped``: how many of them systems have made in
    each step, of any world."""

    def __init__(self) -> None:
        super().__init__()
        self.stepped = 0

    @property
    def of_games(self) -> int:
        """How many entries report anything but the motion of steps."""
        return self.made - self.stepped


ENTRIES: Final = Entries()


def new_place(log: WriteLog) -> int:
    """A byte of ``WRITTEN`` for another class, whose log this is."""
    with _LOCK:
        _TRACKED.append(log)
        WRITTEN.append(0)
        return len(WRITTEN) - 1


UNNOTED: Final[list[ref[Any]]] = []
"""Each may have made steps without entries: its ``note_steps`` makes them, and leaves the list."""


def note_steps() -> None:
    """Make all entries that are due in ``UNNOTED``."""
    for one in tuple(UNNOTED):
        maker = one()
        if maker is None:
            UNNOTED.remove(one)
        else:
            maker.note_steps()


def collect_all() -> int:
    """Make entries of all writes in tracked classes until now; returns ``ENTRIES.made``."""
    if UNNOTED:
        note_steps()
    place = WRITTEN.find(1)
    while place >= 0:
        _TRACKED[place].collect()
        place = WRITTEN.find(1, place + 1)
    return ENTRIES.made


def collect_pushes() -> int:
    """A number that grows when fields of ``pushing`` classes were assigned: sleeping bodies are looked at again."""
    if PUSHED[0]:
        # In this order: if an interrupt parts the two, it is counted twice.
        PUSHES.made += 1
        PUSHED[0] = 0
    return PUSHES.made


class EntityLog:
    """The entities that received, replaced or lost a component of a class.

    ``entities`` has the last entries. ``first`` is the number of entries before them.
    """

    def __init__(self) -> None:
        self.entities: list[int] = []
        self.first = 0

    @property
    def revision(self) -> int:
        """The number of entries so far."""
        return self.first + len(self.entities)

    def note(self, entity: int) -> None:
        """Add an entity."""
        entities = self.entities
        entities.append(entity)
        if len(entities) >= 2 * _MOST_ENTITIES:
            # Nothing is called between these: no other thread sees the one without the other. If only the first is
            # done, readers assume that all has changed.
            self.first += _MOST_ENTITIES
            del entities[:_MOST_ENTITIES]

    def note_all(self, entities: Iterable[int]) -> None:
        """Add many."""
        for entity in entities:
            self.note(entity)

    def since(self, revision: int) -> list[int] | None:
        """The entities noted since a revision, some of them more than once; None if these entries are forgotten."""
        start = revision - self.first
        return None if start < 0 else self.entities[start:]


class Writes(NamedTuple):
    """The rows that may have been written since a reader's last look.

    ``everything``: any row, through a view. ``stepped``: the rows that systems write in each step. ``rows`` (n,): rows
    that were assigned, some of them more than once.
    """

    everything: bool
    stepped: bool
    rows: NDArray[int64]


NOTHING_WRITTEN: Final = Writes(False, False, _NO_ROWS)
_EVERYTHING: Final = Writes(True, True, _NO_ROWS)
_STEPPED: Final = Writes(False, True, _NO_ROWS)


@lru_cache
def _of_few(rows: tuple[int, ...]) -> Writes:
    """Writes to a few rows, which are often the same from step to step."""
    return Writes(False, False, np.array(rows, int64))


def _joined(all_writes: Iterable[Writes]) -> Writes:
    parts = [writes for writes in all_writes if writes is not NOTHING_WRITTEN]
    if len(parts) < 2:
        return parts[0] if parts else NOTHING_WRITTEN
    rows = [part.rows for part in parts if part.rows.size]
    return Writes(
        any(part.everything for part in parts),
        any(part.stepped for part in parts),
        np.concatenate(rows) if rows else _NO_ROWS,
    )


class WriteLog:
    """The rows of a class that were written, by its instances, through views of its columns, or by systems.

    Assignments set a dirty flag in a ``tracked`` class; writes through views leave no trace. :meth:`collect` makes
    entries for both. ``revision`` is the number of entries so far. ``is_viewed``: whether, when writes were collected
    last, a view was alive that may be written to.
    """

    def __init__(self, store: ColumnStore) -> None:
        self._store = store
        self._entries: list[Writes] = []  # the last ones
        self.is_viewed = False
        self._views_seen = self.revision = 0

    def collect(self) -> int:
        """Make entries of all writes until now; returns the revision."""
        if UNNOTED:
            note_steps()
        store = self._store
        place = store.place
        if place < 0:
            self._collect_views()
        elif WRITTEN[place]:
            try:
                # First: later writes set it again.
                WRITTEN[place] = 0
                if self.is_viewed or store.views.count != self._views_seen:
                    self._collect_views()
                dirty = store.dirty_cell.cell_contents
                few: list[int] = []
                row = dirty.find(1)
                while row >= 0 and len(few) < _FEW_ROWS:
                    few.append(row)
                    row = dirty.find(1, row + 1)
                # The entry first: if an interrupt parts the two, rows are looked at twice.
                if row >= 0:
                    written = np.flatnonzero(np.frombuffer(dirty, np.bool_))
                    self._add(Writes(False, False, written))
                    np.frombuffer(dirty, uint8)[written] = 0
                elif few:
                    self._add(_of_few(tuple(few)))
                    for row in few:
                        dirty[row] = 0
                if self.is_viewed:
                    WRITTEN[place] = 1
            except BaseException:
                WRITTEN[place] = 1
                raise
        return self.revision

    def _collect_views(self) -> None:
        views = self._store.views
        if self.is_viewed or views.count != self._views_seen:
            seen = views.count
            self.is_viewed = views.any_alive()
            self._views_seen = seen
            self._add(_EVERYTHING)

    def note_step(self) -> None:
        """Add that a system has written the rows that it writes in each step."""
        # Last: if an interrupt parts the two, readers look once more.
        self._add(_STEPPED)
        ENTRIES.stepped += 1

    def note_rows(self, rows: NDArray[int64] | tuple[int, ...]) -> int:
        """Add some rows (n,), which stay as they are; returns the revision."""
        self._add(_of_few(rows) if isinstance(rows, tuple) else Writes(False, False, rows))
        return self.revision

    def note_everything(self) -> None:
        """Add that any row may have changed."""
        self._add(_EVERYTHING)

    def since(self, revision: int) -> Writes:
        """The writes collected since a revision."""
        count = self.revision - revision
        if not count:
            return NOTHING_WRITTEN
        last = self._entries[-count:]
        if count == len(last) == 1:  # the most frequent case
            return last[0]
        return _joined(last) if len(last) == count else _EVERYTHING

    def are_last_steps(self, count: int) -> bool:
        """Whether each of the last ``count`` entries is of the rows that systems write in each step."""
        if count == 1:
            return bool(self._entries) and self._entries[-1] is _STEPPED
        last = self._entries[-count:]
        return len(last) == count and all(map(is_, last, repeat(_STEPPED)))

    def _add(self, entry: Writes) -> None:
        entries = self._entries
        # Nothing is called in between: no other thread sees the one without the other. If there is no memory for the
        # entry, readers look once more at the one before.
        ENTRIES.made += 1
        self.revision += 1
        entries.append(entry)
        if self.revision % _MOST_WRITES == 0:
            del entries[:-_MOST_WRITES]


class WritesSince:
    """The writes since a revision, for a reader that asks more than once. It keeps them, as the log may forget them."""

    def __init__(self, log: WriteLog) -> None:
        self._log = log
        self._first = self._read_to = -1
        self._found = NOTHING_WRITTEN

    def read(self, revision: int) -> Writes:
        """The writes collected since a revision; the same object until there are more."""
        log = self._log
        if revision != self._first:
            self._first, self._read_to, self._found = revision, revision, NOTHING_WRITTEN
        now = log.revision
        if self._read_to != now:
            # The cursor last: if an interrupt parts the two, rows are there twice.
            self._found = _joined((self._found, log.since(self._read_to)))
            self._read_to = now
        return self._found

"""The state of a physics beside its components: ``TABLES`` declares it, a ``KeptState`` has it.

A table has arrays of one length. A table that is not in use has no rows. The table of ``VALUES`` has one row, which is
kept as plain numbers. Copying, renumbering of colliders, saving, and checks of foreign bytes are loops over these
declarations. ``KeptState`` reads and writes each part at its owner.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import DTypeLike, NDArray

from ecsphys.components.store.column import show
from ecsphys.components.store.component_table import NO_ROWS
from ecsphys.engine.character import character_move
from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics import strikes
from ecsphys.engine.dynamics.joints import joint_rows
from ecsphys.engine.hits import contact_table, hit_tracking, touches
from ecsphys.engine.shapes.layout import KIND_CHAIN
from ecsphys.engine.tables import collider_slots, row_copies
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.hits.hit_events import EVERYBODY, HitListeners
from ecsphys.systems.hits.step_hits import NO_STRIKES, ContactBuffer, HitCounts, StepHits, ToldStrikes

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

Arrays = tuple[NDArray[Any], ...]


class Field(NamedTuple):
    """An array of a table: its type, and the shape of a row.

    ``low`` and ``high`` bound its numbers, or each column of them; ``low`` None: any number. The name of a table as a
    bound stands for its last row. ``slots`` indexes the numbers that are slots of colliders. ``attribute``: of a
    ``PhysicsState``, for a value that is one.
    """

    dtype: DTypeLike
    columns: tuple[int, ...] = ()
    low: Any = None
    high: Any = None
    slots: Any = None
    attribute: str = ""


_MOST: Final = 2**62
_HUGE: Final = 1e300
_ANY: Final = (-_HUGE, math.inf)
_FINITE: Final = (-_HUGE, _HUGE)
_ENTITY: Final = (1, _MOST)
_FLAG: Final = (0, 1)
_PART: Final = (-1, 2**31 - 1)
_COLUMN: Final = (slice(None),)

_LIKE: Final = ContactBuffer(0, has_points=True).table
_BOUNDS: Final[dict[str, tuple[Any, Any]]] = {
    "pairs": (0, "slots"),
    **dict.fromkeys(("entity_a", "entity_b"), _ENTITY),
    **dict.fromkeys(("collider_a", "collider_b"), (0, KIND_CHAIN)),
    **dict.fromkeys(("part_a", "part_b"), _PART),
    "normal": (-2.0, 2.0),
    **dict.fromkeys(("depth", "separations", "impulses", "totals"), _FINITE),
    **dict.fromkeys(("point_count", "one_way"), (0, 2)),
    **dict.fromkeys(("is_new", "is_near", "sensor_a", "sensor_b"), _FLAG),
}


def _fields_like(arrays: Any) -> dict[str, Field]:
    named = zip(arrays._fields, arrays, strict=True)
    return {name: Field(one.dtype, one.shape[1:], *_BOUNDS.get(name, ())) for name, one in named}


_CONTACTS: Final = _fields_like(_LIKE.hits)


def _seconds(attribute: str) -> Field:
    return Field(float64, (), 0.0, _HUGE, attribute=attribute)


def _flag(attribute: str = "") -> Field:
    return Field(bool_, attribute=attribute)


VALUES: Final[dict[str, Field]] = {
    "clock": _seconds("clock"),
    "dt": _seconds("progress.dt"),
    "prediction": _seconds("hits.search.prediction"),
    "keeps_points": _flag("hits.search.keeps_points"),
    "pressed_for": _seconds("hits.found.pressed_for"),
    "has_points": _flag("hits.found.buffer.has_points"),
    "has_structure_changed": _flag("hits.has_structure_changed"),
    "are_all_moved": _flag("placing.are_all_moved"),
    "are_pairs_given": _flag(),
    "has_solver": _flag(),
    "has_changed": _flag(),
    "is_measured": _flag("body_table.masses.is_measured"),
    "kept_touches": Field(int64, (), 0, "end of touches"),
    "journal_first": Field(int64, (), 0, _MOST),
}

TABLES: Final[dict[str, dict[str, Field]]] = {
    "values": VALUES,
    # Colliders that moved since pairs were found; and absent colliders of contacts: entity, kind, part, reason.
    "moved": {"slots": Field(int32, (), 0, "slots", slots=...)},
    "absent": {
        "colliders": Field(
            int64, (4,), (1, 0, -1, 1), ("entities", KIND_CHAIN, _PART[1], collider_slots.DISABLED_ABSENCE)
        )
    },
    # Pairs that the game has given.
    "given": {"pairs": Field(int32, (2,))},
    # The contacts of the last step, their points if anything solves them, and the rows whose end an entity's listener,
    # or EVERYBODY, is not told.
    "contacts": {**_CONTACTS, "pairs": _CONTACTS["pairs"]._replace(slots=...)},
    "points": _fields_like(_LIKE.points),
    "untold": {"pairs": Field(int64, (2,), (0, EVERYBODY), ("contacts", _MOST))},
    # The last values of the hits that ended in the last step. Nothing asks for their slots any more.
    "ended": {**_CONTACTS, "pairs": Field(int32, (2,))},
    "endings": {
        "reasons": Field(uint8, (), 0, hit_tracking.SEPARATED),
        "totals": Field(float64, (contact_table.TOTAL_COLUMNS,)),
    },
    # Strikes that are not complete, and loads of contacts that ended.
    "strikes": {
        "struck": Field(int64, (2,), *_ENTITY),
        "numbers": Field(float64, (strikes.STRIKE_COLUMNS,), *_FINITE),
    },
    "loads": {"loaded": Field(int64, (2,), *_ENTITY), "loads": Field(float64, (2,), *_FINITE)},
    # A row for each body. A body that has just fallen asleep notes its accelerations in the next step: NaN until then.
    "bodies": {
        "forces": Field(float64, (3,), *_ANY),
        "slow_for": Field(float64, (), *_ANY),
        "island": Field(int32, (), -1, "bodies"),
        "accelerations": Field(float64, (3,)),
        "touching": Field(int32, (), 0, 2**31 - 1),
        "is_changed": Field(uint8),
    },
    "masses": {"masses": Field(float64, (body.MASS_COLUMNS,), *_ANY)},
    "disabled": {"bodies": Field(int32, (), 0, "bodies")},
    "joints": {
        "starts": Field(float64, (joint_rows.START_COLUMNS,), *_ANY),
        "impulses": Field(float64, (joint_rows.IMPULSE_COLUMNS,)),
        "totals": Field(float64, (joint_rows.TOTAL_COLUMNS,), *_ANY),
        "loads": Field(float64, (3,), *_ANY),
    },
    # Touches of characters; their memories; and the one-way entities that they drop through.
    "touches": {
        "numbers": Field(
            int64,
            (touches.TOUCH_NUMBERS,),
            (0, touches.MARK, -_MOST, -_MOST),
            ("slots", "slots", _MOST, _MOST),
            slots=(*_COLUMN, [touches.OWN, touches.OTHER]),
        ),
        "values": Field(float64, (touches.TOUCH_VALUES,)),
    },
    "memories": {
        "entities": Field(int64, (), 0, "entities"),
        "numbers": Field(int64, (character_move.MEMORY_NUMBERS,), -1, _MOST),
        "values": Field(float64, (character_move.MEMORY_VALUES,), slots=(*_COLUMN, character_move.STOOD_ON)),
    },
    "dropped": {"pairs": Field(int64, (2,))},
    # Earlier poses of colliders that moved, which characters read.
    "journal": {"slots": Field(int32, (), -1, "slots", slots=...), "poses": Field(float64, (3,), *_ANY)},
}

# Tables that have as many rows as another, or none.
_AS_LONG_AS: Final = {"points": "contacts", "endings": "ended", "masses": "bodies"}

_EMPTY: Final[dict[str, Arrays]] = {
    name: tuple(np.zeros((0, *field.columns), field.dtype) for field in table.values())
    for name, table in TABLES.items()
    if table is not VALUES
}
# The values of parts that are not in use, and the values that are attributes.
_NO_VALUES: Final = {name: np.zeros((), field.dtype).item() for name, field in VALUES.items()}
_ATTRIBUTES: Final = {name: field.attribute for name, field in VALUES.items() if field.attribute}
_read_attributes: Final = attrgetter(*_ATTRIBUTES.values())
# Rows more than are needed: what grows a little from step to step finds room. Above _MOST_ROOM times the needed size,
# memory is given back.
_SPARE, _MOST_ROOM = 16, 8


class KeptRows:
    """Copies of the arrays of a table, in memory that is kept: their first ``size`` rows are in use."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.size = self._capacity = len(arrays[0])
        self._memory: row_copies.Memory | None = None

    @property
    def memory(self) -> row_copies.Memory:
        if self._memory is None:
            self._memory = row_copies.memory_of(self.arrays)
        return self._memory

    def used(self) -> list[NDArray[Any]]:
        """The arrays, without the rows that are not in use."""
        return [array[: self.size] for array in self.arrays]

    def take(self, *sources: NDArray[Any]) -> None:
        """Copy some arrays of one length."""
        count = len(sources[0])
        self._reserve(count, sources)
        for array, source in zip(self.arrays, sources, strict=True):
            array[:count] = source

    def take_rows(self, source: row_copies.Memory, count: int, rows: NDArray[int64] | None = None) -> None:
        """Copy the first ``count`` rows of some arrays, or some ``rows``, in one call."""
        self._reserve(count, source.arrays)
        if count:
            row_copies.copy_rows(source, self.memory, count, rows)

    def _reserve(self, count: int, like: Arrays) -> None:
        self.size = count
        if not count <= self._capacity <= _MOST_ROOM * (count + _SPARE):
            self._capacity = count + count // 4 + _SPARE
            self.arrays = tuple([np.empty((self._capacity, *one.shape[1:]), one.dtype) for one in like])
            self._memory = None


class KeptState:
    """The declared state of a physics at some moment, in its tables and values; and what lives in this process only.

    ``order``: the slots of all colliders, in the public order. ``gone``: the slots of the absent ones.
    """

    def __init__(self) -> None:
        self.tables = {name: KeptRows(arrays) for name, arrays in _EMPTY.items()}
        self.values: dict[str, Any] = {}
        self.breaks: list[Any] = []
        self.order: NDArray[int32] = np.zeros(0, int32)
        self.gone: NDArray[int32] = np.zeros(0, int32)
        self._measurement = -1
        """See ``BodyMasses.measurement``: the masses of the same measurement are not copied again."""
        self._listeners = HitListeners(NO_ROWS, {})
        self._owners: Any = {}
        self._sleeping: Any = None

    def take(self, state: PhysicsState) -> None:
        """Copy the state between two steps."""
        tables, placing, hits, bodies = self.tables, state.placing, state.hits, state.body_table
        found, pairs, solver = hits.found, state.pairs.given, state.solver
        masses = tables["masses"].size
        for rows in tables.values():
            rows.size = 0
        values = self.values = _NO_VALUES | dict(zip(_ATTRIBUTES, _read_attributes(state), strict=True))
        tables["moved"].take(placing.moved)
        if pairs is not None:
            tables["given"].take(pairs)
            values["are_pairs_given"] = True
        if solver is not None:
            values["has_solver"], values["has_changed"] = True, solver.has_changed
        self.order = state.tables.colliders.keep_order()
        self._take_contacts(found, state)
        self._listeners, self._owners = found.listeners, hits.owners.take_state()
        hits.wake_refiltered()
        self._sleeping = state.sleeping.take_state() if state.sleeping.is_whole else None
        if len(bodies) > 1:
            tables["bodies"].take(*_arrays_of_bodies(state))
            tables["disabled"].take(bodies.masses.of_disabled)
            tables["masses"].size = masses
            if not masses or self._measurement != bodies.masses.measurement:
                tables["masses"].take(bodies.listed.masses)
                self._measurement = bodies.masses.measurement
        self.breaks = list(state.joints.breaks.pending)
        if len(state.joints):
            joints = state.joints.rows
            tables["joints"].take(joints.starts, joints.impulses, joints.totals, state.joints.loads)
        if len(state.touches):
            numbers, touched, values["kept_touches"] = state.touches.take_state()
            tables["touches"].take(numbers, touched)
        self._take_characters(state)

    def _take_contacts(self, found: StepHits, state: PhysicsState) -> None:
        tables, buffer, count = self.tables, found.buffer, found.counts.contacts
        tables["contacts"].take_rows(buffer.memory[0], count)
        if buffer.has_points:
            tables["points"].take_rows(buffer.memory[1], count)
        tables["untold"].take(np.array(sorted(buffer.untold), int64).reshape(-1, 2))
        if found.strikes.is_any_left:
            left, (struck, loaded) = found.strikes.left, found.strikes.left.counts.tolist()
            tables["strikes"].take(left.struck[:struck], left.numbers[:struck])
            tables["loads"].take(left.loaded[:loaded], left.loads[:loaded])
        rows, reasons = found.ended_rows
        if rows.size:
            tables["ended"].take_rows(found.last.memory[0], rows.size, rows)
            totals = found.last.table.points.totals
            tables["endings"].take(reasons, totals[rows] if found.last.has_points else np.zeros((rows.size, 3)))
        self.gone = self.gone[:0]
        if state.tables.colliders.absences:
            slots = state.tables.colliders.slots
            gone = np.unique(tables["contacts"].used()[0])
            self.gone = gone = gone[slots.absence[gone] != collider_slots.PRESENT]
            columns = (slots.entity[gone], slots.kind[gone], slots.part[gone], slots.absence[gone])
            tables["absent"].take(np.stack(columns, axis=1))

    def _take_characters(self, state: PhysicsState) -> None:
        entities, numbers, values, dropped = state.characters.known()
        if not entities.size:
            return
        tables, journal = self.tables, state.placing.keep_journal()
        tables["memories"].take(entities, numbers, values)
        tables["dropped"].take(dropped)
        read_to = numbers[:, character_move.REVISION]
        slots, poses, first = journal.since(int(read_to[read_to >= 0].min(initial=journal.revision)))
        tables["journal"].take(slots, poses)
        self.values["journal_first"] = first

    def put(self, state: PhysicsState) -> None:
        """Write the state back; after an interrupt it may be called again."""
        tables, values, hits, placing = self.tables, self.values, state.hits, state.placing
        state.place()
        if self._sleeping is not None:
            state.sleeping.put_state(self._sleeping)
        else:
            state.sleeping.wake_all()
        (moved,) = tables["moved"].used()
        placing.put_moved(moved, values["are_all_moved"])
        if hits.filters.are_any():
            hits.filters.forget()
        self._put_bodies(state)
        hits.go_on(values["prediction"], values["keeps_points"], values["has_structure_changed"])
        hits.found = self._contacts_in(state)
        hits.owners.put_state(self._owners)
        self._put_characters(state)
        numbers, touched = tables["touches"].used()
        state.touches.put_state(numbers, touched, values["kept_touches"])
        state.pairs.use_up()
        if values["are_pairs_given"]:
            state.pairs.give(tables["given"].used()[0].copy())
        state.begin_between_steps(values["clock"], values["dt"])
        if state.solver is not None:
            state.solver.go_on(values["has_changed"])

    def _put_bodies(self, state: PhysicsState) -> None:
        tables, bodies, joints = self.tables, state.body_table, state.joints
        if self.values["has_solver"] != (state.solver is not None):
            state.solver = BodySolver(state) if state.solver is None else None
            # The other one goes through all bodies, whatever this one has passed over.
            state.hits.resting.begin_anew()
        if len(bodies) > 1:
            _check_count("bodies", tables["bodies"].size, len(bodies))
            is_measured = self.values["is_measured"]
            if self._measurement != bodies.masses.measurement or bodies.masses.is_measured != is_measured:
                (masses,), (disabled,) = tables["masses"].used(), tables["disabled"].used()
                bodies.masses.put(masses, disabled.copy(), is_measured)
                self._measurement = bodies.masses.measurement
            for array, kept in zip(_arrays_of_bodies(state), tables["bodies"].used(), strict=True):
                array[:] = kept
            bodies.sleep_changes += 1
        joints.breaks.pending[:] = self.breaks
        if len(joints):
            _check_count("joints", tables["joints"].size, len(joints))
            rows = joints.rows
            rows.starts[:], rows.impulses[:], rows.totals[:], joints.loads = tables["joints"].used()

    def _contacts_in(self, state: PhysicsState) -> StepHits:
        """The outcome of a step with the kept contacts, whose events have been sent; in buffers of the tracker."""
        tables, tracker, has_points = self.tables, state.hits, self.values["has_points"]
        count, ended = tables["contacts"].size, tables["ended"].size
        buffer = tracker.room_for(count, None)
        if buffer.has_points != has_points:
            buffer = ContactBuffer(count, has_points)
        if count:
            row_copies.copy_rows(tables["contacts"].memory, buffer.memory[0], count)
        if count and has_points:
            row_copies.copy_rows(tables["points"].memory, buffer.memory[1], count)
        buffer.untold.clear()
        buffer.untold.update((row, entity) for row, entity in tables["untold"].used()[0].tolist())
        last = tracker.room_for(ended, buffer)
        reasons, totals = tables["endings"].used()
        if ended:
            row_copies.copy_rows(tables["ended"].memory, last.memory[0], ended)
            last.table.hits.rest[:ended] = 0
            if last.has_points:
                last.table.points.totals[:ended] = totals
        is_near = buffer.is_near[:count]
        new = np.count_nonzero(buffer.columns["is_new"][:count] & ~is_near)
        found = StepHits(
            state.token,
            buffer,
            HitCounts(count, int(np.count_nonzero(is_near)), int(new), ended),
            last,
            hit_tracking.EndedRows(np.arange(ended), reasons.copy()),
            self._listeners,
            tracker.owners,
        )
        struck, loaded = tables["strikes"], tables["loads"]
        found.strikes = NO_STRIKES
        if struck.size or loaded.size:
            copies = [array.copy() for array in (*struck.used(), *loaded.used())]
            copies.append(np.array([struck.size, loaded.size]))
            left = strikes.StrikeRoom(*copies)
            found.strikes = ToldStrikes(0, left, is_any_left=True)
        found.pressed_for = self.values["pressed_for"]
        found.delivery.leave_out()
        return found

    def _put_characters(self, state: PhysicsState) -> None:
        tables = self.tables
        if not tables["memories"].size:
            state.characters.forget()
            return
        journal = state.placing.keep_journal()
        slots, poses = tables["journal"].used()
        journal.put_entries(slots, poses, self.values["journal_first"])
        (entities, numbers, values), (dropped,) = tables["memories"].used(), tables["dropped"].used()
        state.characters.put_known(entities, numbers, values, dropped)

    def follow_colliders(self, state: PhysicsState) -> None:
        """Refer to colliders by their present slots, in the same public order."""
        colliders, absent = state.tables.colliders, self.tables["absent"].used()[0]
        order, gone = colliders.order, self.gone
        is_moved = order is not self.order
        if not is_moved and (colliders.slots.absence[gone] == absent[:, -1]).all():
            return
        if self.order.size != order.size:
            raise RuntimeError(f"the world has {order.size} colliders, but the snapshot has {self.order.size}")
        if gone.size:
            gone = colliders.add_absent(state.tables.entities, absent.tolist())
        followed = self._renumbered(np.concatenate((order, gone)))
        # From here on nothing fails.
        self.tables.update({name: KeptRows(arrays) for name, arrays in followed.items()})
        if is_moved:
            self._sleeping = None
        self.order, self.gone = colliders.keep_order(), gone

    def _renumbered(self, new: NDArray[Any]) -> dict[str, Arrays]:
        """The tables that refer to colliders, by their ``new`` numbers, which are in the order with absent ones last;
        −1 for others."""
        known = np.concatenate((self.order, self.gone))
        place: NDArray[int32] = np.full(known.max(initial=-1) + 2, -1, int32)
        place[known] = new
        found: dict[str, Arrays] = {}
        for name, rows in self.tables.items():
            arrays = rows.used()
            for number, field in enumerate(TABLES[name].values()):
                if field.slots is not None and arrays[number].size:
                    arrays[number] = array = arrays[number].copy()
                    slots = array[field.slots]
                    # Numbers below 0 are no slots, and stay.
                    numbers = place[np.clip(slots, 0, len(place) - 1).astype(int64)]
                    array[field.slots] = np.where(slots >= 0, numbers, slots)
                    found[name] = tuple(arrays)
        if "contacts" in found:
            # Contacts of sleepers are told apart by their slots: these are computed again.
            *contacts, rest = found["contacts"]
            found["contacts"] = (*contacts, np.zeros_like(rest))
        if "moved" in found:
            # Colliders that moved may be gone.
            (moved,) = found["moved"]
            found["moved"] = (moved[moved >= 0],)
        return found

    def to_tree(self) -> dict[str, Any]:
        """The state as plain values. Colliders are numbered by their public order, absent colliders after them."""
        count = self.order.size
        found = self._renumbered(np.arange(count + self.gone.size))
        found |= {"values": tuple(np.array([self.values[name]], field.dtype) for name, field in VALUES.items())}
        tables = {
            name: dict(zip(table, found[name] if name in found else self.tables[name].used(), strict=True))
            for name, table in TABLES.items()
        }
        # The rows of transforms are another process's: only whether there is one.
        numbers = tables["memories"]["numbers"] = tables["memories"]["numbers"].copy()
        np.minimum(numbers[:, character_move.SINCE], 0, out=numbers[:, character_move.SINCE])
        return {"colliders": count, "tables": tables}

    @classmethod
    def of_tree(cls, tree: Any, next_entity: int) -> KeptState:
        """The state from :meth:`to_tree`. Raises ValueError for a type, length or number that no state has."""
        check_state(tree, next_entity)
        made, tables, count = cls(), tree["tables"], tree["colliders"]
        made.values = {name: array.item() for name, array in tables["values"].items()}
        made.tables = {name: KeptRows(tuple(tables[name].values())) for name in made.tables}
        made.order = np.arange(count, dtype=int32)
        made.gone = np.arange(count, count + made.tables["absent"].size, dtype=int32)
        return made


def _arrays_of_bodies(state: PhysicsState) -> Arrays:
    states = state.body_table.states
    of_sleep = states.slow_for, states.island, states.accelerations, states.touching, states.is_changed
    return state.body_table.listed.forces, *of_sleep


def _check_count(what: str, kept: int, there: int) -> None:
    if kept != there:
        raise ValueError(f"it has {kept} {what}, but the world has {there}")


def check_state(tree: Any, next_entity: int) -> None:
    """Raise ValueError, naming the first type, length or number that no state has.

    Every number that is used as an index is checked here. Checks that need components, for example how many bodies
    there are, follow when the state is put.
    """
    check_entries("physics", tree, {"colliders": (int,), "tables": (dict,)})
    tables, colliders = tree["tables"], tree["colliders"]
    check_entries("tables", tables, dict.fromkeys(TABLES, (dict,)))
    sizes = {"entities": next_entity, "colliders": colliders}
    for name, table in TABLES.items():
        check_entries(name, tables[name], dict.fromkeys(table, (np.ndarray,)))
        sizes[name] = count = tables[name][next(iter(table))].shape[:1][0]
        for field, declared in table.items():
            check_array(f"{name}.{field}", tables[name][field], declared.dtype, count, *declared.columns)
    sizes |= {"slots": colliders + sizes["absent"], "end of touches": sizes["touches"] + 1}
    for name, other in _AS_LONG_AS.items():
        if sizes[name] not in (0, sizes[other]):
            raise ValueError(f"the snapshot's {name} has {sizes[name]} rows, expected {sizes[other]}")
    if (tables["values"]["has_points"].any() and sizes["points"] != sizes["contacts"]) or sizes["endings"] != sizes[
        "ended"
    ]:
        raise ValueError("the snapshot has contacts without points, or ended hits without reasons")

    def bound(limit: Any) -> Any:
        return sizes[limit] - 1 if isinstance(limit, str) else limit

    if not 0 <= colliders < 2**31 - sizes["absent"]:
        raise ValueError(f"the snapshot has {colliders} colliders")
    for name, table in TABLES.items():
        for field, declared in table.items():
            if declared.low is not None:
                high = declared.high
                high = [bound(one) for one in high] if isinstance(high, tuple) else bound(high)
                check_numbers(f"{name}.{field}", tables[name][field], declared.low, high)
    if np.unique(tables["moved"]["slots"]).size != sizes["moved"]:
        raise ValueError("the snapshot's moved.slots has a number twice")


def check_entries(what: str, tree: Any, kinds: dict[str, tuple[type, ...]]) -> None:
    """Raise ValueError unless it is a dict with just these names, of these types."""
    if type(tree) is not dict:
        raise ValueError(f"the snapshot's {what} is {show(tree)}")
    if tree.keys() != kinds.keys():
        unlike = sorted(map(str, tree.keys() ^ kinds.keys()))
        raise ValueError(f"the snapshot's {what} has missing or unknown entries: {', '.join(unlike)}")
    for name, allowed in kinds.items():
        if type(tree[name]) not in allowed:
            raise ValueError(f"the snapshot's {name} is {show(tree[name])}")


def check_array(name: str, value: Any, dtype: DTypeLike, *shape: int | None) -> None:
    """Raise ValueError unless it is an array of this type and shape; a None in the shape may be any length."""
    is_array = isinstance(value, np.ndarray) and value.dtype == dtype and value.ndim == len(shape)
    if not is_array or any(want not in (None, found) for want, found in zip(shape, value.shape, strict=True)):
        found = f"of {value.dtype}, {value.shape}" if isinstance(value, np.ndarray) else show(value)
        raise ValueError(f"the snapshot's {name} must be an array of {np.dtype(dtype)}, {shape}, got {found}")


def check_numbers(name: str, numbers: NDArray[Any], low: Any, high: Any) -> None:
    """Raise ValueError for a number below ``low`` or above ``high``, or NaN. Bounds may differ by column."""
    is_good: NDArray[bool_] = (numbers >= np.array(low)) & (numbers <= np.array(high))
    if not is_good.all():
        bad = numbers[~is_good].flat[0]
        raise ValueError(f"the snapshot's {name} must be from {low} to {high}, got {bad}")

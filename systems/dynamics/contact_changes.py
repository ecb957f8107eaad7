"""What changes contacts before they are solved: one-way platforms, and functions for ``physics.pre_solve``."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import OneWay
from ecsphys.components.store.column import show
from ecsphys.components.store.column_store import read_only
from ecsphys.components.store.component_table import rows_of
from ecsphys.engine.dynamics.bodies import BodyRows
from ecsphys.engine.dynamics.contacts.materials import SOLVER_CONTACT, ContactChanges, ContactRecords, change_contacts
from ecsphys.engine.hits.contact_filter import EntityRows, OneWaySurfaces, veto_passing
from ecsphys.engine.kernels import Capacity, address_of
from ecsphys.engine.math.elementary import lengths_of
from ecsphys.engine.run.plan import CHANGES_ROOM, HAS_CHANGES, VETOED
from ecsphys.systems.world.esper_world import refuse_misfit

if TYPE_CHECKING:
    from ecsphys.engine.run.plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics_state import PhysicsState


WHAT: Final = "physics.pre_solve"
WHAT_IN_C: Final = "a physics.pre_solve of C"

_IN_C: Final = "void f(record *contacts, int64_t count)"
_OF_NUMBA: Final = "void(CPointer(numba.from_dtype(ecsphys.types.SOLVER_CONTACT)), int64)"
_OF_CTYPES: Final = "CFUNCTYPE(None, c_void_p, c_int64)"

# A flag of classes of function pointers, FUNCFLAG_PYTHONAPI: their functions need Python's lock.
_NEEDS_LOCK: Final = 4
_FunctionPointer: Final[Any] = ctypes.CFUNCTYPE(None).__mro__[1]
_Pointer: Final[Any] = ctypes.POINTER(ctypes.c_int).__mro__[1]


class CFunction(Protocol):
    """Machine code with an address, such as what ``numba.cfunc`` makes."""

    @property
    def address(self) -> int:
        """Where the code is."""


PreSolve = Callable[["SolverContacts"], object]
"""Called with the contacts that are about to be solved; its result is ignored."""


class CPreSolve:
    """A function of C and its address. It keeps the function alive."""

    __slots__ = ("address", "function")

    def __init__(self, function: Any, address: int) -> None:
        self.function = function
        self.address = address


def checked_pre_solve(value: Any) -> PreSolve | CPreSolve | None:
    """A function of the contacts, or None; TypeError for any other value."""
    if value is None:
        return None
    if isinstance(value, _FunctionPointer):
        return CPreSolve(value, _address_of_pointer(value))
    address = getattr(value, "address", None)
    if isinstance(address, int) and not isinstance(address, bool):
        if address <= 0:
            raise TypeError(f"{WHAT} must have the address of a function, got {address}")
        _refuse_signature(value)
        return CPreSolve(value, address)
    if not callable(value):
        raise TypeError(
            f"{WHAT} must be a function that takes the contacts, a function of C, {_IN_C}, or None, got {show(value)}"
        )
    refuse_misfit(WHAT, value, "the SolverContacts")
    function: PreSolve = value
    return function


def _address_of_pointer(function: Any) -> int:
    """Where the function of a pointer of ctypes is; TypeError where it cannot be called with records."""
    if function._flags_ & _NEEDS_LOCK:
        raise TypeError(f"{WHAT} is called without Python's lock: use {_OF_CTYPES}, not PYFUNCTYPE or PyDLL")
    arguments = tuple(function.argtypes or ())
    if function.restype is not None or len(arguments) != 2 or not _takes(*arguments):
        names = ", ".join(getattr(kind, "__name__", str(kind)) for kind in arguments)
        result = getattr(function.restype, "__name__", function.restype)
        raise TypeError(f"{WHAT} must be {_OF_CTYPES}, got argtypes ({names}) and restype {result}")
    address = ctypes.cast(function, ctypes.c_void_p).value
    if address is None:
        raise TypeError(f"{WHAT} must point to a function, got a null pointer")
    return address


def _takes(records: Any, count: Any) -> bool:
    """Whether arguments of these types of ctypes are a pointer to records, and a count."""
    if count is not ctypes.c_int64 and not (count is ctypes.c_ssize_t and ctypes.sizeof(count) == 8):
        return False
    if records is ctypes.c_void_p:
        return True
    if not (isinstance(records, type) and issubclass(records, _Pointer)):
        return False
    pointee: Any = records
    return bool(ctypes.sizeof(pointee._type_) == SOLVER_CONTACT.itemsize)


def _refuse_signature(function: Any) -> None:
    """TypeError for a ``numba.cfunc`` of another signature."""
    signature = getattr(function, "_sig", None)
    arguments = getattr(signature, "args", None)
    if arguments is None:
        return
    fits = (
        str(getattr(signature, "return_type", "")) in ("none", "void")
        and len(arguments) == 2
        and str(arguments[0]).endswith("*")
        and getattr(getattr(arguments[0], "dtype", None), "size", SOLVER_CONTACT.itemsize) == SOLVER_CONTACT.itemsize
        and str(arguments[1]) == "int64"
    )
    if not fits:
        raise TypeError(f"{WHAT} must have the signature {_OF_NUMBA}, got {signature}")


NO_CHANGES: Final = ContactChanges(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, uint8))
_NO_PAIRS: Final[NDArray[int32]] = np.zeros((0, 2), int32)


class SolverContacts:
    """The contacts that are about to be solved, as ``physics.pre_solve`` receives them: arrays of n rows.

    They include contacts of sensors, and of entities that are not bodies, which are never solved. The arrays are views:
    use them only during the call. A function of C receives records with the same fields
    (:data:`~ecsphys.types.SOLVER_CONTACT`). These are read-only:

    ``entity_a``, ``entity_b``
        (n,) int64, the esper entities, a < b.
    ``collider_a``, ``collider_b``, ``part_a``, ``part_b``
        As in :class:`~ecsphys.types.HitArrays`.
    ``normal``
        (n, 2) float64, unit, from a to b.
    ``depth``
        (n,) float64, units; 0 or less if the two are only near each other.
    ``positions``
        (n, 2, 2) float64, the points in the world; NaN in an unused second row.
    ``separations``
        (n, 2) float64, units: the distance of the surfaces at each point, negative if they overlap.
    ``impulse``
        (n,) float64, mass · units/s, along the normal in the last step.

    You may write these:

    ``friction``, ``restitution``
        (n,) float64, >= 0 and in [0, 1]. They are NaN, which uses the materials.
    ``tangent_speed``
        (n,) float64, units/s, as in ``RigidBody``: clockwise around both bodies. It is NaN, which uses the materials.
    ``is_vetoed``
        (n,) bool, True to ignore the contact in this step. It is True already if the two pass a ``OneWay``.
    ``flag``
        (n,) int32, for your own use. The number stays with the pair from step to step, until the two are apart and the
        contact ends. It begins as 0.
    """

    __slots__ = SOLVER_CONTACT.names or ()

    def __init__(self, buffer: ContactBuffer, count: int, changes: ContactChanges) -> None:
        hits, points = buffer.table
        rows = slice(count)
        self.entity_a: NDArray[int64] = read_only(hits.entity_a[rows])
        self.entity_b: NDArray[int64] = read_only(hits.entity_b[rows])
        self.collider_a: NDArray[uint8] = read_only(hits.collider_a[rows])
        self.collider_b: NDArray[uint8] = read_only(hits.collider_b[rows])
        self.part_a: NDArray[int32] = read_only(hits.part_a[rows])
        self.part_b: NDArray[int32] = read_only(hits.part_b[rows])
        self.normal: NDArray[float64] = read_only(hits.normal[rows])
        self.depth: NDArray[float64] = read_only(hits.depth[rows])
        self.positions: NDArray[float64] = read_only(points.positions[rows].reshape(-1, 2, 2))
        self.separations: NDArray[float64] = read_only(points.separations[rows])
        self.impulse: NDArray[float64] = read_only(points.totals[rows, 0])
        self.friction: NDArray[float64] = changes.friction[rows]
        self.restitution: NDArray[float64] = changes.restitution[rows]
        self.tangent_speed: NDArray[float64] = changes.tangent_speed[rows]
        self.is_vetoed: NDArray[bool_] = changes.is_vetoed[rows].view(bool_)
        self.flag: NDArray[int32] = points.flags[rows]

    def __len__(self) -> int:
        return len(self.depth)

    def _refuse_bad_values(self) -> None:
        """Raise ValueError, naming the entities and the value, if a number is out of its bounds."""
        for name, low, high in (
            ("friction", 0.0, np.inf),
            ("restitution", 0.0, 1.0),
            ("tangent_speed", -np.inf, np.inf),
        ):
            values = getattr(self, name)
            bad = np.flatnonzero((values < low) | (values > high) | np.isinf(values))
            if bad.size:
                k = int(bad[0])
                bounds = "finite" if high == np.inf else "in [0, 1]"
                least = " and at least 0" if low == 0.0 and high == np.inf else ""
                raise ValueError(
                    f"contacts.{name}[{k}] (entities {int(self.entity_a[k])} and {int(self.entity_b[k])}) must be"
                    f" {bounds}{least}, or NaN to use the materials; got {float(values[k])!r}"
                )


class ContactRules:
    """Finds the changes to the contacts of each step of one world, and owns their arrays."""

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._capacity = Capacity()
        self._changes = NO_CHANGES
        self.vetoed = _NO_PAIRS
        """(k, 2) the pairs of slots whose contacts were left out of the last step."""
        # For a function of C: records, where they are, and the pairs that were vetoed.
        self._records = ContactRecords(np.zeros(0, SOLVER_CONTACT))
        self._records_at = 0
        self._vetoed_room = _NO_PAIRS

    def changes(self, buffer: ContactBuffer, count: int, bodies: BodyRows, dt: float, slop: float) -> ContactChanges:
        """The changes to the first ``count`` contacts of a buffer; no rows if there are no changes.

        Raises the errors of ``pre_solve``, and ValueError for a bad number or a ``OneWay`` without a direction.
        """
        one_way, pre_solve = rows_of(OneWay), self._function_now()
        self.vetoed = _NO_PAIRS
        if not count or (pre_solve is None and not len(one_way)):
            return NO_CHANGES
        capacity = self._capacity.choose(count, len(self._changes.friction))
        if capacity != len(self._changes.friction):
            numbers = np.empty((3, capacity))
            self._changes = ContactChanges(numbers[0], numbers[1], numbers[2], np.empty(capacity, uint8))
        changes = self._changes
        if isinstance(pre_solve, CPreSolve):
            self._reserve_records()
        for values in changes[:3]:
            values[:count] = np.nan
        changes.is_vetoed[:count] = 0
        hits, points = buffer.table
        if len(one_way):
            surfaces = self._surfaces(EntityRows(one_way.entity, one_way.row))
            veto_passing(hits.pairs, hits.normal, points, count, surfaces, bodies, dt, slop, changes.is_vetoed)
        if pre_solve is not None:
            self._call(pre_solve, buffer, count)
        vetoed = np.flatnonzero(changes.is_vetoed[:count])
        if vetoed.size:
            self.vetoed = hits.pairs[vetoed]
        return changes

    @property
    def are_of_plans(self) -> bool:
        """Whether a plan can make the changes of the next step, or there are none, as long as no component comes or
        goes."""
        return not callable(self._state.stepping.pre_solve) and not len(rows_of(OneWay))

    def plan(self, plan: StepPlan, buffer: ContactBuffer) -> ContactChanges:
        """Write the call of a function of C to the plan of steps that begin with the contacts of a buffer.

        Returns the changes that it makes; no rows if there is no such function.
        """
        pre_solve = self._function_now()
        if not isinstance(pre_solve, CPreSolve):
            return NO_CHANGES
        self._reserve_records()
        plan.put(HAS_CHANGES, 1)
        plan.put(CHANGES_ROOM, len(self._vetoed_room))
        plan.record(change_contacts, self._calling(pre_solve, buffer, 0, False))
        return self._changes

    def take_from(self, words: memoryview, count: int) -> ContactChanges:
        """Take over the vetoes of the function of C in a step that a plan has made, with ``count`` contacts.

        Returns the changes of that step.
        """
        if not words[HAS_CHANGES]:
            return NO_CHANGES
        vetoed = words[VETOED]
        self.vetoed = self._vetoed_room[:vetoed].copy() if vetoed else _NO_PAIRS
        return self._changes if count else NO_CHANGES

    def refuse(self, buffer: ContactBuffer, count: int) -> None:
        """Raise the error of a step in which a plan has refused a number of the function of C."""
        SolverContacts(buffer, count, self._changes)._refuse_bad_values()

    def _function_now(self) -> PreSolve | CPreSolve | None:
        """The function that changes contacts.

        While all bodies sleep there is no function: calm steps call none, and earlier steps decide which are calm.
        """
        state = self._state
        return None if state.stepping.pre_solve is None or state.body_table.all_sleep else state.stepping.pre_solve

    def _surfaces(self, rows: EntityRows) -> OneWaySurfaces:
        normals = OneWay._columns.float64
        lengths = lengths_of(*normals[:, rows.row])
        bad = np.flatnonzero(~((lengths > 0.0) & (lengths < np.inf)))
        if bad.size:
            normal = tuple(normals[:, rows.row[bad[0]]].tolist())
            raise ValueError(
                f"entity {int(rows.entity[bad[0]])}: the normal of its OneWay must be a finite direction, got {normal}"
            )
        colliders = self._state.tables.colliders
        slots = colliders.slots
        body_of = self._state.body_table.body_of
        return OneWaySurfaces(rows, normals, slots.entity, slots.kind, colliders.placed.angles, body_of)

    def _reserve_records(self) -> None:
        """Have a record for each row of the changes."""
        capacity = len(self._changes.friction)
        if capacity != len(self._vetoed_room):
            records, vetoed = ContactRecords(np.zeros(capacity, SOLVER_CONTACT)), np.empty((capacity, 2), int32)
            self._records, self._records_at, self._vetoed_room = records, address_of(records.of), vetoed

    def _calling(self, pre_solve: CPreSolve, buffer: ContactBuffer, count: int, has_vetoed: bool) -> tuple[Any, ...]:
        """The arguments of ``change_contacts``."""
        records, changes = self._records, self._changes
        return pre_solve.address, self._records_at, buffer.table, count, records, changes, has_vetoed, self._vetoed_room

    def _call(self, pre_solve: PreSolve | CPreSolve, buffer: ContactBuffer, count: int) -> None:
        tables, contacts = self._state.tables, SolverContacts(buffer, count, self._changes)
        if isinstance(pre_solve, CPreSolve):
            arguments = self._calling(pre_solve, buffer, count, True)
            self._state.call(WHAT_IN_C, lambda: change_contacts(*arguments))
        else:
            self._state.call(WHAT, lambda: pre_solve(contacts))
        if self._state.tables is not tables or not tables.is_current():
            raise RuntimeError(f"{WHAT} must not create or delete entities, or add or remove components")
        contacts._refuse_bad_values()

"""Functions of a game for ``physics.pre_solve``: of Python, or of C."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from ecsphys.components.store.column import show
from ecsphys.engine.dynamics.contacts.contact_records import SOLVER_CONTACT
from ecsphys.systems.world.handler_arguments import refuse_misfit

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.contact_changes import SolverContacts

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

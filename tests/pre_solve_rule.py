"""A rule for ``physics.pre_solve`` that reads every field of contacts and writes all it may, in each form of function.

The source is one for all: records have the fields of ``SolverContacts``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from ecsphys.types import SOLVER_CONTACT

C_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
SIGNATURE = types.void(types.CPointer(numba.from_dtype(SOLVER_CONTACT)), types.int64)


def rule(contacts: Any) -> None:
    """Change contacts by numbers that depend on every field."""
    for k in range(len(contacts.depth)):
        flag = contacts.flag[k]
        pair = contacts.entity_a[k] + 2 * contacts.entity_b[k] + contacts.part_a[k] + 3 * contacts.part_b[k]
        kinds = 2 * contacts.collider_a[k] + contacts.collider_b[k]
        if flag % 50 == 4:
            contacts.is_vetoed[k] = not contacts.is_vetoed[k]
        if pair % 3 == 0:
            contacts.friction[k] = 0.25 * (flag % 5) + abs(contacts.normal[k][0])
        if (pair + kinds) % 4 == 1:
            contacts.restitution[k] = 0.5 * abs(contacts.normal[k][1])
        if kinds % 2 == 0:
            contacts.tangent_speed[k] = 0.05 * min(contacts.impulse[k], 1.0) + 0.125 * contacts.depth[k]
        if contacts.positions[k][0][0] > 1.0 or contacts.positions[k][1][1] > 2.0:
            contacts.friction[k] = 0.5
        if contacts.separations[k][0] < 0.0 or contacts.separations[k][1] > 0.01:
            contacts.flag[k] = flag + 1


def records_at(address: int, count: int) -> Any:
    """The records at an address, with their fields as attributes."""
    memory = (ctypes.c_char * (count * SOLVER_CONTACT.itemsize)).from_address(address)
    return np.frombuffer(memoryview(memory), SOLVER_CONTACT).view(np.recarray)


def of_numba(function: Callable[[Any], None]) -> Any:
    """The ``numba.cfunc`` of a function of records."""
    compiled = numba.njit(function)

    def changed(contacts: Any, count: int) -> None:
        compiled(numba.carray(contacts, count))

    return numba.cfunc(SIGNATURE)(changed)


@cache
def rule_of_numba() -> Any:
    """The rule as machine code."""
    return of_numba(rule)


def rule_of_pointer() -> Any:
    """The same machine code as a function pointer of ctypes."""
    return C_FUNCTION(rule_of_numba().address)


def of_ctypes(function: Callable[[Any], object]) -> Any:
    """A function pointer that calls a function of Python with records."""

    def called(address: int, count: int) -> None:
        function(records_at(address, count))

    return C_FUNCTION(called)


def rule_of_ctypes() -> Any:
    """The rule in Python, behind a function pointer."""
    return of_ctypes(rule)


FORMS: dict[str, Callable[[], Any]] = {
    "python": lambda: rule,
    "numba": rule_of_numba,
    "pointer": rule_of_pointer,
    "ctypes": rule_of_ctypes,
}

"""``physics.pre_solve`` as a function of C: its records, its results, and its errors."""

from __future__ import annotations

import ctypes
import gc
import itertools
import weakref
from collections.abc import Callable
from typing import Any

import esper
import numba
import numpy as np
import pytest
from numba import types
from pre_solve_rule import C_FUNCTION, FORMS, SIGNATURE, of_ctypes, of_numba, rule_of_numba

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    CircleCollider,
    CompoundCollider,
    DistanceJoint,
    OBBCollider,
    OneWay,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.types import SOLVER_CONTACT, SolverContacts

STEP = 1 / 60
_names = itertools.count(1)


def fill(seed: int, threads: int = 1, bodies: int = 30) -> Physics:
    """A new world of bodies of some shapes that fall on each other, with a plank, a joint, a sensor and a bullet."""
    esper.switch_world(f"pre-solve {next(_names)}")
    physics = ecsphys.install(gravity=(0.0, -9.8), threads=threads)
    source = np.random.default_rng(seed)
    esper.create_entity(Transform(0, -1), AABBCollider(30, 1), Solid())
    if seed % 2:
        esper.create_entity(Transform(-2, 2), OBBCollider(2, 0.1), Solid(), OneWay())
    made = []
    for k in range(bodies):
        x, y, angle = source.uniform((-6, 1, -3), (6, 12, 3))
        shape: Any = (CircleCollider(0.4), OBBCollider(0.5, 0.3), CapsuleCollider(0.5, 0.2))[k % 3]
        if k == 5:
            shape = CompoundCollider([CircleCollider(0.3), CircleCollider(0.3, offset_x=0.5)])
        body = RigidBody(can_sleep=k % 4 > 0, restitution=float(source.choice([0.0, 0.4])))
        made.append(esper.create_entity(Transform(x, y, angle), Velocity(*source.uniform(-3, 3, 2)), shape, body))
    esper.create_entity(DistanceJoint(made[0], made[1], length=2.0))
    esper.create_entity(Transform(3, 0.5), CircleCollider(1, sensor=True))
    if seed % 3 == 0:
        esper.create_entity(Transform(-20, 1), Velocity(90, 0), CircleCollider(0.1), RigidBody(), Bullet())
    return physics


def played(physics: Physics, steps: int) -> list[Any]:
    """What steps have come to."""
    found: list[Any] = []
    for k in range(steps):
        esper.process(STEP)
        if k % 25 == 0:
            found.append((physics.digest(), physics.hits.impulse.tolist(), len(physics.hits.started)))
    return [*found, physics.digest()]


@pytest.mark.parametrize("form", ["numba", "pointer", "ctypes"])
@pytest.mark.parametrize("seed", [0, 3])
def test_a_function_of_c_leaves_the_bits_of_the_same_function_of_python(seed: int, form: str) -> None:
    found = []
    for name in ("python", form):
        physics = fill(seed)
        physics.pre_solve = FORMS[name]()
        found.append(played(physics, 160))
    assert found[0] == found[1]
    physics = fill(seed)
    assert played(physics, 160) != found[0]


def test_threads_leave_the_same_bits() -> None:
    found = []
    for name, threads in (("numba", 1), ("numba", 3), ("ctypes", 3)):
        physics = fill(2, threads, bodies=900)
        physics.pre_solve = FORMS[name]()
        found.append(played(physics, 25))
    assert found[1:] == found[:1] * 2


def drop(physics: Physics) -> tuple[int, int]:
    """A ground and a box that lies on it."""
    ground = esper.create_entity(Transform(0, -0.5), AABBCollider(50, 0.5), Solid())
    return ground, esper.create_entity(Transform(0, 0.5), OBBCollider(0.5, 0.5), RigidBody(can_sleep=False))


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -9.8), threads=1)


def test_records_have_the_values_of_solver_contacts_in_the_layout_of_c(physics: Physics) -> None:
    drop(physics)
    seen: list[Any] = []
    for _ in range(3):
        esper.process(STEP)
    start = physics.snapshot()
    physics.pre_solve = of_ctypes(lambda records: seen.append(records.copy()))
    esper.process(STEP)
    (records,) = seen

    def compare(contacts: SolverContacts) -> None:
        seen.append(None)
        for name in SOLVER_CONTACT.names or ():
            expected = getattr(contacts, name)
            assert records[name].dtype == expected.dtype
            assert np.array_equal(records[name], expected, equal_nan=expected.dtype.kind == "f"), name

    physics.restore(start)
    physics.pre_solve = compare
    esper.process(STEP)
    assert len(seen) == 2

    # Layout compilers give a struct with these fields.
    class Struct(ctypes.Structure):
        _fields_ = (
            ("entity_a", ctypes.c_int64),
            ("entity_b", ctypes.c_int64),
            ("normal", ctypes.c_double * 2),
            ("depth", ctypes.c_double),
            ("positions", ctypes.c_double * 2 * 2),
            ("separations", ctypes.c_double * 2),
            ("impulse", ctypes.c_double),
            ("friction", ctypes.c_double),
            ("restitution", ctypes.c_double),
            ("tangent_speed", ctypes.c_double),
            ("part_a", ctypes.c_int32),
            ("part_b", ctypes.c_int32),
            ("flag", ctypes.c_int32),
            ("collider_a", ctypes.c_uint8),
            ("collider_b", ctypes.c_uint8),
            ("is_vetoed", ctypes.c_bool),
        )

    assert ctypes.sizeof(Struct) == SOLVER_CONTACT.itemsize
    fields = SOLVER_CONTACT.fields
    assert fields is not None
    assert {name: fields[name][1] for name in fields} == {name: getattr(Struct, name).offset for name in fields}
    physics.pre_solve = ctypes.CFUNCTYPE(None, ctypes.POINTER(Struct), ctypes.c_int64)(
        lambda contacts, count: seen.append(contacts[0].entity_b)
    )
    esper.process(STEP)
    assert seen[-1] == records.entity_b[0]


BAD = [
    ("friction", -1.0),
    ("friction", np.inf),
    ("friction", -np.inf),
    ("restitution", 1.5),
    ("restitution", -0.1),
    ("restitution", np.inf),
    ("tangent_speed", np.inf),
    ("tangent_speed", -np.inf),
]


@pytest.mark.parametrize("is_planned", [False, True])
@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_raises_the_error_of_the_python_form_and_the_next_step_works(
    name: str, value: float, is_planned: bool, physics: Physics
) -> None:
    ground, crate = drop(physics)
    other = esper.create_entity(Transform(4, 0.5), OBBCollider(0.5, 0.5), RigidBody(can_sleep=False))
    is_bad = [False]

    def spoil(contacts: Any) -> None:
        contacts.flag[:] = contacts.flag + 1
        if is_bad[0]:
            getattr(contacts, name)[contacts.entity_b == other] = value

    found = []
    start = physics.snapshot()
    for form in (spoil, of_ctypes(spoil)):
        physics.restore(start)
        physics.pre_solve = form
        is_bad[0] = False
        for _ in range(30 if is_planned else 1):
            esper.process(STEP)
        if is_planned and form is not spoil:
            assert physics._state.stepping.planned.is_ready
        before = esper.component_for_entity(crate, Transform).y
        is_bad[0] = True
        message = rf"^contacts\.{name}\[1\] .entities {ground} and {other}. must be"
        with pytest.raises(ValueError, match=message) as error:
            esper.process(STEP)
        assert esper.component_for_entity(crate, Transform).y == before
        is_bad[0] = False
        for _ in range(20):
            esper.process(STEP)
        found.append((str(error.value), physics.digest()))
    assert found[0] == found[1]


def test_nan_and_the_bounds_themselves_are_no_bad_values(physics: Physics) -> None:
    drop(physics)

    def write(contacts: Any) -> None:
        contacts.friction[:] = 0.0
        contacts.restitution[:] = 1.0
        contacts.tangent_speed[:] = np.nan

    physics.pre_solve = of_ctypes(write)
    for _ in range(10):
        esper.process(STEP)
    assert len(physics.hits)


def test_what_is_written_to_a_field_of_the_game_s_is_not_taken_over(physics: Physics) -> None:
    _, crate = drop(physics)

    def overwrite(contacts: Any) -> None:
        for name in SOLVER_CONTACT.names or ():
            if name not in ("flag", "friction", "restitution", "tangent_speed", "is_vetoed"):
                contacts[name] = 77

    physics.pre_solve = of_ctypes(overwrite)
    for _ in range(30):
        esper.process(STEP)
    assert esper.component_for_entity(crate, Transform).y == pytest.approx(0.5, abs=0.01)
    assert physics.hits.entity_b.tolist() == [crate]


def test_any_number_but_0_vetoes_and_why_no_hit_knows(physics: Physics) -> None:
    ground, crate = drop(physics)
    physics.pre_solve = of_ctypes(lambda contacts: contacts.is_vetoed.view(np.uint8).fill(128))
    for _ in range(12):
        esper.process(STEP)
    assert esper.component_for_entity(crate, Transform).y < 0.4
    assert physics._state.solver is not None
    assert physics._state.solver.rules.vetoed.shape == (1, 2)
    assert physics.hits.has(ground, crate)


def test_the_function_is_kept_alive_and_given_back(physics: Physics) -> None:
    drop(physics)
    seen: list[int] = []
    function = of_ctypes(lambda contacts: seen.append(len(contacts)))
    reference = weakref.ref(function)
    physics.pre_solve = function
    assert physics.pre_solve is function
    del function
    gc.collect()
    assert reference() is not None
    for _ in range(20):
        esper.process(STEP)
    assert len(seen) >= 18
    physics.pre_solve = None
    assert physics.pre_solve is None
    esper.process(STEP)
    esper.process(STEP)
    gc.collect()
    assert reference() is None


def test_an_error_of_python_behind_a_pointer_is_printed_and_the_step_goes_on(
    physics: Physics, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop(physics)
    printed: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", lambda error: printed.append(error.exc_value))
    physics.pre_solve = of_ctypes(lambda contacts: 1 // 0)
    for _ in range(5):
        esper.process(STEP)
    assert {type(error) for error in printed} == {ZeroDivisionError}


@pytest.mark.parametrize("step", [lambda physics: physics.step(0.1), lambda _: esper.process(0.1), Physics.detect])
@pytest.mark.parametrize("steps", [2, 30])
def test_python_behind_a_pointer_must_not_step_its_physics(
    steps: int, step: Callable[[Physics], None], physics: Physics, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, crate = drop(physics)
    printed: list[str] = []
    monkeypatch.setattr("sys.unraisablehook", lambda error: printed.append(str(error.exc_value)))
    is_on = [False]

    def nested(contacts: Any) -> None:
        if is_on[0]:
            step(physics)

    physics.pre_solve = of_ctypes(nested)
    for _ in range(steps):
        esper.process(STEP)
    is_on[0] = True
    esper.process(STEP)
    is_on[0] = False
    (message,) = printed
    assert message.startswith("a physics.pre_solve of C must not call physics.step or esper.process")
    for _ in range(10):
        esper.process(STEP)
    assert esper.component_for_entity(crate, Transform).y == pytest.approx(0.5, abs=0.01)


class Coded:
    """Anything with an address."""

    def __init__(self, address: Any) -> None:
        self.address = address


def test_anything_with_the_address_of_a_function_is_called(physics: Physics) -> None:
    _, crate = drop(physics)
    physics.pre_solve = Coded(rule_of_numba().address)
    esper.process(STEP)
    physics.pre_solve = Coded(of_numba(veto).address)
    for _ in range(20):
        esper.process(STEP)
    assert esper.component_for_entity(crate, Transform).y < 0.3


def veto(contacts: Any) -> None:
    for k in range(len(contacts)):
        contacts.is_vetoed[k] = True


def _of(result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)(lambda *_: None)


def _cfunc(signature: Any) -> Any:
    functions: dict[int, Any] = {1: lambda a: None, 2: lambda a, b: None, 3: lambda a, b, c: None}
    if signature.return_type == types.int64:
        return numba.cfunc(signature)(lambda a, b: b)
    return numba.cfunc(signature)(functions[len(signature.args)])


_INT_POINTER = ctypes.POINTER(ctypes.c_int)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "a function of C, void f"),
        (Coded(0), "must have the address of a function, got 0"),
        (Coded(-8), "must have the address of a function, got -8"),
        (Coded(True), "a function of C, void f"),
        (Coded("here"), "a function of C, void f"),
        (
            _of(None, ctypes.c_void_p),
            r"must be CFUNCTYPE.None, c_void_p, c_int64., got argtypes .c_void_p. and",
        ),
        (_of(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64), "restype c_int"),
        (_of(None, ctypes.c_void_p, ctypes.c_int32), "got argtypes"),
        (_of(None, ctypes.c_void_p, ctypes.c_double), "got argtypes"),
        (_of(None, ctypes.c_int64, ctypes.c_int64), "got argtypes"),
        (_of(None, _INT_POINTER, ctypes.c_int64), "got argtypes"),
        (ctypes.pythonapi.Py_IncRef, "without Python's lock"),
        (C_FUNCTION(), "null pointer"),
        (_cfunc(types.void(types.CPointer(numba.from_dtype(SOLVER_CONTACT)))), "must have the signature"),
        (_cfunc(types.void(types.CPointer(types.float64), types.int64, types.int64)), "must have the signature"),
        (_cfunc(types.void(types.int64, types.int64)), "must have the signature"),
        (_cfunc(types.int64(types.voidptr, types.int64)), "must have the signature"),
        (
            _cfunc(types.void(types.CPointer(numba.from_dtype(np.dtype([("x", np.float64)]))), types.int64)),
            "must have the signature",
        ),
    ],
)
def test_other_values_are_refused(value: Any, message: str, physics: Physics) -> None:
    before = physics.pre_solve = rule_of_numba()
    with pytest.raises(TypeError, match=rf"^physics\.pre_solve .*{message}"):
        physics.pre_solve = value
    assert physics.pre_solve is before


def test_pointers_to_nothing_in_particular_and_to_records_are_taken(physics: Physics) -> None:
    for signature in (SIGNATURE, types.void(types.voidptr, types.int64)):
        physics.pre_solve = _cfunc(signature)
    physics.pre_solve = _of(None, ctypes.c_void_p, ctypes.c_ssize_t)

"""What a type checker takes a column for is what it is; ``assert_type`` is checked by mypy, the rest here."""

from __future__ import annotations

from typing import Any, assert_type, get_args

import numpy as np
from numpy import float64, int64, uint8, uint32
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    CircleCollider,
    CollisionFilter,
    Component,
    Parent,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Transform,
    WorldBounds,
)
from ecsphys.components.store.component import Float64Field, Int64Field, Uint8Field, Uint32Field
from ecsphys.effects import Beam

BUILT_IN = [
    one
    for one in (*vars(ecsphys).values(), *vars(ecsphys.effects).values())
    if isinstance(one, type) and issubclass(one, Component) and one is not Component
]


class Health(Component):
    points: float = 1.0


def test_columns_have_the_dtypes_that_a_type_checker_sees() -> None:
    assert assert_type(Transform.column("x"), NDArray[float64]).dtype == float64
    assert assert_type(Beam.column("width", writable=False), NDArray[float64]).dtype == float64
    assert assert_type(CircleCollider.column("radius"), NDArray[float64]).dtype == float64
    assert assert_type(CircleCollider.column("sensor"), NDArray[uint8]).dtype == uint8
    assert assert_type(PolygonCollider.column("sensor", writable=False), NDArray[uint8]).dtype == uint8
    assert assert_type(CollisionFilter.column("mask"), NDArray[uint32]).dtype == uint32
    assert assert_type(CollisionFilter.column("group"), NDArray[int64]).dtype == int64
    assert assert_type(Parent.column("entity"), NDArray[int64]).dtype == int64
    assert assert_type(Parent.column("angle"), NDArray[float64]).dtype == float64
    assert assert_type(RigidBody.column("kind"), NDArray[int64]).dtype == int64
    assert assert_type(RigidBody.column("mass"), NDArray[float64]).dtype == float64
    assert assert_type(RevoluteJoint.column("has_limits"), NDArray[int64]).dtype == int64
    assert assert_type(WorldBounds.column("margin"), NDArray[float64]).dtype == float64
    assert_type(Health.column("points"), NDArray[Any])


def test_every_field_of_the_built_in_components_is_listed_with_its_dtype() -> None:
    listed = {
        name: np.dtype(dtype).name
        for names, dtype in ((Uint8Field, uint8), (Uint32Field, uint32), (Int64Field, int64), (Float64Field, float64))
        for name in get_args(names)
    }
    mixed = {}
    for cls in BUILT_IN:
        dtypes = {field.name: field.dtype for field in cls._columns.fields if not field.name.startswith("_")}
        if set(dtypes.values()) != {"float64"}:
            mixed.update(dtypes)
    assert mixed == listed

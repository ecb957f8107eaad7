"""What is no number, no name or no component is refused by name, at every public door, before anything changes."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    CircleCollider,
    CompoundCollider,
    Disabled,
    HitListener,
    Parent,
    PolygonCollider,
    Transform,
    geometry,
)
from ecsphys.effects import Camera, Emitter, TileMap
from ecsphys.systems import ParticleSystem, ScrollingSystem

HUGE = 10**400
SIGNALING = Decimal("sNaN")

NO_REAL_NUMBER: list[Any] = [
    1 + 2j,
    np.complex128(1 + 2j),
    np.array(1 + 2j),
    "1",
    None,
    float,
    np.ma.masked,
    np.timedelta64(1, "s"),
]
OUT_OF_RANGE: list[Any] = [HUGE, -HUGE, Fraction(HUGE), SIGNALING, Decimal("NaN"), math.nan]


def no_arrays(columns: int) -> list[Any]:
    """Tables of a row that hold no real numbers."""
    ones = [[1.0] * columns]
    return [
        [[1 + 2j] * columns],
        np.array(ones, complex),
        np.ma.array(ones, mask=True),
        np.array([[1] * columns], "m8[s]"),
        [["1"] * columns],
        [[HUGE] * columns],
        [[SIGNALING] * columns],
        [[1.0], [1.0, 2.0]],
        np.array(ones, bool),
    ]


@pytest.fixture
def physics() -> ecsphys.Physics:
    physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1))
    return physics


def one_number_doors(physics: ecsphys.Physics) -> dict[str, Callable[[Any], object]]:
    """Everything that takes one number, by how its errors begin."""
    particles, body, ball = ParticleSystem(physics), Transform(), CircleCollider(1)
    entity = esper.create_entity(Transform(9, 9), CircleCollider(1))
    return {
        "Transform.x": Transform,
        "Transform.angle": lambda value: Transform.many(angle=value),
        "Transform.y": lambda value: setattr(body, "y", value),
        "CircleCollider.radius": lambda value: CircleCollider.many([value]),
        "TileMap.tile_size": lambda value: TileMap([[1]], value),
        "CapsuleCollider.ax": lambda value: ecsphys.CapsuleCollider.from_points(value, 0, 1, 1, 1),
        "x": lambda value: particles.burst(value, 0, 1, Emitter()),
        "angle": lambda value: particles.burst(0, 0, 1, Emitter(), value),
        "point x": lambda value: physics.query_point((value, 0)),
        "displacement y": lambda value: physics.move_and_slide(entity, (0, value)),
        "gravity x": lambda value: setattr(physics, "gravity", (value, 0)),
        "dt": lambda value: esper.process(value),
        "max_distance": lambda value: physics.raycast((0, 0), (1, 0), value),
        "max_distance ": lambda value: geometry.raycast(ball, body, (0, 0), (1, 0), value),
        "radius": lambda value: geometry.circle_circle((0, 0), value, (1, 1), 1),
        "density": lambda value: geometry.mass_properties(ball, value),
    }


def test_one_number_is_refused_by_its_name(physics: ecsphys.Physics) -> None:
    for name, call in one_number_doors(physics).items():
        for value in NO_REAL_NUMBER:
            with pytest.raises(TypeError, match=rf"^{name.strip()}\w* must be"):
                call(value)
        for value in OUT_OF_RANGE:
            with pytest.raises(ValueError, match=rf"^{name.strip()}\w* must be"):
                call(value)


def test_arrays_of_something_else_than_real_numbers_are_refused_by_their_name(physics: ecsphys.Physics) -> None:
    ball, camera = CircleCollider(1), ScrollingSystem(physics)
    esper.create_entity(Camera(0, 0, 8, 6))
    doors: list[tuple[str, int, Callable[[Any], object]]] = [
        ("points", 2, physics.query_point_batch),
        ("boxes", 4, physics.query_aabb_batch),
        ("transforms", 3, lambda table: physics.query_shape_batch(ball, table)),
        ("points", 2, physics.nearest_batch),
        ("origins", 2, lambda table: physics.raycast_batch(table, [(1, 0)])),
        ("directions", 2, lambda table: physics.raycast_all_batch([(0, 0)], table)),
        ("max_distance", 1, lambda table: physics.raycast_batch([(0, 0)], [(1, 0)], table[0])),
        ("displacements", 2, lambda table: physics.shapecast_batch(ball, [(0, 0, 0)], table)),
        ("points", 2, camera.to_screen),
        ("points", 2, camera.to_world),
        ("points", 3, lambda table: ecsphys.effects.project_perspective(table, 1, 1)),
        ("polygon", 3, lambda table: ecsphys.effects.clip_at_near_plane(table, 1)),
        ("low", 1, lambda table: ecsphys.effects.uniform_splash(np.random.default_rng(), table[0], 1, 1)),
        ("sigma", 1, lambda table: ecsphys.effects.normal_splash(np.random.default_rng(), 0, table[0], 1)),
        ("Transform.x", 1, lambda table: Transform.many(table[0])),
        ("PolygonCollider.vertices", 2, lambda table: PolygonCollider(table)),
        ("TileMap.tiles", 2, lambda table: TileMap(table, 1)),
        ("candidate_pairs", 2, lambda table: setattr(physics.debug, "candidate_pairs", table)),
    ]
    for name, columns, call in doors:
        for table in no_arrays(columns):
            if columns == 1 and (len(table) > 1 or (isinstance(table, np.ndarray) and table.dtype == bool)):
                continue  # a row of such a table is one of numbers
            if name == "TileMap.tiles" and isinstance(table, np.ndarray) and table.dtype == bool:
                continue  # a map of what is solid
            with pytest.raises((TypeError, ValueError), match=rf"^{name}"):
                call(table)


@pytest.mark.parametrize("number", [HUGE, -HUGE, 2**63, -(2**63) - 1], ids=["huge", "-huge", "2⁶³", "-2⁶³-1"])
def test_entities_beyond_64_bits_are_refused(physics: ecsphys.Physics, number: int) -> None:
    for ignored in (number, [1, number]):
        with pytest.raises(ValueError, match=r"^ignore must be entities"):
            physics.query_point((0, 0), ignore=ignored)
        with pytest.raises(ValueError, match=r"^ignore must be entities"):
            physics.raycast_batch([(0, 0)], [(1, 0)], ignore=ignored)
    with pytest.raises(ValueError, match=r"^Parent\.entity must be a signed 64-bit integer"):
        Parent(number)


def test_a_column_is_asked_for_by_a_name() -> None:
    for name in (5, None, b"x", ["x"]):
        wrong: Any = name
        with pytest.raises(TypeError, match=r"^Transform\.column\(\) takes the name of a field"):
            Transform.column(wrong)
        with pytest.raises(TypeError, match=r"^Transform\.column\(\) takes the name of a field"):
            Transform.column(wrong, writable=False)


def test_a_stranger_under_a_plain_component_is_refused_by_name(physics: ecsphys.Physics) -> None:
    """Its parts or functions would be looked for, and not found."""
    esper.process(0.1)
    for cls in (CompoundCollider, HitListener):
        entity = esper.create_entity(place := Transform(3, 3))
        esper.add_component(entity, CircleCollider(1), type_alias=cls)
        with pytest.raises(
            TypeError, match=f"^entity {entity} has an instance of CircleCollider as its {cls.__name__}"
        ):
            esper.process(0.1)
        with pytest.raises(
            TypeError, match=f"^entity {entity} has an instance of CircleCollider as its {cls.__name__}"
        ):
            physics.query_point((0, 0))
        assert place.x == 3
        esper.remove_component(entity, cls)
        esper.process(0.1)


def test_a_marker_may_be_anything(physics: ecsphys.Physics) -> None:
    class Stunned:
        seconds = 3

    entity = esper.create_entity(Transform(), CircleCollider(1))
    esper.add_component(entity, Stunned(), type_alias=Disabled)
    assert entity not in physics.query_point((0, 0))

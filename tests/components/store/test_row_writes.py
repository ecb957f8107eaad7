"""``write``: fields of rows are written, checked and marked, or nothing is."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Component, RigidBody, Solid, Transform, Velocity

STEP = 1 / 60


class Mark(Component):
    level: float = ecsphys.column(default=1.0, low=0.0, high=10.0)
    team: int = 0
    is_seen: bool = False
    limit: float | None = ecsphys.column(default=None, above=0.0)
    mood: str = ecsphys.column(default="calm", choices=("calm", "angry"))


def marks(count: int) -> list[Mark]:
    return [Mark() for _ in range(count)]


def test_one_row_and_many_rows_get_one_value_or_a_value_each() -> None:
    a, b, c = made = marks(3)
    rows = np.array([one._row for one in made])
    Mark.write(b._row, level=2.5, team=3)
    Mark.write(rows, level=[4.0, 5.0, 6.0], is_seen=True)
    Mark.write(rows[::-1], team=np.array([7, 8, 9]))
    assert [(one.level, one.team, one.is_seen) for one in (a, b, c)] == [(4, 9, True), (5, 8, True), (6, 7, True)]


def test_optional_numbers_and_choices_are_taken_like_in_an_assignment() -> None:
    a, b = marks(2)
    Mark.write([a._row, b._row], limit=[2.0, None], mood="angry")
    assert [(one.limit, one.mood) for one in (a, b)] == [(2.0, "angry"), (None, "angry")]
    Mark.write(a._row, limit=None, mood="calm")
    assert (a.limit, a.mood) == (None, "calm")


def test_no_rows_and_no_fields_change_nothing() -> None:
    (a,) = marks(1)
    Mark.write([], level=2.0)
    Mark.write(np.zeros(0), level=2.0)
    Mark.write(a._row)
    assert a == Mark()


@pytest.mark.parametrize(
    ("rows", "values", "error", "message"),
    [
        (0, {"level": 11.0}, ValueError, r"Mark\.level"),
        (0, {"level": "high"}, TypeError, r"Mark\.level"),
        (0, {"level": float("nan")}, ValueError, r"Mark\.level"),
        (0, {"height": 1.0}, TypeError, "height"),
        (0, {"mood": "sad"}, ValueError, r"Mark\.mood"),
        ([0, 1], {"level": [1.0, -1.0]}, ValueError, r"Mark\.level.*at index 1"),
        ([0, 1], {"level": [1.0, 2.0, 3.0]}, ValueError, r"Mark\.level has 3 values for 2 rows"),
        ([0, 1], {"team": 3, "level": [1.0, None]}, TypeError, r"Mark\.level.*at index 1"),
        (-1, {"level": 1.0}, ValueError, "there is no row -1"),
        (10**9, {"level": 1.0}, ValueError, "there is no row 1000000000"),
        ([0, -2], {"level": 1.0}, ValueError, "there is no row -2.*at index 1"),
        ("all", {"level": 1.0}, TypeError, "takes a row, or rows"),
        ([0.5], {"level": 1.0}, TypeError, "takes a row, or rows"),
        ([[0]], {"level": 1.0}, TypeError, "takes a row, or rows"),
        (True, {"level": 1.0}, TypeError, "takes a row, or rows"),
    ],
)
def test_bad_arguments_are_refused_and_nothing_is_written(
    rows: Any, values: dict[str, Any], error: type[Exception], message: str
) -> None:
    made = marks(4)
    before = {field.name: Mark._columns.row_of_block(field.name).copy() for field in Mark._columns.fields}
    with pytest.raises(error, match=message):
        Mark.write(rows, **values)
    for name, column in before.items():
        assert Mark._columns.row_of_block(name).tobytes() == column.tobytes()
    assert len(made) == 4


def test_the_base_class_has_no_rows() -> None:
    with pytest.raises(TypeError, match="Component is a base class"):
        Component.write(0)


def test_the_next_step_sees_what_was_written() -> None:
    physics = ecsphys.install()
    circle, moved = CircleCollider(1), Transform(10, 0)
    esper.create_entity(Transform(0, 0), circle)
    esper.create_entity(moved, CircleCollider(1))
    for _ in range(20):
        esper.process(STEP)
    Transform.write(moved._row, x=1.5)
    esper.process(STEP)
    assert len(physics.hits.started) == 1
    CircleCollider.write(circle._row, radius=0.25)
    esper.process(STEP)
    assert len(physics.hits.ended) == 1


def test_what_sleeps_wakes_when_it_is_written() -> None:
    ecsphys.install(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, -1), AABBCollider(20, 1), Solid())
    place, body = Transform(0, 0.5), RigidBody()
    esper.create_entity(place, Velocity(), CircleCollider(0.5), body)
    for _ in range(120):
        esper.process(STEP)
    Transform.write(place._row, y=3.0)
    for _ in range(10):
        esper.process(STEP)
    assert place.y < 2.95

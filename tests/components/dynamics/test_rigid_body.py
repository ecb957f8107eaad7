"""``RigidBody``: its fields keep a choice, numbers that may be missing, and flags."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from ecsphys import RigidBody


def test_a_body_is_dynamic_and_weighs_what_its_colliders_do_unless_it_says_otherwise() -> None:
    body = RigidBody()
    assert (body.kind, body.mass, body.inertia, body.lock_x, body.can_sleep) == ("dynamic", None, None, False, True)


def test_fields_read_back_as_they_were_given_and_the_columns_have_their_numbers() -> None:
    body = RigidBody("static", mass=2.5, lock_rotation=True)
    row = body._row
    assert (body.kind, body.mass, body.inertia, body.lock_rotation) == ("static", 2.5, None, True)
    assert (RigidBody.column("kind")[row], RigidBody.column("mass")[row], RigidBody.column("inertia")[row]) == (
        2,
        2.5,
        0,
    )
    assert RigidBody.column("lock_rotation")[row] == 1
    body.kind, body.mass, body.lock_rotation = "kinematic", None, False
    assert (body.kind, body.mass, body.lock_rotation) == ("kinematic", None, False)


def test_copies_and_pickles_are_equal() -> None:
    body = RigidBody("kinematic", mass=3, lock_x=True, dominance=-4)
    for other in (copy.copy(body), pickle.loads(pickle.dumps(body))):
        assert other == body
        assert repr(other) == repr(body)
    assert body != RigidBody("kinematic", mass=None, lock_x=True, dominance=-4)


def test_many_take_choices_missing_numbers_and_flags_as_lists() -> None:
    values = RigidBody.many(kind=["dynamic", "static"], mass=[1.0, None], lock_y=[True, False]).values
    assert values["kind"].tolist() == [0, 2]
    assert values["mass"].tolist() == [1.0, 0.0]
    assert values["lock_y"].tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"RigidBody\.kind must be one of .* got 'fluid' at index 1"):
        RigidBody.many(kind=["dynamic", "fluid"])
    with pytest.raises(TypeError, match=r"RigidBody\.kind must be one of"):
        RigidBody.many(kind=[0, 1])
    with pytest.raises(ValueError, match=r"RigidBody\.mass must be greater than 0"):
        RigidBody.many(mass=[1.0, 0.0])


@pytest.mark.parametrize(
    ("field", "value", "error", "words"),
    [
        ("kind", "fluid", ValueError, "must be one of 'dynamic', 'kinematic', 'static', got 'fluid'"),
        ("kind", 1, TypeError, "must be one of 'dynamic', 'kinematic', 'static', got 1"),
        ("mass", 0.0, ValueError, "must be greater than 0 or None, got 0.0"),
        ("mass", -1.0, ValueError, "must be greater than 0 or None, got -1.0"),
        ("mass", float("nan"), ValueError, "must be finite, got nan"),
        ("inertia", "heavy", TypeError, "must be a number, got 'heavy'"),
        ("density", 0.0, ValueError, "must be greater than 0"),
        ("friction", -0.1, ValueError, "must be at least 0"),
        ("restitution", 1.5, ValueError, "must be at least 0 and at most 1"),
        ("lock_x", 2, TypeError, "must be True or False, got 2"),
        ("dominance", 128, ValueError, "must be at least -127 and at most 127"),
    ],
)
def test_bad_values_are_refused_by_name_and_the_old_value_stays(
    field: str, value: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=rf"RigidBody\.{field} {words}"):
        RigidBody(**{field: value})
    body = RigidBody()
    before = getattr(body, field)
    with pytest.raises(error, match=rf"RigidBody\.{field} {words}"):
        setattr(body, field, value)
    assert getattr(body, field) == before

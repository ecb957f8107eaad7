"""The hostile table: each refusal names the argument that is bad, and the check tells what it cannot try."""

from __future__ import annotations

import enum
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import CircleCollider, Transform, geometry

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))  # the checks are not installed

from checks.hostile import command, examples_by_name, public_calls  # noqa: E402


class Layer(enum.IntFlag):
    """Layers of a game."""

    PLAYER = 1


def _hits() -> ecsphys.types.HitArrays:
    physics = ecsphys.install()
    for _ in range(2):
        esper.create_entity(Transform(), CircleCollider(1))
    esper.process(0.0)
    return physics.hits


_TABLE = ecsphys.CollisionTable(Layer, {Layer.PLAYER: Layer.PLAYER})
_CIRCLE = CircleCollider(1)
# What the types refuse as well.
_SEVEN: Any = 7
_TEXT: Any = "x"
_NONE: Any = None
_INT: Any = int
_SHIFTS = ecsphys.effects.RowShifts(np.array([1]), np.array([0, 2]), np.zeros(2))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ecsphys.install(fixed_step=math.nan), ValueError, "^fixed_step must be finite, got nan"),
        (lambda: ecsphys.install(fixed_step=0), ValueError, "^fixed_step must be greater than 0, .*, got 0$"),
        (lambda: ecsphys.install(fixed_step=True), TypeError, "^fixed_step must be a number of steps"),
        (lambda: ecsphys.CollisionFilter().layers_as(_SEVEN), TypeError, "^kind must be an enum.IntFlag, got 7$"),
        (lambda: ecsphys.CollisionFilter().mask_as(_INT), TypeError, "^kind must be an enum.IntFlag"),
        (lambda: _TABLE.meets(_SEVEN, Layer.PLAYER), TypeError, "^some must be members of Layer, got 7"),
        (
            lambda: geometry.contact(_CIRCLE, Transform(), _CIRCLE, _SEVEN),
            TypeError,
            "^transform_b must be a Transform, got 7$",
        ),
        (
            lambda: geometry.contact(_SEVEN, Transform(), _CIRCLE, Transform()),
            TypeError,
            "^collider_a must be a collider",
        ),
        (lambda: geometry.aabb(_CIRCLE, _NONE), TypeError, "^transform must be a Transform, got None$"),
        (
            lambda: ecsphys.OBBCollider.from_corners(0, 0, math.nan, 1),
            ValueError,
            "^OBBCollider bx must be finite, got nan$",
        ),
        (
            lambda: ecsphys.WheelJoint.at(None, _TEXT, 0, 0, (0, 1)),
            TypeError,
            "^WheelJoint.at: wheel must be an entity, or None for the world, got 'x'$",
        ),
        (lambda: ecsphys.WheelJoint.at(_TEXT, None, 0, 0, (0, 1)), TypeError, "^WheelJoint.at: car must be an entity"),
        (lambda: ecsphys.MouseJoint.at(_TEXT, 0, 0), TypeError, "^MouseJoint.at: entity must be an entity"),
        (
            lambda: ecsphys.DistanceJoint.at(None, None, 1, 2, 1, 2),
            ValueError,
            r"^DistanceJoint.at: \(x_a, y_a\) and \(x_b, y_b\) are both",
        ),
        (
            lambda: ecsphys.Physics().add_to_snapshots(ecsphys.Solid, len, _SEVEN),
            TypeError,
            "^add_to_snapshots: put must be a function, got 7$",
        ),
        (lambda: ecsphys.spawn_many(2, [Transform()]), ValueError, "^components: 1 instances for 2 entities"),
        (lambda: _hits().between(Transform, _SEVEN), TypeError, "^second must be a component class, got 7$"),
        (
            lambda: next(iter(_hits())).entity_with(_SEVEN),
            TypeError,
            "^component must be a component class",
        ),
        (lambda: next(iter(_hits())).other(_NONE), TypeError, "^entity must be a whole number, got None$"),
        (lambda: _SHIFTS.of(7), KeyError, "entity 7 has no RasterWave"),
        (lambda: _SHIFTS.of(_TEXT), TypeError, "^entity must be a whole number, got 'x'$"),
    ],
)
def test_a_refusal_names_the_argument_that_is_bad(
    call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()


def test_every_argument_has_an_example_and_every_class_with_methods_an_owner() -> None:
    chosen, missing = command.list_rows()
    assert missing == []
    assert len(chosen) > 1000


def test_an_argument_without_an_example_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(examples_by_name.EXAMPLES, "vertices")
    assert "no example for PolygonCollider(vertices)" in command.list_rows()[1]


def test_a_class_whose_methods_nothing_calls_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    owners = {name: make for name, make in public_calls._owners().items() if name != "Hit"}
    monkeypatch.setattr(public_calls, "_owners", lambda: owners)
    assert command.list_rows()[1] == ["no owner to call the methods of Hit of"]


def test_examples_that_do_not_fit_together_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """What raises with good values would raise with all others, and prove nothing of them."""
    monkeypatch.setitem(examples_by_name.EXAMPLES, "upright.height", lambda: 1.0)
    chosen, _ = command.list_rows("CapsuleCollider.upright(offset_x)")
    faults = command.try_cells(chosen, len(examples_by_name.EXAMPLES)).tally.faults
    assert faults[0].startswith("CapsuleCollider.upright(offset_x): its examples do not fit together: ValueError")


def test_a_message_that_names_another_argument_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, _ = command.list_rows("geometry.aabb(transform)")
    assert command.try_cells(chosen, 1).tally.faults == []
    chosen = [row._replace(names=("radius",)) for row in chosen]
    assert "does not name it" in command.try_cells(chosen, 1).tally.faults[0]

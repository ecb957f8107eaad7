"""The base of all joints: the two entities that they hold, their loads, and their limits of strength."""

from __future__ import annotations

import operator
from typing import Any, TypeVar

import esper

from ecsphys.components.dynamics.joints.joint_loads import load_of
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import column, finite_number, show
from ecsphys.components.store.typed_components import MixedComponent
from ecsphys.engine.math.cos_sin import cos_sin

# What entity_a and entity_b have where a joint holds a body to the world.
WORLD = -1

_Joint = TypeVar("_Joint", bound="AnchoredJoint")


class Joint(MixedComponent):
    """Base of all joints. A joint holds two rigid bodies together, or one body and the world.

    Add a joint to an entity of its own, or to any other entity: its fields name the two that it holds. You may assign
    every field between steps. A joint that cannot hold raises ValueError in the next step, before anything moves; the
    message names its entity and field.

    A joint is removed, with the event "joint_broken", if an entity that it names is deleted or stops being a body, or
    if its load exceeds ``break_force`` or ``break_torque``. Handlers get a :class:`JointBreak`.

    Parameters
    ----------
    entity_a, entity_b
        The two entities that it holds, −1 for the world. Each has a ``Transform`` and a ``RigidBody``, ``Solid``, a
        trajectory or a ``Character``. A child of a ``Parent`` stands for the body that carries it. At least one should
        be a dynamic body.
    x_a, y_a, x_b, y_b
        The anchors, units, each in the frame of its entity's transform, or in the world for entity −1.
    collide_connected
        Whether the two collide with each other.
    break_force, break_torque
        The joint breaks above these, mass · units/s² and mass · units²/s², > 0; None: it never breaks.

    All joints have these fields, except that a :class:`GearJoint` names two joints and has no anchors.
    """

    @property
    def force(self) -> tuple[float, float]:
        """The mean force (x, y) on ``entity_b`` over the last step, mass · units/s², in the world; on ``entity_a`` it
        is the opposite. (0, 0) before the first step."""
        x, y, _ = load_of(self)
        return x, y

    @property
    def torque(self) -> float:
        """The mean torque on ``entity_b`` about its anchor over the last step, mass · units²/s²: of limit, motor,
        spring, or weld. 0 before the first step."""
        return load_of(self)[2]


class AnchoredJoint(Joint):
    """A joint between a point of one body and a point of another, the anchors. See :class:`Joint` for its fields."""

    entity_a: int = column(low=-1)
    entity_b: int = column(default=WORLD, low=-1)
    x_a: float = 0.0
    y_a: float = 0.0
    x_b: float = 0.0
    y_b: float = 0.0
    collide_connected: bool = False
    break_force: float | None = column(default=None, above=0.0)
    break_torque: float | None = column(default=None, above=0.0)


def anchored(
    cls: type[_Joint],
    a: int | None,
    b: int | None,
    point_a: tuple[float, float],
    point_b: tuple[float, float],
    options: dict[str, Any],
    names: tuple[str, str] = ("a", "b"),
) -> _Joint:
    """A joint of a class with its anchors at points of the world.

    Raises TypeError unless both are entities, and ValueError unless both exist and have a ``Transform``; the messages
    use one of the ``names``.
    """
    x_a, y_a = _local(cls, names[0], a, point_a)
    x_b, y_b = _local(cls, names[1], b, point_b)
    return cls(
        entity_a=WORLD if a is None else a,
        entity_b=WORLD if b is None else b,
        x_a=x_a,
        y_a=y_a,
        x_b=x_b,
        y_b=y_b,
        **options,
    )


def angle_between(cls: type[Joint], a: int | None, b: int | None) -> float:
    """The angle of b relative to a now; errors as for :func:`anchored`."""
    return _angle(cls, "b", b) - _angle(cls, "a", a)


def local_axis(cls: type[Joint], a: int | None, axis: tuple[float, float], name: str = "a") -> tuple[float, float]:
    """A direction of the world in the frame of a. Raises TypeError or ValueError unless ``axis`` is a direction; other
    errors as for :func:`anchored`."""
    what = f"{cls.__name__}.at: axis"
    try:
        x, y = axis
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be two numbers (x, y), got {show(axis)}") from None
    x, y = finite_number(f"{what} x", x), finite_number(f"{what} y", y)
    if x == 0.0 and y == 0.0:
        raise ValueError(f"{what} must not be (0, 0)")
    c, s = cos_sin(_angle(cls, name, a))
    return c * x + s * y, c * y - s * x


def _angle(cls: type[Joint], name: str, entity: int | None) -> float:
    transform = _transform(cls, name, entity)
    angle: float = 0.0 if transform is None else transform.angle
    return angle


def _transform(cls: type[Joint], name: str, entity: int | None) -> Transform | None:
    """The Transform of an end; None for the world."""
    if entity is None:
        return None
    try:
        if isinstance(entity, bool):
            raise TypeError
        number = operator.index(entity)
    except TypeError:
        message = f"{cls.__name__}.at: {name} must be an entity, or None for the world, got {show(entity)}"
        raise TypeError(message) from None
    if number == WORLD:
        return None
    if not esper.entity_exists(number):
        raise ValueError(f"{cls.__name__}.at: {name}: entity {number} does not exist")
    transform: Transform | None = esper.try_component(number, Transform)
    if transform is None:
        raise ValueError(f"{cls.__name__}.at: {name}: entity {number} has no Transform")
    return transform


def _local(cls: type[Joint], name: str, entity: int | None, point: tuple[float, float]) -> tuple[float, float]:
    x, y = (finite_number(f"{cls.__name__}.at: {axis}", value) for axis, value in zip("xy", point, strict=True))
    transform = _transform(cls, name, entity)
    if transform is None:
        return x, y
    c, s = cos_sin(transform.angle)
    x, y = x - transform.x, y - transform.y
    return c * x + s * y, c * y - s * x

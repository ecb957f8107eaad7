"""Joints, which hold two bodies together: hinges, sliders, rods and ropes, welds, wheels, motors and gears."""

from __future__ import annotations

import operator
from typing import Any, TypeVar, final

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import column, finite_number, number_pair, show
from ecsphys.components.store.component import Component, MixedComponent
from ecsphys.engine.math.elementary import cos_sin, hypot

FORCE_X, FORCE_Y, TORQUE = range(3)
LOAD_COLUMNS = 3

# What entity_a and entity_b have where a joint holds a body to the world.
WORLD = -1

_Joint = TypeVar("_Joint", bound="AnchoredJoint")

# For each class (rows, LOAD_COLUMNS): force x and y, and torque in the last step.
_loads: dict[type[Component], NDArray[float64]] = {}


def loads_of_class(cls: type[Component]) -> NDArray[float64]:
    """The loads (rows, LOAD_COLUMNS) of a class; the same array until the class has room for more rows."""
    loads = _loads.setdefault(cls, np.zeros((0, LOAD_COLUMNS)))
    if len(loads) < cls._columns.capacity:
        loads = _loads[cls] = np.concatenate((loads, np.zeros((cls._columns.capacity - len(loads), LOAD_COLUMNS))))
    return loads


def load_of(joint: Component) -> tuple[float, float, float]:
    """Force (x, y) and torque of a joint in the last step."""
    x, y, torque = loads_of_class(type(joint))[joint._row].tolist()
    return x, y, torque


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


class _End:
    """An end of a new joint: an entity, or the world for None, and its pose now.

    Raises TypeError unless it is an entity, and ValueError unless it exists and has a ``Transform``. Messages use
    ``name``.
    """

    def __init__(self, cls: type[Joint], name: str, entity: int | None) -> None:
        self.owner, where = f"{cls.__name__}.at", f"{cls.__name__}.at: {name}"
        try:
            if isinstance(entity, bool):
                raise TypeError
            self.entity = WORLD if entity is None else operator.index(entity)
        except TypeError:
            raise TypeError(f"{where} must be an entity, or None for the world, got {show(entity)}") from None
        self.transform: Transform | None = None
        if self.entity != WORLD:
            if not esper.entity_exists(self.entity):
                raise ValueError(f"{where}: entity {self.entity} does not exist")
            self.transform = esper.try_component(self.entity, Transform)
            if self.transform is None:
                raise ValueError(f"{where}: entity {self.entity} has no Transform")

    @property
    def angle(self) -> float:
        return 0.0 if self.transform is None else self.transform.angle

    def point(self, point: tuple[float, float]) -> tuple[float, float]:
        """A point of the world in the frame of the end."""
        x, y = (finite_number(f"{self.owner}: {axis}", value) for axis, value in zip("xy", point, strict=True))
        return (x, y) if self.transform is None else self._turned(x - self.transform.x, y - self.transform.y)

    def axis(self, axis: tuple[float, float]) -> dict[str, float]:
        """The fields for a direction of the world. Raises TypeError or ValueError unless it is a direction."""
        x, y = number_pair(f"{self.owner}: axis", axis)
        if x == 0.0 and y == 0.0:
            raise ValueError(f"{self.owner}: axis must not be (0, 0)")
        return dict(zip(("axis_x", "axis_y"), self._turned(x, y), strict=True))

    def _turned(self, x: float, y: float) -> tuple[float, float]:
        c, s = cos_sin(self.angle)
        return c * x + s * y, c * y - s * x


def _between(
    cls: type[_Joint],
    a: _End,
    b: _End,
    point_a: tuple[float, float],
    point_b: tuple[float, float],
    options: dict[str, Any],
) -> _Joint:
    """A joint of a class with its anchors at points of the world."""
    x_a, y_a = a.point(point_a)
    x_b, y_b = b.point(point_b)
    return cls(entity_a=a.entity, entity_b=b.entity, x_a=x_a, y_a=y_a, x_b=x_b, y_b=y_b, **options)


def _at_one_point(
    cls: type[_Joint], a: int | None, b: int | None, point: tuple[float, float], options: dict[str, Any]
) -> _Joint:
    """A joint of a class with both anchors at a point of the world, and the present angle unless there is another."""
    first, second = _End(cls, "a", a), _End(cls, "b", b)
    options.setdefault("angle", second.angle - first.angle)
    return _between(cls, first, second, point, point, options)


@final
class RevoluteJoint(AnchoredJoint, tracked=True):
    """A hinge: two bodies turn about one point.

    Its angle is the angle of b relative to a, minus ``angle``, in radians; it counts whole turns.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    angle
        The angle of b relative to a at which the joint's angle is 0, radians.
    has_limits, lower, upper
        Whether the angle stays in [lower, upper], radians.
    motor_speed, max_torque
        A motor: the speed at which it turns b relative to a, rad/s, and its largest torque, >= 0. 0 torque: no motor.
        Speed 0 makes it a brake.
    frequency, damping_ratio, rest
        A spring that turns the angle to ``rest``: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it
        does not swing). None: no spring.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> door = esper.create_entity(Transform(1, 0), OBBCollider(1, 0.1), RigidBody())
    >>> hinge = RevoluteJoint.at(None, door, 0, 0, has_limits=True, lower=-1.0, upper=0.0)
    >>> joint = esper.create_entity(hinge)
    >>> for _ in range(180):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(door, Transform).angle, 2)
    -1.0
    """

    angle: float = 0.0
    has_limits: bool = False
    lower: float = 0.0
    upper: float = 0.0
    motor_speed: float = 0.0
    max_torque: float = column(default=0.0, low=0.0)
    frequency: float | None = column(default=None, above=0.0)
    damping_ratio: float = column(default=1.0, low=0.0)
    rest: float = 0.0

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> RevoluteJoint:
        """A hinge at a point of the world.

        Parameters
        ----------
        a, b
            Entities with a ``Transform``; None for the world.
        x, y
            The point in the world, for the present poses of the bodies.
        options
            Other fields by name. The default of ``angle`` is the present angle between the bodies.

        Raises
        ------
        TypeError
            If ``a`` or ``b`` is not an entity.
        ValueError
            If an entity does not exist or has no ``Transform``, or a field does not accept its number.
        """
        return _at_one_point(cls, a, b, (x, y), options)


@final
class PrismaticJoint(AnchoredJoint, tracked=True):
    """A slider: b moves along an axis of a, and does not turn relative to a.

    Its slide is the distance from the anchor of a to the anchor of b along the axis, units.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    axis_x, axis_y
        The axis in a's frame, of any length except 0.
    angle
        The angle of b relative to a, radians; whole turns do not count.
    has_limits, lower, upper
        Whether the slide stays in [lower, upper], units.
    motor_speed, max_force
        A motor: the speed at which it moves b along the axis, units/s, and its largest force, >= 0. 0 force: no motor.
        Speed 0 makes it a brake.
    frequency, damping_ratio, rest
        A spring that pulls the slide to ``rest``, units: swings per second, > 0, for any masses; and damping, >= 0
        (with 1 it does not swing). None: no spring.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> lift = esper.create_entity(Transform(0, 0), OBBCollider(1, 0.1), RigidBody())
    >>> rail = PrismaticJoint.at(None, lift, 0, 0, (0, 1), motor_speed=2.0, max_force=100.0)
    >>> joint = esper.create_entity(rail)
    >>> for _ in range(60):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(lift, Velocity).y, 6)
    2.0
    """

    axis_x: float = 1.0
    axis_y: float = 0.0
    angle: float = 0.0
    has_limits: bool = False
    lower: float = 0.0
    upper: float = 0.0
    motor_speed: float = 0.0
    max_force: float = column(default=0.0, low=0.0)
    frequency: float | None = column(default=None, above=0.0)
    damping_ratio: float = column(default=1.0, low=0.0)
    rest: float = 0.0

    @classmethod
    def at(
        cls, a: int | None, b: int | None, x: float, y: float, axis: tuple[float, float], **options: Any
    ) -> PrismaticJoint:
        """A slider through a point (x, y) of the world along an axis (x, y) of the world. Its slide is 0 now.

        For ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        first, second = _End(cls, "a", a), _End(cls, "b", b)
        options = {"angle": second.angle - first.angle, **first.axis(axis), **options}
        return _between(cls, first, second, (x, y), (x, y), options)


@final
class DistanceJoint(AnchoredJoint, tracked=True):
    """Controls the distance of two points: a rod, a rope, or a spring.

    - A rod has a ``length``.
    - A spring has a ``length`` and a ``frequency``.
    - A rope has a ``max_length``.

    A joint with neither a length nor a limit nor a winch raises ValueError in the next step.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    length
        Length of the rod, or of the spring at rest, units, > 0; None for neither.
    min_length, max_length
        Limits of the distance, units: ``min_length`` >= 0, ``max_length`` > 0 or None.
    frequency, damping_ratio
        The spring: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not swing). None: no
        spring.
    motor_speed, max_force
        A winch: the speed at which it lengthens the joint, units/s, and its largest force, >= 0. 0 force: no winch.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> lamp = esper.create_entity(Transform(0, 0), CircleCollider(0.2), RigidBody(mass=2))
    >>> rope = DistanceJoint.at(None, lamp, 0, 3, 0, 0, max_length=3.0)
    >>> joint = esper.create_entity(rope)
    >>> for _ in range(120):
    ...     esper.process(1 / 60)
    >>> round(rope.force[1], 2)
    20.0
    """

    length: float | None = column(default=None, above=0.0)
    min_length: float = column(default=0.0, low=0.0)
    max_length: float | None = column(default=None, above=0.0)
    frequency: float | None = column(default=None, above=0.0)
    damping_ratio: float = column(default=0.0, low=0.0)
    motor_speed: float = 0.0
    max_force: float = column(default=0.0, low=0.0)

    @classmethod
    def at(
        cls, a: int | None, b: int | None, x_a: float, y_a: float, x_b: float, y_b: float, **options: Any
    ) -> DistanceJoint:
        """A joint between two points (x_a, y_a) and (x_b, y_b) of the world.

        Its length is their distance now, unless ``options`` has a ``length``, a ``max_length`` or a ``max_force``. For
        ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        if not options.keys() & {"length", "max_length", "max_force"}:
            ends = zip(("x_a", "y_a", "x_b", "y_b"), (x_a, y_a, x_b, y_b), strict=True)
            x_a, y_a, x_b, y_b = (finite_number(f"DistanceJoint.at: {name}", value) for name, value in ends)
            options["length"] = hypot(x_b - x_a, y_b - y_a)
            if options["length"] == 0.0:
                raise ValueError(
                    f"DistanceJoint.at: (x_a, y_a) and (x_b, y_b) are both ({x_a}, {y_a}): give two points, or a length"
                )
        return _between(cls, _End(cls, "a", a), _End(cls, "b", b), (x_a, y_a), (x_b, y_b), options)


@final
class WeldJoint(AnchoredJoint, tracked=True):
    """Holds two bodies together as one body, rigidly or with springs.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    angle
        The angle of b relative to a, radians; whole turns do not count.
    linear_frequency, linear_damping_ratio
        A spring between the anchors: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not
        swing). None: rigid.
    angular_frequency, angular_damping_ratio
        A spring for the angle, with the same units. None: rigid.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> shelf = esper.create_entity(Transform(1, 0), OBBCollider(1, 0.1), RigidBody(mass=3))
    >>> weld = WeldJoint.at(None, shelf, 0, 0)
    >>> joint = esper.create_entity(weld)
    >>> for _ in range(300):
    ...     esper.process(1 / 60)
    >>> round(weld.torque)
    30
    """

    angle: float = 0.0
    linear_frequency: float | None = column(default=None, above=0.0)
    linear_damping_ratio: float = column(default=1.0, low=0.0)
    angular_frequency: float | None = column(default=None, above=0.0)
    angular_damping_ratio: float = column(default=1.0, low=0.0)

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> WeldJoint:
        """A weld at a point (x, y) of the world, for the present poses of the bodies.

        For ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        return _at_one_point(cls, a, b, (x, y), options)


@final
class WheelJoint(AnchoredJoint, tracked=True):
    """A wheel b on a car a: the wheel turns freely and moves along an axis of the car, as on a suspension.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    axis_x, axis_y
        The axis of the suspension in the car's frame, of any length except 0.
    has_limits, lower, upper
        Whether the wheel's position on the axis stays in [lower, upper], units.
    motor_speed, max_torque
        A motor: the speed at which it turns the wheel relative to the car, rad/s, and its largest torque, >= 0. 0
        torque: no motor. Speed 0 makes it a brake.
    frequency, damping_ratio, rest
        The spring that pulls the wheel to ``rest`` on the axis, units: swings per second, > 0, for any masses; and
        damping, >= 0 (with 1 it does not swing). None: no spring.

    Examples
    --------
    >>> physics = ecsphys.install(gravity=(0, -10))
    >>> road = esper.create_entity(Transform(0, -1), AABBCollider(50, 0.5), Solid())
    >>> car = esper.create_entity(Transform(0, 0.5), OBBCollider(1, 0.25), RigidBody())
    >>> for x in (-0.8, 0.8):
    ...     wheel = esper.create_entity(Transform(x, 0), CircleCollider(0.4), RigidBody(friction=1))
    ...     suspension = WheelJoint.at(car, wheel, x, 0, (0, 1), motor_speed=-5, max_torque=5)
    ...     joint = esper.create_entity(suspension)
    >>> for _ in range(180):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(car, Velocity).x, 1)
    2.0
    """

    axis_x: float = 0.0
    axis_y: float = 1.0
    has_limits: bool = False
    lower: float = 0.0
    upper: float = 0.0
    motor_speed: float = 0.0
    max_torque: float = column(default=0.0, low=0.0)
    frequency: float | None = column(default=4.0, above=0.0)
    damping_ratio: float = column(default=0.7, low=0.0)
    rest: float = 0.0

    @classmethod
    def at(
        cls, car: int | None, wheel: int | None, x: float, y: float, axis: tuple[float, float], **options: Any
    ) -> WheelJoint:
        """A wheel with its hub at a point (x, y) of the world, on a suspension along an axis (x, y) of the world.

        ``car`` is a, and ``wheel`` is b. For their types, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        first, second = _End(cls, "car", car), _End(cls, "wheel", wheel)
        return _between(cls, first, second, (x, y), (x, y), {**first.axis(axis), **options})


@final
class MouseJoint(AnchoredJoint, tracked=True):
    """Pulls a point of a body to a target with a soft spring, for example to drag bodies with the mouse.

    Parameters
    ----------
    entity_a, x_a, y_a
        The body, and its point that is pulled, units, in its frame.
    entity_b, x_b, y_b
        The target: a point of the world, or a point in the frame of ``entity_b``. See :attr:`target`.
    collide_connected, break_force, break_torque
        See :class:`Joint`.
    max_force
        Its largest force, mass · units/s², >= 0; 0 lets go. None: no limit.
    frequency, damping_ratio
        The spring: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not swing).

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> crate = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), RigidBody())
    >>> grip = MouseJoint.at(crate, 0, 0, max_force=100.0)
    >>> held = esper.create_entity(grip)
    >>> grip.target = 2, 1
    >>> for _ in range(120):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(crate, Transform).x, 2)
    2.0
    """

    max_force: float | None = column(default=None, low=0.0)
    frequency: float = column(default=5.0, above=0.0)
    damping_ratio: float = column(default=0.7, low=0.0)

    @classmethod
    def at(cls, entity: int, x: float, y: float, **options: Any) -> MouseJoint:
        """Take hold of a body at a point (x, y) of the world, which is also the first target.

        For ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        return _between(cls, _End(cls, "entity", entity), _End(cls, "", None), (x, y), (x, y), options)

    @property
    def target(self) -> tuple[float, float]:
        """The point (x, y) of the world to which the body is pulled."""
        return self.x_b, self.y_b

    @target.setter
    def target(self, point: tuple[float, float]) -> None:
        self.x_b, self.y_b = number_pair("MouseJoint.target", point)


@final
class MotorJoint(AnchoredJoint, tracked=True):
    """Moves a body to a position and angle relative to another body, with limited strength.

    The anchor of b moves to the anchor of a, and b turns to ``angle``. Assign ``x_a``, ``y_a`` and ``angle`` to move b.

    Parameters
    ----------
    entity_a, entity_b, x_a, y_a, x_b, y_b, collide_connected, break_force, break_torque
        See :class:`Joint`.
    angle
        The angle of b relative to a, radians; whole turns do not count.
    max_force, max_torque
        Its largest force and torque, mass · units/s² and mass · units²/s², >= 0; 0 does nothing. None: no limit.
    frequency, damping_ratio
        The spring that moves b: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not swing).

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> drone = esper.create_entity(Transform(), OBBCollider(0.5, 0.2), RigidBody())
    >>> pilot = MotorJoint.at(None, drone, 0, 0, max_force=50.0)
    >>> joint = esper.create_entity(pilot)
    >>> pilot.y_a = 3
    >>> for _ in range(180):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(drone, Transform).y, 2)
    3.0
    """

    angle: float = 0.0
    max_force: float | None = column(default=None, low=0.0)
    max_torque: float | None = column(default=None, low=0.0)
    frequency: float = column(default=5.0, above=0.0)
    damping_ratio: float = column(default=1.0, low=0.0)

    @classmethod
    def at(cls, a: int | None, b: int | None, x: float, y: float, **options: Any) -> MotorJoint:
        """A motor that holds b in its present position, by a point (x, y) of the world.

        For ``a``, ``b``, ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        return _at_one_point(cls, a, b, (x, y), options)


@final
class GearJoint(Joint, tracked=True):
    """Couples two joints: it keeps the first joint's angle or slide, plus ``ratio`` times the second's, constant.

    Parameters
    ----------
    entity_a, entity_b
        The entities that have the two joints. Each is a ``RevoluteJoint`` or a ``PrismaticJoint``, which defines the
        bodies that turn or slide, and the positive direction.
    ratio
        Not 0. For two gear wheels on a frame: the radius of the second wheel divided by the radius of the first;
        negative if both turn the same way.
    break_force, break_torque
        The gear breaks above these, > 0; None: it never breaks. Its ``torque`` is the torque on the first joint, or the
        force along its axis.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> wheels = [esper.create_entity(Transform(x, 0), CircleCollider(r), RigidBody()) for x, r in ((0, 1), (3, 2))]
    >>> driven = esper.create_entity(RevoluteJoint.at(None, wheels[0], 0, 0, motor_speed=4, max_torque=50))
    >>> other = esper.create_entity(RevoluteJoint.at(None, wheels[1], 3, 0))
    >>> gear = esper.create_entity(GearJoint(driven, other, ratio=2 / 1))
    >>> for _ in range(60):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(wheels[1], Velocity).angular, 2)
    -2.0
    """

    entity_a: int = column(low=1)
    entity_b: int = column(low=1)
    ratio: float = 1.0
    break_force: float | None = column(default=None, above=0.0)
    break_torque: float | None = column(default=None, above=0.0)


ANCHORED_JOINTS: tuple[type[AnchoredJoint], ...] = (
    *(RevoluteJoint, PrismaticJoint, DistanceJoint),
    *(WeldJoint, WheelJoint, MouseJoint, MotorJoint),
)
"""All joints with anchors, in the order of their numbers."""

JOINT_CLASSES: tuple[type[Joint], ...] = (*ANCHORED_JOINTS, GearJoint)
"""All joints. Gears, which hold what other joints do, come last."""

"""Errors for unknown arguments of components. They list the known arguments, and name the one that is meant.

Other engines use other names for the same things. :data:`OTHER_NAMES` lists these names for each class, with the names
that ecsphys uses.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Final, NoReturn, TypeVar, cast

Class = TypeVar("Class", bound=type[Any])
Function = TypeVar("Function", bound=Callable[..., Any])

_RADIANS = ", in radians: math.radians(degrees)"

_PLACE = {
    **dict.fromkeys(("position", "pos", "xy", "location"), "x and y, two numbers"),
    **dict.fromkeys(("rotation", "rot", "orientation", "theta", "angle_degrees", "degrees"), "angle" + _RADIANS),
    **dict.fromkeys(("scale", "size"), "the sizes of the collider, because a Transform has no size"),
    **dict.fromkeys(("parent", "entity"), "a Parent component, next to the Transform"),
}
_SPEED = {
    **dict.fromkeys(("vx", "dx", "speed_x", "velocity_x"), "x"),
    **dict.fromkeys(("vy", "dy", "speed_y", "velocity_y"), "y"),
    **dict.fromkeys(("velocity", "linear", "speed", "v", "vector"), "x and y, two numbers"),
    **dict.fromkeys(
        ("angular_velocity", "angular_speed", "rotation", "spin", "omega", "w"), "angular, in radians per second"
    ),
}
_TURNS = ("rotation", "rot", "theta")
_OFFSETS = ("offset", "center", "centre", "position", "pos", "x", "cx", "dx", "y", "cy", "dy")
_COLLIDER = {
    **dict.fromkeys(
        ("offset", "center", "centre", "position", "pos"), "offset_x and offset_y, measured from the Transform"
    ),
    **dict.fromkeys(("x", "cx", "dx"), "offset_x; the position of the entity is Transform(x, y)"),
    **dict.fromkeys(("y", "cy", "dy"), "offset_y; the position of the entity is Transform(x, y)"),
    **dict.fromkeys(_TURNS, "angle" + _RADIANS),
    **dict.fromkeys(("is_trigger", "trigger", "is_sensor", "isTrigger", "isSensor"), "sensor"),
    **dict.fromkeys(("friction", "restitution", "density", "mass"), "the field of that name of a RigidBody"),
    **dict.fromkeys(("bounciness", "bounce", "elasticity"), "restitution of a RigidBody"),
    **dict.fromkeys(("layer", "layers", "mask", "group", "category", "categories", "filter"), "a CollisionFilter"),
    **dict.fromkeys(("solid", "is_solid"), "a Solid component, next to the collider"),
}
_BOX = {
    **_COLLIDER,
    **dict.fromkeys(("width", "w"), "half_width, half of the width, or from_size(width, height)"),
    **dict.fromkeys(("height", "h"), "half_height, half of the height, or from_size(width, height)"),
    **dict.fromkeys(("size", "extents", "dimensions"), "half_width and half_height, or from_size(width, height)"),
    **dict.fromkeys(("half_size", "half_extents", "half_sizes"), "half_width and half_height, two numbers"),
    **dict.fromkeys(("hx", "half_x"), "half_width"),
    **dict.fromkeys(("hy", "half_y"), "half_height"),
    **dict.fromkeys(("min_x", "min_y", "max_x", "max_y", "left", "right", "top", "bottom"), "from_corners"),
}
_ROUND = {**dict.fromkeys(("diameter", "d"), "radius, half of the diameter"), "r": "radius", "size": "radius"}
_POINTS = dict.fromkeys(("points", "verts", "vertex", "coords", "coordinates", "path"), "vertices")
_INSTALL = {
    "substeps": "motion_substeps, or physics.settings.solver_substeps for rigid bodies",
    **dict.fromkeys(("g", "gravity_x", "gravity_y"), "gravity=(x, y)"),
    **dict.fromkeys(
        ("hz", "fps", "dt", "timestep", "time_step", "fixed_dt", "rate"), "fixed_step, in steps per second"
    ),
    **dict.fromkeys(("pixels_per_meter", "ppm", "scale", "unit", "length_unit"), "physics.settings.length_unit"),
    **dict.fromkeys(("iterations", "solver_substeps"), "physics.settings.solver_substeps"),
    **dict.fromkeys(("damping", "drag"), "a Drag component for each entity"),
}
_ENDS = {
    **dict.fromkeys(("a", "body_a", "bodyA", "entity1", "body1", "parent"), "entity_a"),
    **dict.fromkeys(("b", "body_b", "bodyB", "entity2", "body2", "child"), "entity_b"),
    **dict.fromkeys(("max_break_force", "breaking_force"), "break_force"),
}
_JOINT = {
    **_ENDS,
    **dict.fromkeys(("anchor_a", "local_anchor_a"), "x_a and y_a, in the frame of entity_a"),
    **dict.fromkeys(("anchor_b", "local_anchor_b"), "x_b and y_b, in the frame of entity_b"),
    **dict.fromkeys(("anchor", "pivot", "x", "y"), "the class method at(a, b, …), which takes points of the world"),
    **dict.fromkeys(("collide_bodies", "enable_collision", "collide"), "collide_connected"),
}
_SPRING_NAMES, _MOTOR_NAMES = ("stiffness", "spring", "hertz"), ("motor", "enable_motor", "rate")
_LIMIT_NAMES = ("enable_limit", "enable_limits", "limits")
_LOWER_NAMES = ("min", "min_angle", "lower_angle", "lower_limit")
_UPPER_NAMES = ("max", "max_angle", "upper_angle", "upper_limit")
_SPRING_OF_JOINT = {
    **dict.fromkeys(_SPRING_NAMES, "frequency, in swings per second"),
    "damping": "damping_ratio",
}
_LIMITS = {
    **dict.fromkeys(_LIMIT_NAMES, "has_limits, with lower and upper"),
    **dict.fromkeys(_LOWER_NAMES, "lower"),
    **dict.fromkeys(_UPPER_NAMES, "upper"),
}
_TURNING_JOINT = {
    **_JOINT,
    **_SPRING_OF_JOINT,
    **_LIMITS,
    **dict.fromkeys(_MOTOR_NAMES, "motor_speed, with max_torque"),
}
_SLIDING_MOTOR = dict.fromkeys(_MOTOR_NAMES, "motor_speed, with max_force")

OTHER_NAMES: Final[dict[str, dict[str, str]]] = {
    "install": _INSTALL,
    "Physics": _INSTALL,
    "Transform": _PLACE,
    "Velocity": _SPEED,
    "Acceleration": {**_SPEED, "ax": "x", "ay": "y"},
    "Gravity": {
        **dict.fromkeys(("x", "y", "gravity", "g", "acceleration"), "install(gravity=(x, y)); scale multiplies it"),
        **dict.fromkeys(("factor", "gravity_scale", "strength"), "scale"),
    },
    "Drag": dict.fromkeys(("damping", "drag", "friction", "linear_damping"), "linear, in 1/s")
    | {"angular_damping": "angular, in 1/s"},
    "Spring": {
        **dict.fromkeys(("k", "strength", "frequency"), "stiffness"),
        **dict.fromkeys(("anchor", "x", "y"), "anchor_x and anchor_y, two numbers"),
        **dict.fromkeys(
            ("entity", "entity_a", "entity_b", "other", "rest_length"), "a DistanceJoint between two bodies"
        ),
    },
    "Parent": {"parent": "entity", **dict.fromkeys(("offset", "position"), "x and y, two numbers")},
    "Lifetime": dict.fromkeys(("time", "duration", "lifetime", "ttl", "frames", "ms"), "seconds"),
    "WorldBounds": {
        **dict.fromkeys(("left", "x"), "min_x"),
        **dict.fromkeys(("right", "width"), "max_x"),
        **dict.fromkeys(("bottom", "y"), "min_y"),
        **dict.fromkeys(("top", "height"), "max_y"),
        **dict.fromkeys(("mode", "edge", "wrap", "action"), "at_edge"),
    },
    "CircleCollider": {
        **_COLLIDER,
        **_ROUND,
        **dict.fromkeys(("angle", *_TURNS), "the angle of the Transform, because a circle has no angle of its own"),
    },
    "AABBCollider": {
        **_BOX,
        **dict.fromkeys(("angle", *_TURNS), "an OBBCollider, because an AABBCollider never turns"),
    },
    "OBBCollider": _BOX,
    "CapsuleCollider": {
        **_COLLIDER,
        **_ROUND,
        **dict.fromkeys(("height", "h", "half_height", "width"), "length, the distance between the two centers"),
        **dict.fromkeys(("a", "b", "start", "end", "p1", "p2"), "from_points(ax, ay, bx, by, radius)"),
    },
    "FanCollider": {
        **_COLLIDER,
        **_ROUND,
        **dict.fromkeys(("angle", *_TURNS), "direction, or spread for the whole width" + _RADIANS),
        **dict.fromkeys(("arc", "width", "fov", "opening"), "spread, the whole width" + _RADIANS),
    },
    "PolygonCollider": {**_COLLIDER, **_POINTS},
    "ChainCollider": {
        **_COLLIDER,
        **dict.fromkeys(("vertices", "verts", "coords", "path"), "points"),
        **dict.fromkeys(_OFFSETS, "points, which are measured from the Transform"),
        **dict.fromkeys(("angle", *_TURNS), "the angle of the Transform, because a chain has no angle of its own"),
        **dict.fromkeys(("loop", "is_loop", "is_closed"), "closed"),
    },
    "CompoundCollider": dict.fromkeys(("colliders", "shapes", "children", "collider"), "parts"),
    "CollisionFilter": {
        **dict.fromkeys(("layer", "category", "categories", "category_bits", "membership"), "layers, a bit for each"),
        **dict.fromkeys(("masks", "mask_bits", "filter", "collides_with"), "mask, a bit for each layer"),
        **dict.fromkeys(("group_index", "groups"), "group"),
    },
    "RigidBody": {
        **dict.fromkeys(("bounciness", "bounce", "elasticity", "bouncy"), "restitution"),
        **dict.fromkeys(("type", "body_type", "bodyType", "mode"), "kind"),
        **dict.fromkeys(("static", "is_static", "fixed", "immovable"), "kind='static'"),
        **dict.fromkeys(("kinematic", "is_kinematic"), "kind='kinematic'"),
        **dict.fromkeys(("dynamic", "is_dynamic"), "kind='dynamic'"),
        **dict.fromkeys(("moment", "moment_of_inertia", "rotational_inertia"), "inertia"),
        **dict.fromkeys(("fixed_rotation", "freeze_rotation", "lock_angle", "can_rotate"), "lock_rotation"),
        **dict.fromkeys(("freeze_x", "freeze_position_x"), "lock_x"),
        **dict.fromkeys(("freeze_y", "freeze_position_y"), "lock_y"),
        **dict.fromkeys(("damping", "linear_damping", "angular_damping", "drag", "linear_drag"), "a Drag component"),
        **dict.fromkeys(("gravity_scale", "gravity", "use_gravity"), "a Gravity(scale) component"),
        **dict.fromkeys(("velocity", "vx", "vy", "angular_velocity"), "a Velocity component"),
        **dict.fromkeys(("x", "y", "position", "angle"), "a Transform component"),
        **dict.fromkeys(("bullet", "is_bullet", "ccd", "continuous"), "a Bullet component"),
        **dict.fromkeys(("sensor", "is_trigger", "is_sensor"), "sensor=True of the collider"),
        **dict.fromkeys(("surface_velocity", "conveyor", "belt_speed"), "tangent_speed"),
        **dict.fromkeys(("allow_sleep", "sleep", "sleeping"), "can_sleep"),
    },
    "HitListener": {
        **dict.fromkeys(("on_hit", "on_begin", "on_enter", "on_collision", "on_start", "begin", "enter"), "on_started"),
        **dict.fromkeys(("on_stay", "on_pre_solve", "stay"), "on_ongoing"),
        **dict.fromkeys(("on_end", "on_exit", "on_leave", "separate", "exit"), "on_ended"),
        **dict.fromkeys(("on_post_solve", "on_crash", "post_solve"), "on_impulse"),
    },
    "Character": {
        **dict.fromkeys(("max_slope", "max_slope_angle", "floor_max_angle", "slope"), "slope_limit" + _RADIANS),
        **dict.fromkeys(("step_offset", "max_step", "stairs"), "step_height"),
        **dict.fromkeys(("floor_snap_length", "snap", "snap_length"), "snap_distance"),
        **dict.fromkeys(("speed", "velocity", "x", "y"), "physics.move_character(entity, (x · dt, y · dt))"),
        **dict.fromkeys(("up", "up_direction"), "up_x and up_y, two numbers"),
    },
    "RevoluteJoint": _TURNING_JOINT,
    "WheelJoint": _TURNING_JOINT,
    "PrismaticJoint": {**_JOINT, **_SPRING_OF_JOINT, **_LIMITS, **_SLIDING_MOTOR},
    "DistanceJoint": {
        **_JOINT,
        **_SPRING_OF_JOINT,
        **_SLIDING_MOTOR,
        **dict.fromkeys((*_LIMIT_NAMES, "has_limits"), "min_length and max_length"),
        **dict.fromkeys((*_LOWER_NAMES, "lower"), "min_length"),
        **dict.fromkeys((*_UPPER_NAMES, "upper"), "max_length"),
        **dict.fromkeys(("rest_length", "distance"), "length"),
    },
    "WeldJoint": {
        **_JOINT,
        **dict.fromkeys((*_SPRING_NAMES, "frequency"), "linear_frequency and angular_frequency, in swings per second"),
        **dict.fromkeys(("damping", "damping_ratio"), "linear_damping_ratio and angular_damping_ratio"),
    },
    "MotorJoint": {**_JOINT, **_SPRING_OF_JOINT},
    "MouseJoint": {**_JOINT, **_SPRING_OF_JOINT},
    "GearJoint": {
        **_ENDS,
        **dict.fromkeys(("joint_a", "joint1", "joint_1"), "entity_a, the entity of the first joint"),
        **dict.fromkeys(("joint_b", "joint2", "joint_2"), "entity_b, the entity of the second joint"),
    },
}
"""For each component class, names of arguments in other engines, and what to use instead."""


def refuse_unknown(owner: str, unknown: Iterable[str], known: Iterable[str], call: str = "") -> NoReturn:
    """Raise TypeError for unknown arguments of a component class; ``call`` is "many" for ``Class.many``."""
    name, names = next(iter(unknown)), [one for one in known if not one.startswith("_")]
    meant = OTHER_NAMES.get(owner, {}).get(name, "") or "".join(difflib.get_close_matches(name, names, 1))
    use = f"; use {meant}" if meant else ""
    what = f"{owner}.{call}()" if call else owner
    raise TypeError(f"{what} has no argument {name!r}{use} (it has: {', '.join(names) or 'none'})")


def refuse_missing(owner: str, missing: str) -> NoReturn:
    """Raise TypeError for a missing argument, which has no default."""
    raise TypeError(f"{owner} needs {missing}")


def names_arguments(cls: Class) -> Class:
    """Class decorator: makes a hand-written constructor raise :func:`refuse_unknown` for unknown arguments."""
    cls.__init__ = refuses_unknown(cls.__name__)(cls.__init__)
    return cls


def refuses_unknown(owner: str) -> Callable[[Function], Function]:
    """Decorator: makes a function raise :func:`refuse_unknown`, in the name of ``owner``, for unknown arguments."""

    def decorate(written: Function) -> Function:
        known = [name for name in inspect.signature(written).parameters if name != "self"]
        known_names = frozenset(known)

        @wraps(written)
        def checked(*values: Any, **named: Any) -> Any:
            if not named.keys() <= known_names:
                refuse_unknown(owner, (name for name in named if name not in known_names), known)
            return written(*values, **named)

        return cast("Function", checked)

    return decorate

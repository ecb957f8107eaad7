"""Errors for unknown arguments of components. They list the known arguments, and name the one that is meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache, wraps
from typing import Any, Final, NoReturn, TypeVar

Checked = TypeVar("Checked", bound=Callable[..., Any])

# Names of arguments in other engines, and what to use instead; "radians" at the end is written out. A class has the
# lines of the groups behind its name too, but its own lines count first.
_TABLE: Final = """
install Physics:
    substeps = motion_substeps, or physics.settings.solver_substeps for rigid bodies
    g gravity_x gravity_y = gravity=(x, y)
    hz fps dt timestep time_step fixed_dt rate = fixed_step, in steps per second
    pixels_per_meter ppm scale unit length_unit = physics.settings.length_unit
    iterations solver_substeps = physics.settings.solver_substeps
    damping drag = a Drag component for each entity
Transform:
    position pos xy location = x and y, two numbers
    rotation rot orientation theta angle_degrees degrees = angle, radians
    scale size = the sizes of the collider, because a Transform has no size
    parent entity = a Parent component, next to the Transform
Velocity:
    vx dx speed_x velocity_x = x
    vy dy speed_y velocity_y = y
    velocity linear speed v vector = x and y, two numbers
    angular_velocity angular_speed rotation spin omega w = angular, in radians per second
Acceleration: Velocity
    ax = x
    ay = y
Gravity:
    x y gravity g acceleration = install(gravity=(x, y)); scale multiplies it
    factor gravity_scale strength = scale
Drag:
    damping drag friction linear_damping = linear, in 1/s
    angular_damping = angular, in 1/s
Spring:
    k strength frequency = stiffness
    anchor x y = anchor_x and anchor_y, two numbers
    entity entity_a entity_b other rest_length = a DistanceJoint between two bodies
Parent:
    parent = entity
    offset position = x and y, two numbers
Lifetime:
    time duration lifetime ttl frames ms = seconds
WorldBounds:
    left x = min_x
    right width = max_x
    bottom y = min_y
    top height = max_y
    mode edge wrap action = at_edge
_collider:
    offset center centre position pos = offset_x and offset_y, measured from the Transform
    x cx dx = offset_x; the position of the entity is Transform(x, y)
    y cy dy = offset_y; the position of the entity is Transform(x, y)
    rotation rot theta = angle, radians
    is_trigger trigger is_sensor isTrigger isSensor = sensor
    friction restitution density mass = the field of that name of a RigidBody
    bounciness bounce elasticity = restitution of a RigidBody
    layer layers mask group category categories filter = a CollisionFilter
    solid is_solid = a Solid component, next to the collider
_round:
    diameter d = radius, half of the diameter
    r size = radius
OBBCollider: _collider
    width w = half_width, half of the width, or from_size(width, height)
    height h = half_height, half of the height, or from_size(width, height)
    size extents dimensions = half_width and half_height, or from_size(width, height)
    half_size half_extents half_sizes = half_width and half_height, two numbers
    hx half_x = half_width
    hy half_y = half_height
    min_x min_y max_x max_y left right top bottom = from_corners
AABBCollider: OBBCollider
    angle rotation rot theta = an OBBCollider, because an AABBCollider never turns
CircleCollider: _collider _round
    angle rotation rot theta = the angle of the Transform, because a circle has no angle of its own
CapsuleCollider: _collider _round
    height h half_height width = length, the distance between the two centers
    a b start end p1 p2 = from_points(ax, ay, bx, by, radius)
FanCollider: _collider _round
    angle rotation rot theta = direction, or spread for the whole width, radians
    arc width fov opening = spread, the whole width, radians
PolygonCollider: _collider
    points verts vertex coords coordinates path = vertices
ChainCollider: _collider
    vertices verts coords path = points
    offset center centre position pos x cx dx y cy dy = points, which are measured from the Transform
    angle rotation rot theta = the angle of the Transform, because a chain has no angle of its own
    loop is_loop is_closed = closed
CompoundCollider:
    colliders shapes children collider = parts
CollisionFilter:
    layer category categories category_bits membership = layers, a bit for each
    masks mask_bits filter collides_with = mask, a bit for each layer
    group_index groups = group
RigidBody:
    bounciness bounce elasticity bouncy = restitution
    type body_type bodyType mode = kind
    static is_static fixed immovable = kind='static'
    kinematic is_kinematic = kind='kinematic'
    dynamic is_dynamic = kind='dynamic'
    moment moment_of_inertia rotational_inertia = inertia
    fixed_rotation freeze_rotation lock_angle can_rotate = lock_rotation
    freeze_x freeze_position_x = lock_x
    freeze_y freeze_position_y = lock_y
    damping linear_damping angular_damping drag linear_drag = a Drag component
    gravity_scale gravity use_gravity = a Gravity(scale) component
    velocity vx vy angular_velocity = a Velocity component
    x y position angle = a Transform component
    bullet is_bullet ccd continuous = a Bullet component
    sensor is_trigger is_sensor = sensor=True of the collider
    surface_velocity conveyor belt_speed = tangent_speed
    allow_sleep sleep sleeping = can_sleep
HitListener:
    on_hit on_begin on_enter on_collision on_start begin enter = on_started
    on_stay on_pre_solve stay = on_ongoing
    on_end on_exit on_leave separate exit = on_ended
    on_post_solve on_crash post_solve = on_impulse
Character:
    max_slope max_slope_angle floor_max_angle slope = slope_limit, radians
    step_offset max_step stairs = step_height
    floor_snap_length snap snap_length = snap_distance
    speed velocity x y = physics.move_character(entity, (x · dt, y · dt))
    up up_direction = up_x and up_y, two numbers
_ends:
    a body_a bodyA entity1 body1 parent = entity_a
    b body_b bodyB entity2 body2 child = entity_b
    max_break_force breaking_force = break_force
_joint: _ends
    anchor_a local_anchor_a = x_a and y_a, in the frame of entity_a
    anchor_b local_anchor_b = x_b and y_b, in the frame of entity_b
    anchor pivot x y = the class method at(a, b, …), which takes points of the world
    collide_bodies enable_collision collide = collide_connected
_spring:
    stiffness spring hertz = frequency, in swings per second
    damping = damping_ratio
_limits:
    enable_limit enable_limits limits = has_limits, with lower and upper
    min min_angle lower_angle lower_limit = lower
    max max_angle upper_angle upper_limit = upper
_slider:
    motor enable_motor rate = motor_speed, with max_force
RevoluteJoint WheelJoint: _joint _spring _limits
    motor enable_motor rate = motor_speed, with max_torque
PrismaticJoint: _joint _spring _limits _slider
DistanceJoint: _joint _spring _slider
    enable_limit enable_limits limits has_limits = min_length and max_length
    min min_angle lower_angle lower_limit lower = min_length
    max max_angle upper_angle upper_limit upper = max_length
    rest_length distance = length
WeldJoint: _joint
    stiffness spring hertz frequency = linear_frequency and angular_frequency, in swings per second
    damping damping_ratio = linear_damping_ratio and angular_damping_ratio
MotorJoint MouseJoint: _joint _spring
GearJoint: _ends
    joint_a joint1 joint_1 = entity_a, the entity of the first joint
    joint_b joint2 joint_2 = entity_b, the entity of the second joint
"""


@cache
def other_names() -> dict[str, dict[str, str]]:
    """For each component class, names of arguments in other engines, and what to use instead."""
    groups: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    for line in _TABLE.strip().splitlines():
        if not line.startswith(" "):
            owners, _, bases = line.partition(":")
            names = {}
            for base in bases.split():
                names |= groups[base]
            groups |= dict.fromkeys(owners.split(), names)
        else:
            given, _, meant = line.partition(" = ")
            if meant.endswith(", radians"):
                meant = meant.replace(", radians", ", in radians: math.radians(degrees)")
            names |= dict.fromkeys(given.split(), meant)
    return {owner: names for owner, names in groups.items() if not owner.startswith("_")}


def most_alike(name: str, names: Iterable[str], least: float = 0.6) -> str:
    """The name most similar to a wrong one; "" if none is at ``least`` so similar, from 0 to 1."""
    import difflib  # here: games that make no mistake need not wait for it

    return "".join(difflib.get_close_matches(name, list(names), 1, least))


def raise_unknown(owner: str, unknown: Iterable[str], known: Iterable[str], call: str = "") -> NoReturn:
    """Raise TypeError for unknown arguments of a component class; ``call`` is "many" for ``Class.many``."""
    name, names = next(iter(unknown)), [one for one in known if not one.startswith("_")]
    meant = other_names().get(owner, {}).get(name, "") or most_alike(name, names)
    use = f"; use {meant}" if meant else ""
    what = f"{owner}.{call}()" if call else owner
    raise TypeError(f"{what} has no argument {name!r}{use} (it has: {', '.join(names) or 'none'})")


def raise_missing(owner: str, missing: str) -> NoReturn:
    """Raise TypeError for a missing argument, which has no default."""
    raise TypeError(f"{owner} needs {missing}")


def checks_arguments(target: Checked) -> Checked:
    """Decorator: makes a function, or the constructor of a class, raise :func:`raise_unknown` for unknown arguments."""
    written: Any = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]
    known = [name for name in inspect.signature(written).parameters if name != "self"]
    known_names = frozenset(known)

    @wraps(written)
    def checked(*values: Any, **named: Any) -> Any:
        if not named.keys() <= known_names:
            raise_unknown(target.__name__, (name for name in named if name not in known_names), known)
        return written(*values, **named)

    if not isinstance(target, type):
        return checked  # type: ignore[return-value]
    target.__init__ = checked  # type: ignore[misc]
    return target

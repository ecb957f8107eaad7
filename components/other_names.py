"""Names that people know from other engines, and the errors that say which name to use here; names in saved files.

Errors for unknown arguments of components list the known arguments, and name the one that is meant.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache, wraps
from typing import Any, Final, NoReturn, TypeVar

Checked = TypeVar("Checked", bound=Callable[..., Any])

# Names in other engines, or in older versions, and what to use instead. A star in what to use is the name itself;
# "radians" at the end is written out. A group has the lines of the groups behind its name too, but its own lines count
# first.
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
_drag:
    damping linear_damping angular_damping drag = a Drag component for each entity
_solver: _drag
    iterations velocity_iterations position_iterations solver_iterations = physics.settings.solver_substeps
    pixels_per_meter pixels_per_unit ppm scale unit units = physics.settings.length_unit
    sleep_threshold sleep_time_threshold idle_speed_threshold allow_sleep = physics.settings.sleep_speed
    substeps = physics.settings.motion_substeps, or physics.settings.solver_substeps for rigid bodies
_in_settings:
    cell_size integrator threads solver_substeps length_unit contact_hertz contact_damping_ratio joint_hertz
    joint_damping_ratio joint_iterations push_out_speed restitution_threshold sleep_speed friction_mixing
    restitution_mixing = physics.settings.*
_in_bodies:
    apply_force apply_torque apply_impulse apply_angular_impulse set_velocity wake sleep is_asleep mass_of
    = physics.bodies.*
_in_profile:
    timings counters timed = physics.debug.profile
_elsewhere:
    set_gravity g gravity_x gravity_y = physics.gravity = (x, y)
    presolve contacts = physics.pre_solve
physics: _solver _in_settings _in_bodies _in_profile _elsewhere
    profile candidate_pairs colliders = physics.debug.*
    check = physics.debug.check()
    why_no_hit = physics.debug.why_no_hit(a, b)
    started ended = physics.hits.*
    hits_of = physics.hits.of(entity)
    is_hitting = physics.hits.has(a, b)
    priority = install(priority=…)
    state = self.state of a stage
    hz alpha paused max_steps time_scale steps dropped_time interpolated pose
    = physics.fixed_step.*, with install(fixed_step=60)
    dt timestep time_step fixed_timestep fps rate = install(fixed_step=60)
    on_hit on_collision add_collision_handler on_collision_begin contact_listener set_handler
    = esper.set_handler('hit_started', function), or a HitListener component
    add add_body create_body create_entity = esper.create_entity(Transform(), …)
    remove remove_body destroy_body delete_entity = esper.delete_entity(entity)
    create_joint add_joint joints = esper.create_entity(RevoluteJoint.at(a, b, x, y))
    update process simulate tick = esper.process(dt), or physics.step(dt)
    collisions arbiters overlaps = physics.hits
    ray_cast ray_cast_first segment_query segment_query_first line_cast linecast = physics.raycast(origin, direction)
    point_query overlap_point get_at = physics.query_point((x, y))
    bb_query overlap_box overlap_area query_box = physics.query_aabb(…)
    overlap_circle query_circle shape_query = physics.query_shape(…)
    debug_draw draw = physics.debug.lines(), or ecsphys.debug_draw with pyglet
physics.bodies: _solver _in_settings _elsewhere
    gravity = physics.settings.gravity
    fixed_step = physics.fixed_step
    mass friction restitution density inertia = the RigidBody component's *
    bounciness elasticity = the RigidBody component's restitution
    add_force apply_force_at_world_point force = apply_force(entity, (x, y), point)
    add_impulse apply_linear_impulse impulse = apply_impulse(entity, (x, y), point)
    add_torque torque = apply_torque(entity, torque)
    velocity get_velocity velocity_of = the Velocity component, or set_velocity
    position set_position teleport = the Transform component
    pre_solve = physics.pre_solve
physics.settings: _solver _in_bodies
    fixed_step = install(fixed_step=60), and physics.fixed_step.hz
    hz alpha paused max_steps time_scale steps dropped_time interpolated pose = physics.fixed_step.*
    mass friction restitution density = the RigidBody component's *
physics.debug: _in_profile
    draw outlines segments = physics.debug.lines()
    hits bodies settings = the attribute of that name of physics
    why explain = physics.debug.why_no_hit(a, b)
physics.fixed_step:
    pause is_paused running = paused = True
    rate fps timestep step frequency = hz, in steps per second
    speed slow_motion timescale = time_scale
    max_substeps max_steps_per_frame = max_steps
    interpolation accumulator interpolate = alpha, or pose(entity)
    add_processor add_system = add(system, priority)
events:
    on_collision_enter on_collision_enter_2d on_trigger_enter collision_started collision_begin begin_contact
    contact_begin contact_started body_entered area_entered = hit_started
    on_collision_stay on_trigger_stay = hit_ongoing
    on_collision_exit on_collision_exit_2d on_trigger_exit collision_ended collision_end end_contact contact_end
    contact_ended body_exited area_exited = hit_ended
_older:
    INPUT_PRIORITY FIXED_STEP_PRIORITY ANALYTIC_MOTION_PRIORITY EULER_MOTION_PRIORITY RIGID_BODY_PRIORITY
    BOUNDS_PRIORITY HIERARCHY_PRIORITY PARTICLE_PRIORITY LIGHT_PRIORITY SWEEP_PRIORITY BROADPHASE_PRIORITY
    NARROWPHASE_PRIORITY HIT_EVENT_PRIORITY LIFETIME_PRIORITY SCROLLING_PRIORITY = ecsphys.Priority.*
    collision_filter = CollisionFilter.of(layers, meets=…, avoids=…)
    layers_of = the method CollisionFilter.layers_as(Layer)
    mask_of = the method CollisionFilter.mask_as(Layer)
    laser_of = LaserSegment.owner, of ecsphys.effects
    FLOOR_ANGLE = math.pi / 4
    SteppedPhysics = Physics
    Contacts = physics.pre_solve
    SolverContacts = ecsphys.types.SolverContacts
ecsphys: _older
    Position Pos Location Rotation Pose Transform2D = Transform(x, y, angle)
    Vector Vec2 Vec2d Vector2 Point = pairs of numbers (x, y)
    Speed LinearVelocity AngularVelocity Movement = Velocity(x, y, angular)
    Body Rigidbody Rigidbody2D RigidBody2D DynamicBody PhysicsBody
    = RigidBody, a component next to Transform and a collider
    StaticBody StaticBody2D Static Wall Ground = RigidBody(kind='static'), or Solid for entities that only block
    KinematicBody KinematicBody2D Kinematic = RigidBody(kind='kinematic'), or Character
    CharacterBody2D CharacterController CharacterBody Player = Character
    Mass Material PhysicsMaterial Restitution Friction = the fields of RigidBody
    Circle CircleShape Ball CircleCollider2D SphereCollider = CircleCollider(radius)
    Box Rect Rectangle BoxCollider BoxCollider2D RectCollider RectangleCollider BoxShape
    = OBBCollider(half_width, half_height), or AABBCollider for boxes that never turn
    Poly Polygon PolygonShape PolygonCollider2D ConvexCollider = PolygonCollider
    Segment Edge EdgeShape EdgeCollider EdgeCollider2D Line LineCollider ChainShape = ChainCollider(points)
    Capsule CapsuleCollider2D CapsuleShape = CapsuleCollider(length, radius)
    MeshCollider ConcaveCollider ConcavePolygon = CompoundCollider.from_outline(points)
    Shape Hitbox HitBox Collider2D AABB OBB = a collider such as CircleCollider
    Trigger Sensor Area Area2D TriggerZone = sensor=True of a collider
    Layer Layers CollisionLayer CollisionLayers CollisionMask Filter ShapeFilter Mask
    = CollisionFilter(layers, mask, group)
    Force ConstantForce Impulse = physics.bodies.apply_force(entity, (x, y))
    Damping AirResistance LinearDamping = Drag(linear, angular)
    GravityScale = Gravity(scale)
    Space World PhysicsWorld B2World Engine Simulation init setup = install()
    PhysicsSystem PhysicsProcessor MovementSystem MovementProcessor CollisionSystem
    = install(), which adds all systems
    bodies gravity hits physics settings debug fixed_step colliders profile check
    = the result of install(): physics = ecsphys.install(), then physics.bodies, physics.hits …
    step update process tick = esper.process(dt), after install()
    PivotJoint PinJoint HingeJoint HingeJoint2D = RevoluteJoint
    SliderJoint SlideJoint GrooveJoint = PrismaticJoint, or DistanceJoint for a rope
    SpringJoint SpringJoint2D DampedSpring RopeJoint Rope = DistanceJoint
    FixedJoint FixedJoint2D = WeldJoint
    TargetJoint2D DragJoint = MouseJoint
    Raycast raycast RayCast2D ray_cast = physics.raycast(origin, direction)
    CollisionHandler ContactListener OnCollision on_collision on_hit
    = HitListener, or esper.set_handler('hit_started', function)
    Collision Contact Arbiter HitEvent = physics.hits, or ecsphys.types.Hit
    create_entity delete_entity add_processor Processor = that name of esper
    debug_draw replay = the module, after import ecsphys.*
"""


@cache
def other_names() -> dict[str, dict[str, str]]:
    """For each part of the package, names that it has in other engines or had before, and what to use instead.

    The parts: component classes and functions, for their arguments; "ecsphys"; "physics" and its attributes, as a
    game calls them; "events".
    """
    groups: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    waiting: list[str] = []
    for line in _TABLE.strip().splitlines():
        if not line.startswith(" "):
            owners, _, bases = line.partition(":")
            names = {}
            for base in bases.split():
                names |= groups[base]
            groups |= dict.fromkeys(owners.split(), names)
            continue
        given, is_whole, meant = f" {line.strip()}".partition(" = ")
        waiting += given.split()
        if is_whole:
            if meant.endswith(", radians"):
                meant = meant.replace(", radians", ", in radians: math.radians(degrees)")
            names |= {name: meant.replace("*", name.removesuffix("_PRIORITY")) for name in waiting}
            waiting = []
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


_PACKAGE: Final = "ecsphys.components."

# The first module of each class that has moved, in the package.
_FIRST_MODULES: Final = {
    "Parent": "motion.parent",
    "Controller": "motion.controller",
    **dict.fromkeys(("Gravity", "Spring", "Orbit", "Drag"), "motion.forces"),
    **dict.fromkeys(("Lifetime", "WorldBounds"), "motion.limits"),
    **dict.fromkeys(("LinearTrajectory", "BallisticTrajectory"), "motion.trajectories"),
    **dict.fromkeys(("CircularTrajectory", "HarmonicTrajectory"), "motion.trajectories"),
    "PathTrajectory": "motion.path_trajectory",
    "ChainCollider": "collision.chain_collider",
    "Solid": "character.solid",
    "OneWay": "character.one_way",
    "Character": "character.character",
    "Bullet": "collision.bullet",
    "Disabled": "collision.disabled",
    "HitListener": "collision.hit_listener",
    "RevoluteJoint": "dynamics.joints.revolute_joint",
    "PrismaticJoint": "dynamics.joints.prismatic_joint",
    "DistanceJoint": "dynamics.joints.distance_joint",
    "WeldJoint": "dynamics.joints.weld_joint",
    "WheelJoint": "dynamics.joints.wheel_joint",
    "MouseJoint": "dynamics.joints.mouse_joint",
    "MotorJoint": "dynamics.joints.motor_joint",
    "GearJoint": "dynamics.joints.gear_joint",
    "Camera": "effects.camera",
    "ParallaxLayer": "effects.parallax_layer",
    "PerspectiveFloor": "effects.perspective_floor",
    "RasterWave": "effects.raster_wave",
    "Emitter": "effects.emitter",
    "TileMap": "effects.tile_map",
}


def name_in_files(cls: type[Any]) -> str:
    """The module and the name of a class, as in the first files with it."""
    module = cls.__module__
    if module.startswith(_PACKAGE) and cls.__name__ in _FIRST_MODULES:
        module = _PACKAGE + _FIRST_MODULES[cls.__name__]
    return f"{module}.{cls.__qualname__}"

"""Names from other engines for attributes of ``physics`` and its parts, and the names that ecsphys uses."""

from __future__ import annotations

from typing import Final

_BODY_SETTINGS = (
    "solver_substeps",
    "length_unit",
    "contact_hertz",
    "contact_damping_ratio",
    "joint_hertz",
    "joint_damping_ratio",
    "joint_iterations",
    "push_out_speed",
    "restitution_threshold",
    "sleep_speed",
    "friction_mixing",
    "restitution_mixing",
)
_BODY_METHODS = (
    "apply_force",
    "apply_torque",
    "apply_impulse",
    "apply_angular_impulse",
    "set_velocity",
    "wake",
    "sleep",
    "is_asleep",
    "mass_of",
)
_STEPS = ("hz", "alpha", "paused", "max_steps", "time_scale", "steps", "dropped_time", "interpolated", "pose")
_DRAG = dict.fromkeys(("damping", "linear_damping", "angular_damping", "drag"), "a Drag component for each entity")
_ITERATIONS = dict.fromkeys(
    ("iterations", "velocity_iterations", "position_iterations", "solver_iterations"), "physics.bodies.solver_substeps"
)
_UNIT = dict.fromkeys(
    ("pixels_per_meter", "pixels_per_unit", "ppm", "scale", "unit", "units"), "physics.bodies.length_unit"
)
_SLEEP = dict.fromkeys(
    ("sleep_threshold", "sleep_time_threshold", "idle_speed_threshold", "allow_sleep"), "physics.bodies.sleep_speed"
)
_HANDLERS = dict.fromkeys(
    ("on_hit", "on_collision", "add_collision_handler", "on_collision_begin", "contact_listener", "set_handler"),
    "esper.set_handler('hit_started', function), or a HitListener component",
)
_GRAVITY = dict.fromkeys(("set_gravity", "g", "gravity_x", "gravity_y"), "physics.gravity = (x, y)")

NAMES_FOR_PHYSICS: Final[dict[str, str]] = {
    **{name: f"physics.bodies.{name}" for name in (*_BODY_SETTINGS, *_BODY_METHODS)},
    **{name: f"physics.fixed_step.{name}, with install(fixed_step=60)" for name in _STEPS},
    **dict.fromkeys(("dt", "timestep", "time_step", "fixed_timestep", "fps", "rate"), "install(fixed_step=60)"),
    **_DRAG,
    **_ITERATIONS,
    **_UNIT,
    **_SLEEP,
    **_HANDLERS,
    **_GRAVITY,
    **dict.fromkeys(("add", "add_body", "create_body", "create_entity"), "esper.create_entity(Transform(), …)"),
    **dict.fromkeys(("remove", "remove_body", "destroy_body", "delete_entity"), "esper.delete_entity(entity)"),
    **dict.fromkeys(("create_joint", "add_joint", "joints"), "esper.create_entity(RevoluteJoint.at(a, b, x, y))"),
    **dict.fromkeys(("update", "process", "simulate", "tick"), "esper.process(dt), or physics.step(dt)"),
    **dict.fromkeys(("collisions", "arbiters", "overlaps"), "physics.hits"),
    **dict.fromkeys(
        ("ray_cast", "ray_cast_first", "segment_query", "segment_query_first", "line_cast", "linecast"),
        "physics.raycast(origin, direction)",
    ),
    **dict.fromkeys(("point_query", "overlap_point", "get_at"), "physics.query_point((x, y))"),
    **dict.fromkeys(("bb_query", "overlap_box", "overlap_area", "query_box"), "physics.query_aabb(…)"),
    **dict.fromkeys(("overlap_circle", "query_circle", "shape_query"), "physics.query_shape(…)"),
    **dict.fromkeys(("pre_solve", "presolve"), "physics.contacts.pre_solve"),
    **dict.fromkeys(("debug", "debug_draw", "draw"), "ecsphys.debug_draw"),
    **dict.fromkeys(("timings", "counters", "timed"), "physics.profile"),
}

NAMES_FOR_BODIES: Final[dict[str, str]] = {
    **_DRAG,
    **_UNIT,
    **_SLEEP,
    **_GRAVITY,
    **dict.fromkeys(("iterations", "velocity_iterations", "substeps"), "physics.bodies.solver_substeps"),
    **{name: f"physics.{name}" for name in ("gravity", "threads", "integrator", "cell_size", "fixed_step")},
    **{name: f"the RigidBody component's {name}" for name in ("mass", "friction", "restitution", "density", "inertia")},
    **dict.fromkeys(("bounciness", "elasticity"), "the RigidBody component's restitution"),
    **dict.fromkeys(("add_force", "apply_force_at_world_point", "force"), "apply_force(entity, (x, y), point)"),
    **dict.fromkeys(("add_impulse", "apply_linear_impulse", "impulse"), "apply_impulse(entity, (x, y), point)"),
    **dict.fromkeys(("add_torque", "torque"), "apply_torque(entity, torque)"),
    **dict.fromkeys(("velocity", "get_velocity", "velocity_of"), "the Velocity component, or set_velocity"),
    **dict.fromkeys(("position", "set_position", "teleport"), "the Transform component"),
    **dict.fromkeys(("pre_solve", "presolve"), "physics.contacts.pre_solve"),
}

NAMES_FOR_CONTACTS: Final[dict[str, str]] = {
    "presolve": "physics.contacts.pre_solve",
    **dict.fromkeys(("begin", "post_solve", "separate", "on_begin"), "the events hit_started and hit_ended"),
    **{name: f"physics.bodies.contact_{name}" for name in ("hertz", "damping_ratio")},
}

NAMES_FOR_FIXED_STEP: Final[dict[str, str]] = {
    **dict.fromkeys(("pause", "is_paused", "running"), "paused = True"),
    **dict.fromkeys(("rate", "fps", "timestep", "step", "frequency"), "hz, steps a second"),
    **dict.fromkeys(("speed", "slow_motion", "timescale"), "time_scale"),
    **dict.fromkeys(("max_substeps", "max_steps_per_frame"), "max_steps"),
    **dict.fromkeys(("interpolation", "accumulator", "interpolate"), "alpha, or pose(entity)"),
    **dict.fromkeys(("add_processor", "add_system"), "add(system, priority)"),
}

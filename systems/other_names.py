"""Names from other engines and older versions for attributes of ``physics`` and its parts: what to use instead."""

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
    ("iterations", "velocity_iterations", "position_iterations", "solver_iterations"),
    "physics.settings.solver_substeps",
)
_UNIT = dict.fromkeys(
    ("pixels_per_meter", "pixels_per_unit", "ppm", "scale", "unit", "units"), "physics.settings.length_unit"
)
_SLEEP = dict.fromkeys(
    ("sleep_threshold", "sleep_time_threshold", "idle_speed_threshold", "allow_sleep"), "physics.settings.sleep_speed"
)
_HANDLERS = dict.fromkeys(
    ("on_hit", "on_collision", "add_collision_handler", "on_collision_begin", "contact_listener", "set_handler"),
    "esper.set_handler('hit_started', function), or a HitListener component",
)
_GRAVITY = dict.fromkeys(("set_gravity", "g", "gravity_x", "gravity_y"), "physics.gravity = (x, y)")

_SETTINGS = ("cell_size", "integrator", "threads", *_BODY_SETTINGS)
_SUBSTEPS = {"substeps": "physics.settings.motion_substeps, or physics.settings.solver_substeps for rigid bodies"}
_PRE_SOLVE = dict.fromkeys(("presolve", "contacts"), "physics.pre_solve")

NAMES_FOR_PHYSICS: Final[dict[str, str]] = {
    **{name: f"physics.settings.{name}" for name in _SETTINGS},
    **_SUBSTEPS,
    **{name: f"physics.bodies.{name}" for name in _BODY_METHODS},
    **{name: f"physics.debug.{name}" for name in ("profile", "candidate_pairs", "colliders")},
    "check": "physics.debug.check()",
    "why_no_hit": "physics.debug.why_no_hit(a, b)",
    "started": "physics.hits.started",
    "ended": "physics.hits.ended",
    "hits_of": "physics.hits.of(entity)",
    "is_hitting": "physics.hits.has(a, b)",
    "priority": "install(priority=…)",
    "state": "self.state of a stage",
    **_PRE_SOLVE,
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
    **dict.fromkeys(("debug_draw", "draw"), "physics.debug.lines(), or ecsphys.debug_draw with pyglet"),
    **dict.fromkeys(("timings", "counters", "timed"), "physics.debug.profile"),
}

NAMES_FOR_BODIES: Final[dict[str, str]] = {
    **_DRAG,
    **_UNIT,
    **_SLEEP,
    **_GRAVITY,
    **{name: f"physics.settings.{name}" for name in ("gravity", *_SETTINGS)},
    **_ITERATIONS,
    **_SUBSTEPS,
    "fixed_step": "physics.fixed_step",
    **{name: f"the RigidBody component's {name}" for name in ("mass", "friction", "restitution", "density", "inertia")},
    **dict.fromkeys(("bounciness", "elasticity"), "the RigidBody component's restitution"),
    **dict.fromkeys(("add_force", "apply_force_at_world_point", "force"), "apply_force(entity, (x, y), point)"),
    **dict.fromkeys(("add_impulse", "apply_linear_impulse", "impulse"), "apply_impulse(entity, (x, y), point)"),
    **dict.fromkeys(("add_torque", "torque"), "apply_torque(entity, torque)"),
    **dict.fromkeys(("velocity", "get_velocity", "velocity_of"), "the Velocity component, or set_velocity"),
    **dict.fromkeys(("position", "set_position", "teleport"), "the Transform component"),
    "pre_solve": "physics.pre_solve",
    **_PRE_SOLVE,
}

NAMES_FOR_SETTINGS: Final[dict[str, str]] = {
    **_SUBSTEPS,
    **_ITERATIONS,
    **_UNIT,
    **_SLEEP,
    **_DRAG,
    "fixed_step": "install(fixed_step=60), and physics.fixed_step.hz",
    **{name: f"physics.bodies.{name}" for name in _BODY_METHODS},
    **{name: f"physics.fixed_step.{name}" for name in _STEPS},
    **{name: f"the RigidBody component's {name}" for name in ("mass", "friction", "restitution", "density")},
}

NAMES_FOR_DEBUG: Final[dict[str, str]] = {
    **dict.fromkeys(("draw", "outlines", "segments"), "physics.debug.lines()"),
    **dict.fromkeys(("timings", "counters", "timed"), "physics.debug.profile"),
    **dict.fromkeys(("hits", "bodies", "settings"), "the attribute of that name of physics"),
    **dict.fromkeys(("why", "explain"), "physics.debug.why_no_hit(a, b)"),
}

NAMES_FOR_FIXED_STEP: Final[dict[str, str]] = {
    **dict.fromkeys(("pause", "is_paused", "running"), "paused = True"),
    **dict.fromkeys(("rate", "fps", "timestep", "step", "frequency"), "hz, in steps per second"),
    **dict.fromkeys(("speed", "slow_motion", "timescale"), "time_scale"),
    **dict.fromkeys(("max_substeps", "max_steps_per_frame"), "max_steps"),
    **dict.fromkeys(("interpolation", "accumulator", "interpolate"), "alpha, or pose(entity)"),
    **dict.fromkeys(("add_processor", "add_system"), "add(system, priority)"),
}

"""The names of classes in saved worlds, digests and recordings, which stay when a class moves to another module."""

from __future__ import annotations

from typing import Any, Final

_PACKAGE: Final = "ecsphys.components."

# The first module of each class that has moved, in the package.
_FIRST_MODULES: Final = {
    "Parent": "motion.parent",
    "Controller": "motion.controller",
    **dict.fromkeys(("Gravity", "Spring", "Orbit", "Drag"), "motion.forces"),
    **dict.fromkeys(("Lifetime", "WorldBounds"), "motion.limits"),
    "PathTrajectory": "motion.path_trajectory",
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
}


def name_in_files(cls: type[Any]) -> str:
    """The module and the name of a class, as in the first files with it."""
    module = cls.__module__
    if module.startswith(_PACKAGE) and cls.__name__ in _FIRST_MODULES:
        module = _PACKAGE + _FIRST_MODULES[cls.__name__]
    return f"{module}.{cls.__qualname__}"

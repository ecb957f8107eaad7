"""All classes of joints, in the order of their numbers."""

from __future__ import annotations

from ecsphys.components.dynamics.joints.distance_joint import DistanceJoint
from ecsphys.components.dynamics.joints.gear_joint import GearJoint
from ecsphys.components.dynamics.joints.joint import AnchoredJoint, Joint
from ecsphys.components.dynamics.joints.motor_joint import MotorJoint
from ecsphys.components.dynamics.joints.mouse_joint import MouseJoint
from ecsphys.components.dynamics.joints.prismatic_joint import PrismaticJoint
from ecsphys.components.dynamics.joints.revolute_joint import RevoluteJoint
from ecsphys.components.dynamics.joints.weld_joint import WeldJoint
from ecsphys.components.dynamics.joints.wheel_joint import WheelJoint

ANCHORED_JOINTS: tuple[type[AnchoredJoint], ...] = (
    RevoluteJoint,
    PrismaticJoint,
    DistanceJoint,
    WeldJoint,
    WheelJoint,
    MouseJoint,
    MotorJoint,
)

# Gears, which hold what other joints do, come last.
JOINT_CLASSES: tuple[type[Joint], ...] = (*ANCHORED_JOINTS, GearJoint)

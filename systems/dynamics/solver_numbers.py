"""The settings of the bodies' solver as the engine takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ecsphys.engine.dynamics.contacts.contact_blocks import SolverSettings
from ecsphys.engine.dynamics.contacts.materials import MixingRules
from ecsphys.engine.dynamics.joints.joint_rows import JointSettings
from ecsphys.engine.dynamics.sleeping_bodies import SleepSettings
from ecsphys.engine.dynamics.strikes import StrikeStep
from ecsphys.systems.settings import MIXING_RULES

if TYPE_CHECKING:
    from ecsphys.systems.settings import Settings

# Seconds that a body has to be slow before it may sleep.
_PATIENCE: Final = 0.5

# In lengths: colliders are solved if they are nearer to each other. Box2D has the same margin, four linear slops.
_MARGIN: Final = 0.02

# Of the margin: a surface that blocks from one side only still blocks what overlaps it by that.
_ONE_WAY_SLOP: Final = 0.25

# In lengths/s: the least change of the lighter body's velocity that is a strike. Smaller ones come from overlaps, as
# they are pushed apart.
_STRIKE_SPEED: Final = 0.5

# In Hz for each substep: joints get no stiffer, however short a step is.
_STIFFEST_JOINT: Final = 30.0


class SolverNumbers(NamedTuple):
    """What ``settings``, the attributes of ``Settings``, are to the engine; lengths are in units.

    ``margin``: colliders that are less far apart are solved. ``one_way_slop``: what overlaps by less is still blocked
    from one side. ``bounce_speed``: slower, nothing bounces.
    """

    settings: dict[str, Any]
    solver: SolverSettings
    joints: JointSettings
    mixing: MixingRules
    sleep: SleepSettings
    margin: float
    one_way_slop: float
    bounce_speed: float
    strikes: StrikeStep


def numbers_of(settings: Settings, dt: float) -> SolverNumbers:
    """The numbers for steps of ``dt`` seconds."""
    unit = settings.length_unit
    return SolverNumbers(
        dict(vars(settings)),
        SolverSettings(
            dt,
            settings.solver_substeps,
            settings.contact_hertz,
            settings.contact_damping_ratio,
            settings.push_out_speed * unit,
        ),
        JointSettings(
            min(settings.joint_hertz, _STIFFEST_JOINT * settings.solver_substeps),
            settings.joint_damping_ratio,
            settings.joint_iterations,
        ),
        MixingRules(MIXING_RULES[settings.friction_mixing], MIXING_RULES[settings.restitution_mixing]),
        SleepSettings(settings.sleep_speed * unit, _PATIENCE),
        _MARGIN * unit,
        _ONE_WAY_SLOP * _MARGIN * unit,
        settings.restitution_threshold * unit,
        StrikeStep(dt, _STRIKE_SPEED * unit, 1.0),
    )

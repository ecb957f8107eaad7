"""``physics.debug.check()``: everything in a world that cannot be meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ecsphys.systems.diagnosis.body_checks import check_bodies
from ecsphys.systems.diagnosis.census import Census, Finding
from ecsphys.systems.diagnosis.component_checks import check_components
from ecsphys.systems.diagnosis.filter_checks import check_filters
from ecsphys.systems.diagnosis.motion_checks import check_motion
from ecsphys.systems.diagnosis.scale_checks import check_scale
from ecsphys.systems.diagnosis.system_checks import check_events, check_fixed_step, check_systems
from ecsphys.systems.stepping.fixed_step import running_systems
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# A frame that takes so many seconds was given in other units.
_LONGEST_STEP = 1.0


def check_world(state: PhysicsState) -> list[Finding]:
    """The findings of a world; RuntimeError in another one than the physics'."""
    refuse_other_world(state.world)
    census = Census()
    raised = list(_check_step(state))
    # A world that cannot be stepped has no placed shapes.
    placed = [] if raised else [*check_motion(census, state), *check_scale(census, state)]
    return [
        *raised,
        *_check_lengths(state),
        *check_systems(census, [*running_systems(), *state.own_stages]),
        *check_fixed_step(state.fixed_step),
        *check_events(),
        *check_components(census, state.settings),
        *check_bodies(census),
        *check_filters(census),
        *placed,
    ]


def _check_step(state: PhysicsState) -> Iterator[Finding]:
    """The error that the next step would raise."""
    try:
        state.validate()
    except (TypeError, ValueError) as error:
        yield Finding(f"the next step raises: {error}")


def _check_lengths(state: PhysicsState) -> Iterator[Finding]:
    """Steps of a strange length."""
    if state.dt > _LONGEST_STEP:
        yield Finding(f"the last step was {state.dt:g} seconds long: pass dt in seconds, not milliseconds")
    fixed = state.fixed_step
    if fixed is not None and fixed.dropped_time > max(fixed.step_count * fixed.dt, _LONGEST_STEP):
        yield Finding(
            f"the fixed step has dropped {fixed.dropped_time:g} seconds, more than it has run: pass dt in seconds, not"
            " milliseconds"
        )

"""Calm steps: where nothing moves, and nothing was changed since the last step, a step has the result of the last.

A world at rest costs the same whatever its size: one look at numbers that any change makes different. Whether a world
is at rest is decided at the end of a step, where everything is known; whether it still is, at the beginning of the
next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import esper

from ecsphys.components.collision.hit_listener import HitListener
from ecsphys.components.store.change_log import ENTRIES, PUSHED, PUSHES, WRITTEN, collect_pushes
from ecsphys.components.store.column_store import GRANTS
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.tables.entity_rows import PARENT
from ecsphys.systems.world.world_tables import NeverAttached

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import StepHits
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.stage import Stage

# Contacts and impulses of what fell asleep settle within so many steps.
_SETTLING: Final = 4

ONGOING: Final = frozenset(("hit_ongoing", "pair_ongoing"))
"""The events of hits that go on."""


class CalmSteps:
    """Finds the calm steps of one physics.

    The next step is calm if in this one no entity had a stepped motion, a trajectory or a ``Parent``, nothing was near
    the way of a bullet, all dynamic bodies slept, all colliders slept or were still, and no hit began or ended; and if
    what :meth:`_signs` lists is then as it is now, and each stage that may rest does.
    """

    __slots__ = (
        "_found",
        "_others",
        "_ran",
        "_resting",
        "_seconds",
        "_settings",
        "_settled",
        "_signs_then",
        "_state",
    )

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # Steps at rest since the last change.
        self._settled = 0
        # The stages that the next step would run behind its first; None unless it is calm.
        self._others: tuple[Stage, ...] | None = None
        # Those of them that would have to run unless they rest.
        self._resting: tuple[Stage, ...] = ()
        self._ran = 0
        self._found: StepHits | None = None
        self._seconds = -1.0
        self._signs_then: tuple[Any, ...] = ()
        self._settings: dict[str, Any] = {}

    def forget(self) -> None:
        """The next steps are whole ones."""
        self._settled, self._others = 0, None

    def make(self, others: tuple[Stage, ...], dt: float) -> bool:
        """Make a step of a stage and its followers, if it is calm; returns whether it is."""
        if others is not self._others or dt != self._seconds or type(dt) is not float:
            return False
        state = self._state
        if (
            esper.get_component(NeverAttached) is not state.tables.answer
            or PUSHED[0]
            or 1 in WRITTEN
            or state.hits.found is not self._found
            or self._signs() != self._signs_then
            or vars(state.settings) != self._settings
            or (self._resting and not all_rest(self._resting, False))
        ):
            self.forget()
            return False
        state.clock += dt
        del state.stages_run[self._ran :]
        return True

    def note_step(self, others: tuple[Stage, ...], dt: float) -> None:
        """Decide whether the step after this one is calm, if it runs the same stages."""
        state = self._state
        if state.moving.has_movers or not self._is_at_rest():
            self.forget()
            return
        collect_pushes()
        signs = self._signs()
        is_as_before = signs == self._signs_then and dt == self._seconds and vars(state.settings) == self._settings
        self._settled = self._settled + 1 if is_as_before else 0
        self._settings, self._signs_then, self._seconds = dict(vars(state.settings)), signs, dt
        self._ran, self._found = len(state.stages_run), state.hits.found
        self._others = others if self._settled >= _SETTLING else None
        self._resting = tuple(one for one in others if one._may_rest)

    def _is_at_rest(self) -> bool:
        state = self._state
        entities, found, moving = state.tables.entities, state.hits.found, state.moving
        counts = found.counts
        sleeping = state.sleeping
        if counts.new or counts.ended or (sleeping.listed_count and sleeping.listed_count != sleeping.still_count):
            return False
        if entities.instances[PARENT].count or state.has_swept or len(moving.trajectories):
            return False
        is_told = counts.contacts > counts.near and (
            found.listeners.are_told("ongoing") or not ONGOING.isdisjoint(esper.event_registry)
        )
        return not (
            is_told
            or found.strikes.complete
            or found.strikes.is_any_left
            or len(state.touches)
            or len(state.swept)
            or state.checks.is_needed
            or state.pairs.are_pending
            or not (state.solver is None or state.body_table.all_sleep)
            or state.placing.has_listed
        )

    def _signs(self) -> tuple[Any, ...]:
        """What is different after any change that :meth:`make` does not look for itself."""
        state = self._state
        return (
            *shared_signs(state, state),
            ENTRIES.made,
            PUSHES.made,
            HitListener._changes,
            state.sleeping.departures,
            len(state.joints.breaks.pending),
            ONGOING.isdisjoint(esper.event_registry),
        )


def shared_signs(state: PhysicsState, owners: PhysicsState) -> tuple[Any, ...]:
    """What is different after a change that neither a calm nor a planned step may follow; ``owners`` has the parts of
    the world."""
    table = owners.body_table
    return (
        esper.current_world,
        GRANTS.made,
        REPLACEMENTS.made,
        state.calling,
        state.unfinished,
        state.is_in_stage,
        state.pre_solve,
        owners.pairs.are_pending,
        owners.tables.revision,
        table.revision,
        table.measurement,
        table.sleep_changes,
        table.collider_changes,
        owners.joints.pairs.revision,
        owners.sleeping.generation,
        len(owners.touches),
        len(esper._dead_entities),
    )


def all_rest(stages: tuple[Stage, ...], others_move: bool) -> bool:
    """Whether all of some stages rest, as of ``Stage._rests``."""
    return all(one._rests(others_move) for one in stages)

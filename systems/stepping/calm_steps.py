"""Calm steps: where nothing moves, and nothing was changed since the last step, a step has the result of the last.

A world at rest costs the same whatever its size. Whether it is at rest is decided at the end of a step, where
everything is known. Then the gate (:mod:`ecsphys.systems.stepping.step_gate`) lets steps pass until anything changes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import esper

from ecsphys.components.collision.collision_filter import HitListener
from ecsphys.components.store.change_log import ENTRIES, PUSHED, PUSHES, WRITTEN, collect_pushes
from ecsphys.components.store.column_store import GRANTS
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.tables.entity_rows import PARENT
from ecsphys.systems.stepping.step_gate import PassingSteps, Watched, unchanged, watch

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.stage import Stage

# Contacts and impulses of what fell asleep settle within so many steps.
_SETTLING: Final = 4

ONGOING: Final = frozenset(("hit_ongoing", "pair_ongoing"))
"""The events of hits that go on."""

GOING_ON: Final = ("calling", "unfinished", "is_in_stage")
"""Attributes of ``PhysicsState``: calls and stages under way. There are none while the parts of the world are away."""

_BLOCKS: Final[tuple[tuple[object, str], ...]] = ((GRANTS, "made"), (REPLACEMENTS, "made"))
"""What changes where a game gets an array of a column, and where a column gets a larger block."""


class CalmSteps:
    """Finds the calm steps of one physics.

    The next step is calm if in this one no entity had a stepped motion, a trajectory or a ``Parent``, nothing was near
    the way of a bullet, all dynamic bodies slept, all colliders slept or were still, and no hit began or ended; and if
    what :meth:`_watched_now` lists is then as it is now, and each stage that may rest does.
    """

    __slots__ = ("_seconds", "_settled", "_state", "_watched")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # Steps at rest since the last change.
        self._settled = 0
        self._seconds = -1.0
        self._watched: Watched = ()

    def note_step(self, first: Stage, others: tuple[Stage, ...], dt: float) -> None:
        """Decide whether the step after this one is calm, if it runs the same stages: the first and the others, last
        first."""
        state = self._state
        if state.moving.has_movers or type(dt) is not float or not self._is_at_rest():
            self._settled = 0
            return
        collect_pushes()
        is_as_before = dt == self._seconds and bool(self._watched) and unchanged(self._watched)
        self._settled = self._settled + 1 if is_as_before else 0
        self._seconds = dt
        if not is_as_before:
            self._watched = self._watched_now()
        if self._settled >= _SETTLING:
            resting = tuple(one for one in others if one._may_rest)
            watched = (*self._watched, *watch((state.hits, "found")))
            state.stepping.gate.open_calm(
                PassingSteps(state.stepping.runs.loop, (first, others), dt, watched, (WRITTEN, PUSHED)),
                state.hits.found.counts.contacts > state.hits.found.counts.near,
                partial(all_rest, resting, False) if resting else None,
            )

    def _is_at_rest(self) -> bool:
        state = self._state
        entities, found, moving = state.tables.entities, state.hits.found, state.moving
        counts = found.counts
        sleeping = state.sleeping
        if counts.new or counts.ended or (sleeping.listed_count and sleeping.listed_count != sleeping.still_count):
            return False
        if entities.instances[PARENT].count or state.progress.has_swept or len(moving.trajectories):
            return False
        is_told = counts.contacts > counts.near and (
            found.listeners.are_told("ongoing") or not ONGOING.isdisjoint(esper.event_registry)
        )
        return not (
            is_told
            or found.strikes.complete
            or found.strikes.is_any_left
            or len(state.touches)
            or state.are_touched
            or state.checks.is_needed
            or state.pairs.are_pending
            or not (state.solver is None or state.body_table.all_sleep)
            or state.placing.has_listed
        )

    def _watched_now(self) -> Watched:
        """What changes with anything that may part this step from the next, but for writes."""
        state = self._state
        # Whatever changes the tables, or bodies and joints but for their sleep, makes an entry, or esper has another
        # answer.
        return (
            *watched_around(state),
            *watch(
                *((state.progress, name) for name in GOING_ON),
                (state.settings, "_changes"),
                (ENTRIES, "made"),
                (PUSHES, "made"),
                (state.pairs, "are_pending"),
                (state.body_table, "sleep_changes"),
                (state.sleeping, "generation"),
                (state.sleeping, "departures"),
                (state.joints.breaks, "pending"),
            ),
        )


def watched_around(state: PhysicsState) -> Watched:
    """What changes with anything around the world after which neither a calm nor a planned step may follow, but for
    writes."""
    return watch(
        (esper, "current_world"),
        (esper, "_cache_dirty"),
        (esper, "_dead_entities"),
        (HitListener, "_changes"),
        (state.stepping, "pre_solve"),
        (state.progress, "stopwatch"),
        *_BLOCKS,
    )


def all_rest(stages: tuple[Stage, ...], others_move: bool) -> bool:
    """Whether all of some stages rest, as of ``Stage._rests``."""
    return all(one._rests(others_move) for one in stages)

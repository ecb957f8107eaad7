"""The physics of one esper world: its settings, the arrays its stages exchange, and its hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import esper
import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.store.column_leases import LeaseWatch
from ecsphys.components.store.component import Component
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.step_kernels import STEP_KERNELS
from ecsphys.systems.ccd.step_starts import StepStarts
from ecsphys.systems.ccd.swept_contacts import SweptContacts
from ecsphys.systems.character_controller.movers import Movers
from ecsphys.systems.collision.hit_tracker import HitTracker
from ecsphys.systems.collision.hits import EndedHitArrays, Hit, HitArrays
from ecsphys.systems.collision.resting_colliders import RestingColliders
from ecsphys.systems.fixed_step.stopwatch import Stopwatch
from ecsphys.systems.running_systems import refuse_second_physics
from ecsphys.systems.settings import Settings, Vector, checked_dt, whole_number
from ecsphys.systems.spatial_query.queries import Queries
from ecsphys.systems.world.parent_levels import ParentLevels
from ecsphys.systems.world.placed_colliders import PlacedColliders
from ecsphys.systems.world.proxies import Proxies
from ecsphys.systems.world.row_checks import refuse_bad_floats
from ecsphys.systems.world.world_index import WorldIndex

if TYPE_CHECKING:
    from ecsphys.systems.collision.broadphase import BroadphaseSystem
    from ecsphys.systems.stage import Stage

_MOST_PROXIES = int(np.iinfo(int32).max)


class Physics(Settings, Movers, Queries):
    """Settings and step state of one esper world; ``ecsphys.install`` makes one and adds the stages.

    Parameters
    ----------
    gravity
        (x, y) acceleration, in units/s², of entities that have a ``Gravity`` component.
    cell_size
        Side of the broadphase's cells, in units; None chooses from the colliders' sizes and adapts.
    substeps
        Number of equal parts the stepped motion is divided into; detection runs once a step.
    integrator
        "explicit", "semi_implicit" or "verlet".

    All four may be changed between steps. Bad values raise ValueError, what is no number TypeError.

    Attributes
    ----------
    proxies
        Every collider in the world, see :class:`Proxies`.
    boxes
        (n, 4) float64, the colliders' bounding boxes (min_x, min_y, max_x, max_y), in the order of ``proxies``.
    candidate_pairs
        (m, 2) int32, the broadphase's output: indices into ``proxies`` of pairs to be tested, in any order.
    hits, started, ended
        :class:`HitArrays` of the last step: all that overlap, those that are new, those that are over.
    """

    def __init__(
        self,
        gravity: Vector = (0.0, 0.0),
        cell_size: float | None = None,
        substeps: int = 1,
        integrator: str = "semi_implicit",
    ) -> None:
        Settings.__init__(self, gravity, cell_size, substeps, integrator)
        Movers.__init__(self)
        self.tracker = HitTracker(self)
        self.placed = PlacedColliders()
        self.resting = RestingColliders()
        self.starts = StepStarts()
        self.swept_contacts = SweptContacts()
        self._placed_index: WorldIndex | None = None
        self.stopwatch: Stopwatch | None = None
        self._watches: dict[type[Component], LeaseWatch] = {}
        self._is_suspect = False
        self._is_in_stage = False
        self._checked_index: WorldIndex | None = None
        self._succession: tuple[WorldIndex, WorldIndex, NDArray[int64]] | None = None
        self._found_beside_resting = False
        self._world: str | None = None
        self._index: WorldIndex | None = None
        self._stages_run: list[Stage] = []
        self._pairs: NDArray[int32] = np.zeros((0, 2), int32)
        self._pairs_index: WorldIndex | None = None
        self._pairs_finder: BroadphaseSystem | None = None
        self._broadphase: BroadphaseSystem | None = None
        self._trajectory_velocity: NDArray[float64] = np.zeros((0, 2))
        self._trajectory_index: WorldIndex | None = None
        self._levels: ParentLevels | None = None
        load_kernels(STEP_KERNELS)

    def enter(self, stage: Stage, dt: float) -> float:
        """Begin a stage: check ``dt``, bring the index up to date, and at a step's first stage check all columns.

        Nothing has changed where it raises: TypeError for a ``dt`` that is no number; ValueError for one that is
        negative or not finite, for a bad value in a column, a shared instance, a second trajectory or a cycle of
        parents; RuntimeError from within a hit handler, or in another world than the first step's.
        """
        seconds = checked_dt(dt)
        if self.tracker.found.delivery.is_running:
            raise RuntimeError("a hit handler must not step the physics whose hits it is handling")
        if self._world is None:
            refuse_second_physics(self)
            self._world = esper.current_world
        elif self._world != esper.current_world:
            raise RuntimeError(
                f"this Physics belongs to the world {self._world!r}, not to {esper.current_world!r}:"
                " each world needs one of its own"
            )
        first = self._begins_step(stage)
        index = self._index
        if index is None or not index.is_current():
            index = WorldIndex()
        if first or self._checked_index is not index:
            self._refuse_bad_floats(index)
            self._levels = ParentLevels.of(index, self._levels)
        self._index = index
        if first:
            self._stages_run.clear()
            self.clock += seconds
            self.starts.record(index)
            self.placed.outdate()
            if self.stopwatch is not None:
                self.stopwatch.begin_step()
        self._stages_run.append(stage)
        self._is_in_stage = True
        return seconds

    def _refuse_bad_floats(self, index: WorldIndex) -> None:
        """Check what may have been written into columns since the last check, all of it for an index that is new.

        Nothing else has to be: every other value was checked when it was assigned, or computed by the systems.
        """
        is_new = self._checked_index is not index
        is_suspect = self._is_suspect or self._is_in_stage
        for used in index.in_use:
            leases = used[0]._columns.leases
            watch = self._watches.setdefault(used[0], LeaseWatch(leases))
            if is_suspect or watch.may_have_changed() or (is_new and leases.count):
                refuse_bad_floats(*used)
        for watch in self._watches.values():
            watch.look()
        self._is_suspect = self._is_in_stage = False
        self._checked_index = index

    def _begins_step(self, stage: Stage) -> bool:
        """Whether a stage belongs to another step than those before it: it has run already, or it comes before them."""
        if not self._stages_run:
            return True
        return stage.priority > self._stages_run[-1].priority or any(stage is run for run in self._stages_run)

    @property
    def entered_index(self) -> WorldIndex:
        """:attr:`index` for the stage that runs now: it was brought up to date when the stage began."""
        return self.index if self._index is None else self._index

    @property
    def index(self) -> WorldIndex:
        """The rows of the world's components, brought up to date while that world is the current one."""
        is_here = self._world in (None, esper.current_world)
        if self._index is None or (is_here and not self._index.is_current()):
            self._index = WorldIndex()
        return self._index

    @property
    def proxies(self) -> Proxies:
        """Every collider of the world."""
        return self.index.proxies

    @property
    def parent_levels(self) -> ParentLevels:
        """Who is carried by whom, brought up to date; ValueError for a cycle."""
        self._levels = ParentLevels.of(self.index, self._levels)
        return self._levels

    def moved(self, finite: bool = True) -> None:
        """Tell that transforms have changed since the boxes were read in this step; and whether all are finite."""
        self.placed.outdate()
        self._is_suspect |= not finite

    def leave(self) -> None:
        """End a stage. Where an interrupt or an error kept it from that, the next step checks all columns."""
        self._is_in_stage = False

    @property
    def boxes(self) -> NDArray[float64]:
        """Bounding boxes (n, 4) of the proxies where they are now; a view, brought up to date by every access."""
        self.placed.outdate()
        return self.placed_at(self.index).boxes

    def placed_at(self, index: WorldIndex) -> PlacedColliders:
        """The colliders of the present index, placed anew where something may have moved since that was last done."""
        if self._world is None:
            refuse_second_physics(self)
        if self._placed_index is not index:
            self._place_index(index)
        if not self.resting.is_whole:
            self.resting.wake_all(len(index.proxies))
        if not self.placed.is_current(index.proxies):
            self.placed.refresh()
        return self.placed

    def _place_index(self, index: WorldIndex) -> None:
        old, proxies = self._placed_index, index.proxies
        # Both are carried to the new index, or both begin anew where this is cut short.
        self._placed_index = None
        driven = (proxies.velocity_row >= 0) | (proxies.trajectory >= 0)
        if index.children[0].size:
            driven |= np.isin(proxies.entity, index.children[0])
        chosen = np.flatnonzero(driven).astype(int32)
        if old is not None and self.placed.is_whole and self.resting.is_whole and self.resting.names.size:
            successor = self.successors(old, index)
            self.placed.carry(proxies, chosen, index.transforms[1], successor)
            self.resting.carry(successor, len(proxies))
        else:
            self.placed.begin(proxies, chosen, index.transforms[1])
            self.resting.wake_all(len(proxies))
        self._placed_index = index

    def successors(self, old: WorldIndex, index: WorldIndex) -> NDArray[int64]:
        """For each proxy of an older index its place among the present ones, −1 where an instance is another."""
        if self._succession is None or self._succession[0] is not old or self._succession[1] is not index:
            # Where the database was cleared every entity is gone, even where an id or an instance is in use again.
            is_cleared = old.token is not index.token
            successor = np.full(len(old.proxies), -1, int64) if is_cleared else old.proxies.successors_in(index.proxies)
            self._succession = (old, index, successor)
        return self._succession[2]

    def release_old_index(self) -> None:
        """Tell that the hits have followed: nothing of an older index, nor its instances, is needed any more."""
        self._succession = None

    @property
    def candidate_pairs(self) -> NDArray[int32]:
        """The pairs of proxies to be tested in this step, (m, 2); a replaced broadphase assigns them every step."""
        if not self._found_beside_resting:
            return self._pairs
        return np.concatenate((self._pairs, self.resting.resting_pairs))

    @candidate_pairs.setter
    def candidate_pairs(self, pairs: Any) -> None:
        try:
            array = np.asarray(pairs)
        except ValueError:  # rows of different lengths
            array = np.zeros(1, object)
        if array.size == 0:
            array = np.zeros((0, 2), int32)
        if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
            raise ValueError(
                f"candidate pairs must be whole numbers of shape (n, 2), got {array.dtype} of shape {array.shape}"
            )
        # Indices out of range are found by the narrowphase, which looks at every pair anyway.
        pairs = np.ascontiguousarray(np.clip(array, -1, _MOST_PROXIES) if array.itemsize > 4 else array, int32)
        self._set_pairs(pairs, self.index, None, beside_resting=False)

    def accept_pairs(self, broadphase: BroadphaseSystem, pairs: NDArray[int32], beside_resting: bool) -> None:
        """Take the candidate pairs from a stage, which can find them again if entities change before they are tested.

        ``beside_resting``: the pairs of two resting colliders are not among them.
        """
        self._broadphase = broadphase
        self._set_pairs(pairs, self.entered_index, broadphase, beside_resting)

    def _set_pairs(
        self, pairs: NDArray[int32], index: WorldIndex, finder: BroadphaseSystem | None, beside_resting: bool
    ) -> None:
        self._pairs, self._found_beside_resting = pairs, beside_resting
        self._pairs_index, self._pairs_finder = index, finder

    def take_candidate_pairs(self) -> tuple[NDArray[int32], bool]:
        """The candidate pairs of this step, in proxies of the present index; they are used up by that.

        Also tells whether those of two resting colliders are to be added. Where the world has changed structurally
        since they were found, the broadphase finds them anew. Those of a plain processor, which cannot be asked again,
        are translated: pairs with a proxy that is gone are left out, and new proxies wait for the next step.
        """
        index, found_in = self.entered_index, self._pairs_index
        if found_in is not index and self._pairs_finder is not None:
            self._pairs_finder.update()
        elif found_in is None:
            self.candidate_pairs = ()
        elif found_in is not index:
            translated = found_in.proxies.successors_in(index.proxies)[self._pairs]
            self.candidate_pairs = translated[(translated >= 0).all(axis=1)]
        self._pairs_index = self._pairs_finder = None
        return self._pairs, self._found_beside_resting

    def set_trajectory_velocity(self, velocity: NDArray[float64]) -> None:
        """Keep the velocities (n, 2) of the index's trajectories, for those entities that have no ``Velocity``."""
        self._trajectory_velocity, self._trajectory_index = velocity, self._index

    def current_trajectory_velocity(self) -> NDArray[float64]:
        """The velocities (n, 2) in the order of the present index's trajectories; 0 where none was computed."""
        index, computed_in = self.entered_index, self._trajectory_index
        if computed_in is not index:
            velocity = np.zeros((len(index.trajectories), 2))
            if computed_in is not None:
                source = computed_in.trajectory_successors(index)
                velocity[source >= 0] = self._trajectory_velocity[source[source >= 0]]
            self.set_trajectory_velocity(velocity)
        return self._trajectory_velocity

    @property
    def hits(self) -> HitArrays:
        """All pairs that overlapped in the last step."""
        return self.tracker.found.arrays

    @property
    def started(self) -> HitArrays:
        """The hits that began in the last step."""
        return self.tracker.found.started

    @property
    def ended(self) -> EndedHitArrays:
        """The hits that ended in the last step, with their reasons and last values."""
        return self.tracker.found.ended

    @property
    def timed(self) -> bool:
        """Whether steps are timed, for :attr:`timings`; False at first, when it costs nothing."""
        return self.stopwatch is not None

    @timed.setter
    def timed(self, value: bool) -> None:
        if bool(value) != self.timed:
            self.stopwatch = Stopwatch() if value else None

    @property
    def timings(self) -> dict[str, float]:
        """Seconds that each phase of the last step took; empty unless ``timed``.

        "checks" (of the world's structure, and of what was written into columns), "trajectories", "motion",
        "hierarchy", "sweeps" (of bullets), "placing" (of the colliders), "broadphase", "narrowphase", "events"
        (handlers included), stages of the game's own by their ``phase``; "total" from the beginning of the first stage
        to the end of the last, and "rest": what of it was none of these, a game's processors in between for example.
        """
        return {} if self.stopwatch is None else self.stopwatch.read()

    @property
    def counters(self) -> dict[str, int]:
        """What there was to do in the last step.

        "proxies" (colliders), "resting" (those of them that are passed over, as they have not moved for a while),
        "cells" of the grid with a collider in them, "candidate pairs" that the broadphase found, "tests" of pairs that
        the narrowphase made, "hits", "starts" and "ends".
        """
        finder, found = self._broadphase, self.tracker.found
        return {
            "proxies": len(self.placed.forms),
            "resting": len(self.placed.forms) - len(self.resting.awake),
            "cells": (finder.grid.cell_count if finder is not None else 0) + self.resting.cell_count,
            "candidate pairs": len(self._pairs),
            "tests": self.tracker.tested_count,
            "hits": found.count,
            "starts": len(found.started),
            "ends": len(found.ended),
        }

    def hits_of(self, entity: int) -> list[Hit]:
        """The hits of the last step that ``entity`` takes part in; none of entities that are gone or disabled by now.

        TypeError for what is no whole number.
        """
        return self.tracker.found.of(whole_number("entity", entity))

    def is_hitting(self, a: int, b: int) -> bool:
        """Whether two entities hit each other in the last step, in either order; not if one is gone or disabled by now.

        TypeError for what is no whole number.
        """
        return self.tracker.found.has_pair(whole_number("a", a), whole_number("b", b))

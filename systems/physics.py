"""The physics of one esper world: its settings, the arrays its stages exchange, and its hits."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import esper
import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.column import finite_number
from ecsphys.engine.compilation import load_kernels
from ecsphys.engine.euler_motion import EXPLICIT, SEMI_IMPLICIT, VERLET
from ecsphys.engine.step_kernels import STEP_KERNELS
from ecsphys.systems.hit_tracker import HitTracker
from ecsphys.systems.hits import EndedHitArrays, Hit, HitArrays
from ecsphys.systems.move_and_slide import MoveResult, move_entity
from ecsphys.systems.parent_levels import ParentLevels
from ecsphys.systems.placed_colliders import PlacedColliders
from ecsphys.systems.row_checks import refuse_bad_floats
from ecsphys.systems.solid_cast import Solids
from ecsphys.systems.world_index import Proxies, WorldIndex

if TYPE_CHECKING:
    from ecsphys.systems.broadphase import BroadphaseSystem
    from ecsphys.systems.stage import Stage

Vector = Sequence[float] | NDArray[Any]

INTEGRATORS = {"explicit": EXPLICIT, "semi_implicit": SEMI_IMPLICIT, "verlet": VERLET}

_MOST_PROXIES = int(np.iinfo(int32).max)
_MOST_SUBSTEPS = 1_000_000


class Physics:
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
        self.gravity = gravity
        self.cell_size = cell_size
        self.substeps = substeps
        self.integrator = integrator
        self.tracker = HitTracker(self)
        self.placed = PlacedColliders()
        self._world: str | None = None
        self._index: WorldIndex | None = None
        self._stages_run: list[Stage] = []
        self._pairs: NDArray[int32] = np.zeros((0, 2), int32)
        self._pairs_index: WorldIndex | None = None
        self._pairs_finder: BroadphaseSystem | None = None
        self._trajectory_velocity: NDArray[float64] = np.zeros((0, 2))
        self._trajectory_index: WorldIndex | None = None
        self._levels: ParentLevels | None = None
        self._solids: Solids | None = None
        load_kernels(STEP_KERNELS)

    @property
    def gravity(self) -> tuple[float, float]:
        """Acceleration (x, y) of entities that have a ``Gravity`` component, in units/s²."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        self._gravity = _pair("gravity", value)

    @property
    def cell_size(self) -> float | None:
        """Side of the broadphase's cells, None for automatic."""
        return self._cell_size

    @cell_size.setter
    def cell_size(self, value: float | None) -> None:
        if value is not None and finite_number("cell_size", value) <= 0.0:
            raise ValueError(f"cell_size must be greater than 0, or None for automatic, got {value!r}")
        self._cell_size = None if value is None else float(value)

    @property
    def substeps(self) -> int:
        """Number of equal parts the stepped motion is divided into."""
        return self._substeps

    @substeps.setter
    def substeps(self, value: int) -> None:
        try:
            count = operator.index(value)
        except TypeError:
            raise TypeError(f"substeps must be a whole number, got {value!r}") from None
        if not 1 <= count <= _MOST_SUBSTEPS:
            raise ValueError(f"substeps must be 1 to {_MOST_SUBSTEPS}, got {value!r}")
        self._substeps = count

    @property
    def integrator(self) -> str:
        """Name of the integration method."""
        return self._integrator

    @integrator.setter
    def integrator(self, value: str) -> None:
        if value not in INTEGRATORS:
            raise ValueError(f"integrator must be one of {', '.join(map(repr, INTEGRATORS))}, got {value!r}")
        self._integrator = value

    def enter(self, stage: Stage, dt: float) -> float:
        """Begin a stage: check ``dt``, bring the index up to date, and at a step's first stage check all columns.

        Nothing has changed where it raises: TypeError for a ``dt`` that is no number; ValueError for one that is
        negative or not finite, for a bad value in a column, a shared instance, a second trajectory or a cycle of
        parents; RuntimeError from within a hit handler, or in another world than the first step's.
        """
        seconds = _check_dt(dt)
        if self.tracker.delivering:
            raise RuntimeError("a hit handler must not step the physics whose hits it is handling")
        if self._world is None:
            self._world = esper.current_world
        elif self._world != esper.current_world:
            raise RuntimeError(
                f"this Physics belongs to the world {self._world!r}, not to {esper.current_world!r}:"
                " each world needs one of its own"
            )
        first = self._begins_step(stage)
        index = self._index
        changed = index is None or not index.is_current()
        if index is None or changed:
            index = WorldIndex()
        if changed or first:
            for used in index.in_use:
                refuse_bad_floats(*used)
            self._levels = ParentLevels.of(index, self._levels)
        self._index = index
        if first:
            self._stages_run.clear()
            self.placed.outdate()
        self._stages_run.append(stage)
        return seconds

    def _begins_step(self, stage: Stage) -> bool:
        """Whether a stage belongs to another step than those before it: it has run already, or it comes before them."""
        if not self._stages_run:
            return True
        return stage.priority > self._stages_run[-1].priority or any(stage is run for run in self._stages_run)

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

    @property
    def solids(self) -> Solids:
        """The colliders of the entities that have a ``Solid``."""
        index = self.index
        if self._solids is None or self._solids.index is not index:
            self._solids = Solids(index)
        return self._solids

    def move_and_slide(self, entity: int, displacement: Vector, up: Vector = (0.0, 1.0)) -> MoveResult:
        """Move an entity's ``Transform`` by at most ``displacement`` (x, y): it stops at solid entities, and slides.

        It may be called at any time, between steps or in a processor: everything is where it is now. What blocks has a
        :class:`Solid`, and a filter that meets the entity's. All colliders of the entity count, and it keeps them a
        ten-thousandth of their size away from what it touches: it has no hits with solids. ``up`` tells floors from
        walls (it need not be a unit vector); with (0, 0), seen from above, everything is a wall. See
        :class:`MoveResult`.

        KeyError for an entity that does not exist; ValueError for one without a ``Transform`` or a collider, or for
        numbers that are not finite; TypeError for what is no pair of numbers; RuntimeError in another world. Nothing
        has moved then.
        """
        if self._world not in (None, esper.current_world):
            raise RuntimeError(f"this Physics belongs to the world {self._world!r}, not to {esper.current_world!r}")
        result = move_entity(self.solids, entity, _pair("displacement", displacement), _pair("up", up))
        self.moved()
        return result

    def moved(self) -> None:
        """Tell that transforms have changed since the boxes were read in this step."""
        self.placed.outdate()

    @property
    def boxes(self) -> NDArray[float64]:
        """Bounding boxes (n, 4) of the proxies where they are now; a view, written anew by every access."""
        self.placed.place(self.proxies)
        return self.placed.boxes

    def current_placed(self) -> PlacedColliders:
        """The placed colliders of this step, those that the broadphase saw if there was one."""
        proxies = self.proxies
        if not self.placed.is_current(proxies):
            self.placed.place(proxies)
        return self.placed

    @property
    def candidate_pairs(self) -> NDArray[int32]:
        """The pairs of proxies to be tested in this step, (m, 2); a replaced broadphase assigns them every step."""
        return self._pairs

    @candidate_pairs.setter
    def candidate_pairs(self, pairs: Any) -> None:
        array = np.asarray(pairs)
        if array.size == 0:
            array = np.zeros((0, 2), int32)
        if array.ndim != 2 or array.shape[1] != 2 or not np.issubdtype(array.dtype, np.integer):
            raise ValueError(
                f"candidate pairs must be whole numbers of shape (n, 2), got {array.dtype} of shape {array.shape}"
            )
        # Indices out of range are found by the narrowphase, which looks at every pair anyway.
        self._pairs = np.ascontiguousarray(np.clip(array, -1, _MOST_PROXIES) if array.itemsize > 4 else array, int32)
        self._pairs_index = self.index
        self._pairs_finder = None

    def found_by(self, broadphase: BroadphaseSystem) -> None:
        """Tell who assigned the candidate pairs, and can find them again if entities change before they are tested."""
        self._pairs_finder = broadphase

    def take_candidate_pairs(self) -> NDArray[int32]:
        """The candidate pairs of this step, in proxies of the present index; they are used up by that.

        Where the world has changed structurally since they were found, the broadphase finds them anew. Those of a
        plain processor, which cannot be asked again, are translated: pairs with a proxy that is gone are left out,
        and new proxies wait for the next step.
        """
        index, found_in = self.index, self._pairs_index
        if found_in is not index and self._pairs_finder is not None:
            self._pairs_finder.update()
        elif found_in is None:
            self.candidate_pairs = ()
        elif found_in is not index:
            translated = found_in.proxies.successors_in(index.proxies)[self._pairs]
            self.candidate_pairs = translated[(translated >= 0).all(axis=1)]
        self._pairs_index = self._pairs_finder = None
        return self._pairs

    def set_trajectory_velocity(self, velocity: NDArray[float64]) -> None:
        """Keep the velocities (n, 2) of the index's trajectories, for those entities that have no ``Velocity``."""
        self._trajectory_velocity = velocity
        self._trajectory_index = self._index

    def current_trajectory_velocity(self) -> NDArray[float64]:
        """The velocities (n, 2) in the order of the present index's trajectories; 0 where none was computed."""
        index, computed_in = self.index, self._trajectory_index
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
        return self.tracker.hits

    @property
    def started(self) -> HitArrays:
        """The hits that began in the last step."""
        return self.tracker.started

    @property
    def ended(self) -> EndedHitArrays:
        """The hits that ended in the last step, with their reasons and last values."""
        return self.tracker.ended

    def hits_of(self, entity: int) -> list[Hit]:
        """The hits of the last step that ``entity`` takes part in."""
        return self.tracker.hits_of(entity)


def _pair(name: str, value: Any) -> tuple[float, float]:
    try:
        x, y = value
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a pair of numbers (x, y), got {value!r}") from None
    return finite_number(f"{name} x", x), finite_number(f"{name} y", y)


def _check_dt(dt: Any) -> float:
    seconds = finite_number("dt", dt)
    if seconds < 0.0:
        raise ValueError(f"dt must be 0 or more seconds, got {dt!r}")
    return seconds

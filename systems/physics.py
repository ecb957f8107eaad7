"""The physics of one esper world: its settings, the arrays its stages exchange, and its hits."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import esper
import numpy as np
from numpy import float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.components.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.transform import Transform
from ecsphys.components.vertex_pool import VERTEX_POOL
from ecsphys.engine.compilation import load_kernels
from ecsphys.engine.euler_motion import EXPLICIT, SEMI_IMPLICIT, VERLET
from ecsphys.engine.shapes import SHAPE_COLUMNS, place_shapes
from ecsphys.engine.validation import find_invalid
from ecsphys.systems.hit_tracker import HitTracker
from ecsphys.systems.hits import Hit, HitArrays
from ecsphys.systems.world_index import Proxies, WorldIndex

if TYPE_CHECKING:
    from ecsphys.systems.broadphase import BroadphaseSystem
    from ecsphys.systems.stage import Stage

INTEGRATORS = {"explicit": EXPLICIT, "semi_implicit": SEMI_IMPLICIT, "verlet": VERLET}

# A box is widened by two ulps of its largest coordinate: rounding a position plus an extent may cost half an ulp per
# side and operation, and the narrowphase, which works on differences of positions, sees overlaps that thin.
_BOX_PADDING = 2.0 * float(np.finfo(float64).eps)

_MOST_PROXIES = int(np.iinfo(int32).max)


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
    trajectory_velocity
        (k, 2) float64, velocity of the entities on trajectories at the end of the step.
    """

    def __init__(
        self,
        gravity: Sequence[float] = (0.0, 0.0),
        cell_size: float | None = None,
        substeps: int = 1,
        integrator: str = "semi_implicit",
    ) -> None:
        self.gravity = gravity
        self.cell_size = cell_size
        self.substeps = substeps
        self.integrator = integrator
        self.trajectory_velocity: NDArray[float64] = np.zeros((0, 2))
        self.tracker = HitTracker(self)
        self.broadphase: BroadphaseSystem | None = None
        self._world: str | None = None
        self._index: WorldIndex | None = None
        self._stages_run: set[int] = set()
        self._placed = False
        self._pairs: NDArray[int32] = np.zeros((0, 2), int32)
        self._pairs_index: WorldIndex | None = None
        self.forms: NDArray[uint8] = np.zeros(0, uint8)
        self.positions: NDArray[float64] = np.zeros((0, 2))
        self.shapes: NDArray[float64] = np.zeros((0, SHAPE_COLUMNS))
        self._boxes: NDArray[float64] = np.zeros((0, 4))
        load_kernels()

    @property
    def gravity(self) -> tuple[float, float]:
        """Acceleration (x, y) of entities that have a ``Gravity`` component, in units/s²."""
        return self._gravity

    @gravity.setter
    def gravity(self, value: Sequence[float]) -> None:
        try:
            x, y = value
        except (TypeError, ValueError):
            raise TypeError(f"gravity must be a pair of numbers (x, y), got {value!r}") from None
        self._gravity = (_finite("gravity x", x), _finite("gravity y", y))

    @property
    def cell_size(self) -> float | None:
        """Side of the broadphase's cells, None for automatic."""
        return self._cell_size

    @cell_size.setter
    def cell_size(self, value: float | None) -> None:
        if value is not None and _finite("cell_size", value) <= 0.0:
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
        if count < 1:
            raise ValueError(f"substeps must be at least 1, got {value!r}")
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
        negative or not finite, for a bad value in a column, a shared instance or a second trajectory; RuntimeError
        from within a hit handler, or in another world than the first step's.
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
        first = not self._stages_run or id(stage) in self._stages_run
        index = self._index
        if index is None or not index.is_current():
            index = WorldIndex()
            _check_columns(index)
            self._index = index
            self._placed = False
        elif first:
            _check_columns(index)
        if first:
            self._stages_run.clear()
            self._placed = False
        self._stages_run.add(id(stage))
        return seconds

    def finish(self) -> None:
        """End a step: the next stage that runs begins another."""
        self._stages_run.clear()

    @property
    def index(self) -> WorldIndex:
        """The world's index as of the last stage (an empty world's before the first step)."""
        if self._index is None:
            raise RuntimeError("the physics has not been stepped yet")
        return self._index

    @property
    def proxies(self) -> Proxies:
        """Every collider of the world as of the last stage."""
        return self.index.proxies

    def moved(self) -> None:
        """Tell that transforms have changed: shapes and boxes are computed anew when next needed."""
        self._placed = False

    @property
    def boxes(self) -> NDArray[float64]:
        """Bounding boxes (n, 4) of the proxies, computed once a step, after the motion."""
        self.place()
        return self._boxes[: len(self.proxies)]

    def place(self) -> None:
        """Compute forms, positions, shapes and boxes of all proxies, if that has not been done since they moved."""
        if self._placed:
            return
        proxies = self.proxies
        count = len(proxies)
        if count > self.forms.size:
            capacity = max(count, 2 * self.forms.size, 64)
            self.forms = np.zeros(capacity, uint8)
            self.positions = np.zeros((capacity, 2))
            self.shapes = np.zeros((capacity, SHAPE_COLUMNS))
            self._boxes = np.zeros((capacity, 4))
        place_shapes(
            proxies.collider,
            proxies.transform_row,
            proxies.collider_row,
            Transform._columns.float64,
            CircleCollider._columns.float64,
            AABBCollider._columns.float64,
            OBBCollider._columns.float64,
            CapsuleCollider._columns.float64,
            FanCollider._columns.float64,
            PolygonCollider._columns.float64,
            PolygonCollider._columns.int64,
            VERTEX_POOL.data,
            _BOX_PADDING,
            self.forms,
            self.positions,
            self.shapes,
            self._boxes,
        )
        self._placed = True

    @property
    def candidate_pairs(self) -> NDArray[int32]:
        """The pairs of proxies to be tested, (m, 2); a replaced broadphase assigns them."""
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
        self._pairs_index = self._index

    def current_candidate_pairs(self) -> NDArray[int32]:
        """The candidate pairs, found anew where the world has changed structurally since they were."""
        if self._pairs_index is not self._index:
            if self.broadphase is not None:
                self.broadphase.update()
            else:
                # No broadphase has run in this index: there is nothing to test.
                self.candidate_pairs = np.zeros((0, 2), int32)
        return self._pairs

    @property
    def hits(self) -> HitArrays:
        """All pairs that overlapped in the last step."""
        return self.tracker.hits

    @property
    def started(self) -> HitArrays:
        """The hits that began in the last step."""
        return self.tracker.started

    @property
    def ended(self) -> HitArrays:
        """The hits that ended in the last step, with their reasons and last values."""
        return self.tracker.ended

    def hits_of(self, entity: int) -> list[Hit]:
        """The hits of the last step that ``entity`` takes part in."""
        return self.tracker.hits_of(entity)


def _finite(name: str, value: Any) -> float:
    if not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {value!r}")
    return number


def _check_dt(dt: Any) -> float:
    if type(dt) is not float and not isinstance(dt, Real):
        raise TypeError(f"dt must be a number of seconds, got {dt!r}")
    seconds = float(dt)
    if not 0.0 <= seconds < math.inf:
        raise ValueError(f"dt must be a finite number of seconds, 0 or more, got {dt!r}")
    return seconds


def _check_columns(index: WorldIndex) -> None:
    """Raise ValueError for a value that was written through a column and that no assignment would have accepted."""
    for cls, rows in index.in_use:
        columns = cls._columns
        found = find_invalid(columns.float64, rows, columns.low, columns.high)
        if found >= 0:
            position, field = divmod(found, len(columns.float_fields))
            row = int(rows[position])
            message = columns.describe_violation(field, float(columns.float64[field, row]))
            raise ValueError(f"entity {index.entity_of(cls, row)}: {message}")

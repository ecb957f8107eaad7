"""Poses between two fixed steps, for drawing: entities that move in steps then move smoothly in every frame."""

from __future__ import annotations

from typing import Any, Literal

import esper
import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column_store import read_only
from ecsphys.components.store.component_table import NO_ROWS, rows_of
from ecsphys.systems.arguments import whole_number

PoseField = Literal["x", "y", "angle"]


class Interpolation:
    """The poses at both ends of the last step, and the poses between them.

    An entity that was created or teleported is drawn at its present position: it has no pose at the beginning of the
    step. The rows of this moment are kept, and so their instances stay alive: no row gets another instance until the
    next step begins.
    """

    __slots__ = ("_after", "_before", "_count", "_drawn", "_has_snapped", "_moves", "_rows")

    def __init__(self) -> None:
        self._rows = NO_ROWS
        self._has_snapped = False
        self._count = 0
        self._reserve(0)

    def _reserve(self, capacity: int) -> None:
        self._before: NDArray[float64] = np.zeros((3, capacity))
        self._after: NDArray[float64] = np.zeros((3, capacity))
        self._drawn: NDArray[float64] = np.zeros((3, capacity))
        self._moves: NDArray[bool_] = np.zeros(capacity, bool_)

    def begin_step(self) -> None:
        """Keep all poses before a step."""
        columns, rows = Transform._columns, rows_of(Transform)
        # Another thread may create transforms meanwhile: first how many there are, then a block that has them all.
        self._count, block = columns.high_water, columns.float64
        capacity = block.shape[1]
        is_larger = self._moves.size != capacity
        if is_larger:
            self._reserve(capacity)
        if is_larger or self._has_snapped or rows is not self._rows:
            self._moves[:] = False
            self._moves[rows.row] = True
            self._has_snapped = False
        self._rows = rows
        self._before[:, : self._count] = block[:, : self._count]

    def end_step(self) -> None:
        """Keep all poses after a step."""
        self._after[:, : self._count] = Transform._columns.float64[:, : self._count]

    def take_state(self) -> Any:
        """Copies of the interpolated poses, and their rows."""
        count = self._count
        return self._rows, self._before[:, :count].copy(), self._after[:, :count].copy(), self._moves[:count].copy()

    def put_state(self, state: Any) -> None:
        """Put back a value of :meth:`take_state`. None draws all at the present poses until the next step."""
        self._moves[:] = False
        # The next step finds the moving rows again.
        self._has_snapped = True
        if state is None:
            return
        self._rows, before, after, moves = state
        self._count = count = moves.size
        if count > self._moves.size:
            self._reserve(count)
        self._before[:, :count], self._after[:, :count], self._moves[:count] = before, after, moves

    def column(self, name: str, alpha: float) -> NDArray[float64]:
        """A field of all poses, as :meth:`FixedStep.interpolated` describes it."""
        columns = Transform._columns
        now = columns.column(name)
        if self._drawn.shape[1] < now.size:
            self._drawn = np.zeros((3, columns.capacity))
        field, count = columns.names_in("float64").index(name), self._count
        drawn: NDArray[float64] = self._drawn[field, : now.size]
        drawn[:] = now
        # Rows that differ from the end of the step were moved since, by the frame.
        moves = self._moves[:count] & (columns.float64[:, :count] == self._after[:, :count]).all(axis=0)
        before, after = self._before[field, :count], self._after[field, :count]
        with np.errstate(all="ignore"):  # rows of dead instances may hold anything
            between = before + alpha * (after - before)
        np.copyto(drawn[:count], between, where=moves)
        return read_only(drawn)

    def pose(self, transform: Transform, alpha: float) -> tuple[float, float, float]:
        """(x, y, angle) of one transform."""
        row = transform._row
        now = transform.x, transform.y, transform.angle
        if row >= self._count or not self._moves[row] or now != tuple(self._after[:, row].tolist()):
            return now
        x, y, angle = (self._before[:, row] + alpha * (self._after[:, row] - self._before[:, row])).tolist()
        return x, y, angle

    def snap(self, transform: Transform) -> None:
        """Draw one transform at its present pose until the next step begins."""
        if transform._row < self._count:
            self._moves[transform._row] = False
            self._has_snapped = True


def transform_of(entity: int) -> Transform:
    """An entity's transform. Raises KeyError if the entity does not exist, and ValueError if it has none."""
    transform = esper.try_component(whole_number("entity", entity), Transform)
    if transform is None:
        try:
            esper.components_for_entity(entity)
        except KeyError:
            raise KeyError(f"entity {entity!r} does not exist") from None
        raise ValueError(f"entity {entity} has no Transform")
    return transform

"""All colliders of a world where they are now: the arrays that broadphase and narrowphase compute with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collider_blocks import collider_blocks
from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column_leases import LeaseWatch
from ecsphys.components.store.component import Component
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS
from ecsphys.engine.shapes.placement import place_shapes
from ecsphys.systems.world.proxies import Proxies, Rows

# A box is widened by two ulps of its largest coordinate: rounding a position plus an extent may cost half an ulp per
# side and operation, and the narrowphase, which works on differences of positions, sees overlaps that thin.
BOX_PADDING = 2.0 * float(np.finfo(float64).eps)


class PlacedColliders:
    """Placed shapes (see ``ecsphys/engine/shapes/layout.py``) of the proxies, in their order, in buffers that are kept.

    ``forms`` (n,) uint8, ``positions`` (n, 2), ``shapes`` (n, 8) and ``boxes`` (n, 4) float64, ``angles`` (n,) of the
    transforms. ``moved`` (n,) uint8: set where anything of that became another, and left to others to set back.
    ``changes`` grows wherever anything did.
    """

    __slots__ = (
        "_all",
        "_buffers",
        "_capacity",
        "_carried",
        "_classes",
        "_driven",
        "_is_current",
        "_looked_at",
        "_new",
        "_pool_changes",
        "_proxies",
        "_stale",
        "_transform_rows",
        "_watches",
        "angles",
        "boxes",
        "changes",
        "forms",
        "is_whole",
        "moved",
        "positions",
        "shapes",
    )

    def __init__(self) -> None:
        classes: tuple[type[Component], ...] = (Transform, *COLLIDER_CLASSES)
        self._watches = {cls: LeaseWatch(cls._columns.leases) for cls in classes}
        self.changes = 0
        self.is_whole = True
        """False while the arrays are changed, and after an interrupt of that: then all are placed anew."""
        self._is_current = False
        self._pool_changes = -1
        self._proxies: Proxies | None = None
        self._classes: list[tuple[int, type[Component]]] = []
        self._carried: _Carried | None = None
        self._capacity = Capacity(patience=1)
        self._reserve(0)
        self._driven = self._new = self._transform_rows = self._all
        self._looked_at: NDArray[int32] | None = None

    def _reserve(self, count: int) -> None:
        self._buffers: tuple[NDArray[Any], ...] = (
            np.zeros(count, uint8),
            np.zeros((count, 2)),
            aligned_zeros(count, SHAPE_COLUMNS),
            aligned_zeros(count, 4),
            np.zeros(count),
            np.zeros(count, uint8),
            np.zeros(count, uint8),
        )
        self._show(count)

    def _show(self, count: int) -> None:
        forms, positions, shapes, boxes, angles, moved, stale = self._buffers
        self.forms: NDArray[uint8] = forms[:count]
        self.positions: NDArray[float64] = positions[:count]
        self.shapes: NDArray[float64] = shapes[:count]
        self.boxes: NDArray[float64] = boxes[:count]
        self.angles: NDArray[float64] = angles[:count]
        self.moved: NDArray[uint8] = moved[:count]
        self._stale: NDArray[uint8] = stale[:count]
        self._all: NDArray[int32] = np.arange(count, dtype=int32)

    def begin(self, proxies: Proxies, driven: NDArray[int32], transform_rows: Rows) -> None:
        """Take on other proxies, all to be placed anew.

        ``driven`` (k,) are those that systems move every step; ``transform_rows`` (m,) those of all transforms of their
        world, also of entities without colliders.
        """
        count = len(proxies)
        self.is_whole = False
        capacity = self._capacity.choose(count, self._buffers[0].size)
        if capacity != self._buffers[0].size:
            self._reserve(capacity)
        self._show(count)
        self._stale[:] = 1
        self.moved[:] = 1
        self._transform_rows = transform_rows
        self._take_on(proxies, driven, self._all)
        self.is_whole = True

    def carry(self, proxies: Proxies, driven: NDArray[int32], transform_rows: Rows, successor: NDArray[int64]) -> None:
        """The same, but the present ones are at ``successor`` (n,) among the others, or gone where that is −1."""
        kept = np.flatnonzero(successor >= 0)
        places = successor[kept]
        # Who was driven until now may have moved since it was placed.
        once_driven = successor[self._driven]
        untold = self._looked_at is not None
        rows = [buffer[kept] for buffer in self._buffers]
        self.begin(proxies, driven, transform_rows)
        self.is_whole = False
        for buffer, carried in zip(self._buffers, rows, strict=True):
            buffer[places] = carried
        new = np.flatnonzero(self._stale)
        self._take_on(proxies, driven, np.concatenate((new, once_driven[once_driven >= 0])).astype(int32))
        if untold:
            self._looked_at = self._all
        self.is_whole = True

    def _take_on(self, proxies: Proxies, driven: NDArray[int32], new: NDArray[int32]) -> None:
        self._proxies = proxies
        self._driven = driven
        self._new = new
        self._looked_at = None
        self._is_current = False
        self._carried = None
        present = np.bincount(proxies.collider, minlength=len(COLLIDER_CLASSES))
        self._classes = [(kind, cls) for kind, cls in enumerate(COLLIDER_CLASSES) if present[kind]]

    @property
    def looked_at(self) -> NDArray[int32]:
        """What :meth:`take_looked_at` will give."""
        return self._all[:0] if self._looked_at is None else self._looked_at

    def take_looked_at(self) -> NDArray[int32]:
        """The proxies (k,) that were looked at since this was asked last; no other has ``moved``."""
        looked_at, self._looked_at = self.looked_at, None
        return looked_at

    def outdate(self) -> None:
        """Tell that something has moved."""
        self._is_current = False

    def is_current(self, proxies: Proxies) -> bool:
        """Whether these proxies were placed last, since when nothing has moved and no polygon changed its vertices."""
        return (
            self.is_whole
            and self._is_current
            and self._proxies is proxies
            and self._pool_changes == VERTEX_POOL.changes
        )

    def is_untouched(self) -> bool:
        """Whether the game cannot have changed a transform or a collider since they were placed last."""
        classes: list[type[Component]] = [Transform]
        classes += [cls for _, cls in self._classes]
        return not any(self._watches[cls].may_have_changed() or cls._columns.has_marks for cls in classes)

    def place(self, proxies: Proxies) -> None:
        """Place all of some proxies where their transforms are now, whatever is known of them."""
        if self._proxies is not proxies or not self.is_whole:
            self.begin(proxies, self._all, proxies.transform_row)
        self._stale[:] = 1
        self._place(proxies, self._all)

    def refresh(self) -> None:
        """Bring the proxies up to date: those that systems move, and those that the game may have changed itself."""
        if self._proxies is None:
            return
        was_whole, self.is_whole = self.is_whole, False
        which = self._choose(self._proxies)
        if not was_whole:
            which = self._all
            self._stale[:] = 1
            self.moved[:] = 1
            self.changes += 1
        self._place(self._proxies, which)
        self.is_whole = True

    def _choose(self, proxies: Proxies) -> NDArray[int32]:
        """Who has to be looked at; who may have another collider than last time is made stale."""
        chosen = [self._driven]
        if len(self._new):
            chosen.append(self._new)
            self._new = self._new[:0]
        for kind, cls in self._classes:
            columns, watch = cls._columns, self._watches[cls]
            leased = watch.may_have_changed()
            if leased or columns.has_marks:
                watch.look()
                of_kind = np.flatnonzero(proxies.collider == kind)
                marks = columns.take_marks(proxies.collider_row[of_kind])
                changed = of_kind if leased else of_kind[marks != 0]
                self._stale[changed] = 1
                chosen.append(changed.astype(int32))
        columns, watch = Transform._columns, self._watches[Transform]
        if watch.may_have_changed():
            watch.look()
            columns.take_marks(proxies.transform_row)
            return self._all
        if columns.has_marks:
            rows = columns.marked_rows()
            if self._carried is None:
                # Made at the second need only: while the world changes all the time it is not worth it.
                self._carried = _Carried(proxies.transform_row, self._transform_rows)
                columns.take_marks(proxies.transform_row)
                return self._all
            chosen.append(self._carried.by(rows))
            # Also of entities without colliders: nobody else would, and they would be looked through for ever.
            columns.take_marks(self._carried.here(rows))
        if len(chosen) == 1:
            return self._driven
        return np.concatenate(chosen) if sum(map(len, chosen)) < len(proxies) else self._all

    def _place(self, proxies: Proxies, which: NDArray[int32]) -> None:
        self.changes += place_shapes(
            which,
            self._stale,
            proxies.collider,
            proxies.transform_row,
            proxies.collider_row,
            Transform._columns.float64,
            *collider_blocks(),
            BOX_PADDING,
            self.forms,
            self.positions,
            self.shapes,
            self.boxes,
            self.angles,
            self.moved,
        )
        # Two sets of proxies, where the game looked at the boxes in between, are rare enough to stand for all.
        self._looked_at = which if self._looked_at is None or self._looked_at is which else self._all
        self._is_current = True
        self._pool_changes = VERTEX_POOL.changes


class _Carried:
    """Which proxies are carried by which rows of Transform, and which rows are of their world."""

    __slots__ = ("_is_here", "_order", "_rows")

    def __init__(self, transform_row: NDArray[int32], transform_rows: Rows) -> None:
        self._is_here = np.zeros(Transform._columns.capacity, np.bool_)
        self._is_here[transform_rows] = True
        self._order = np.argsort(transform_row, kind="stable").astype(int32)
        self._rows = transform_row[self._order]

    def here(self, rows: NDArray[int64]) -> NDArray[int64]:
        """Those of some rows that are of entities of the world."""
        rows = rows[rows < self._is_here.size]
        return rows[self._is_here[rows]]

    def by(self, rows: NDArray[int64]) -> NDArray[int32]:
        """The proxies of some rows, none of them twice."""
        # In the same dtype: searchsorted would convert the whole of the other.
        wanted = rows.astype(int32)
        first = np.searchsorted(self._rows, wanted)
        counts = np.searchsorted(self._rows, wanted, side="right") - first
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        proxies: NDArray[int32] = self._order[np.repeat(first, counts) + within]
        return proxies

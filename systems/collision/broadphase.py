"""The broadphase: finds the pairs of colliders that are near enough to test."""

from __future__ import annotations

from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.brute_force import BruteForce
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.pair_table import TooManyPairsError
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.crowds import crowd_error


class BroadphaseSystem(Stage):
    """Finds the candidate pairs on a uniform grid without bounds.

    To replace the search, derive from this class and override :meth:`find_pairs`.
    """

    phase = "broadphase"
    runs_together = True

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.grid = Grid()
        state = physics._state
        if state.broadphase is None:
            state.broadphase = state.pairs.finder = self

    def run(self, dt: float) -> None:
        self.update()

    def update(self) -> None:
        """Find the present pairs; also called if entities changed after this stage ran.

        Raises RuntimeError for too many pairs, naming their position. No hit has changed then.
        """
        state = self.physics._state
        state.place()
        state.lap("placing")
        colliders = state.tables.colliders
        order = colliders.order
        try:
            if type(self).find_pairs is BroadphaseSystem.find_pairs:
                pairs = state.sleeping.find_pairs(self.grid, state.settings, state.hits.search.grown)
                state.pairs.accept(self, pairs, is_beside_sleeping=True)
            else:
                state.sleeping.skip()
                boxes = state.hits.search.grown(order)
                found = self.find_pairs(boxes, colliders.slots.body[order].astype(int64))
                state.pairs.give(found, self)
        except TooManyPairsError:
            raise crowd_error(colliders.slots.entity[order], colliders.placed.boxes[order]) from None

    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64]) -> NDArray[int32]:
        """Pairs (m, 2) int32 of overlapping ``boxes`` (n, 4): each pair once, and no pairs of one body.

        The hits do not depend on their order.
        """
        return self.grid.find_pairs(
            boxes, bodies, self.physics.settings.cell_size or 0.0, self.physics.settings.threads
        )


class BruteForceBroadphaseSystem(BroadphaseSystem):
    """Compares every box with every other, O(n²): a simple reference for tests and for small worlds."""

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.brute_force = BruteForce()

    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64]) -> NDArray[int32]:
        return self.brute_force.find_pairs(boxes, bodies)

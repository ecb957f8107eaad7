"""The stages of hits: find pairs of near colliders, test these pairs, and send the events of hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.pairs import BruteForce, TooManyPairsError
from ecsphys.engine.run.plan import BOXES, PAIRS
from ecsphys.systems.arguments import NO_SECONDS
from ecsphys.systems.collision.candidate_pairs import crowd_error
from ecsphys.systems.stage import BROADPHASE, NARROWPHASE, Stage
from ecsphys.systems.stepping.step_gate import events_call

if TYPE_CHECKING:
    from ecsphys.engine.run.plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics import Physics


class BroadphaseSystem(Stage):
    """Finds the candidate pairs on a uniform grid without bounds.

    To replace the search, derive from this class and override :meth:`find_pairs`.
    """

    phase = "broadphase"
    runs_together = True
    _plan_place = BROADPHASE

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.grid = Grid()
        state = physics._state
        if state.stepping.broadphase is None:
            state.stepping.broadphase = state.pairs.finder = self

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
            raise self._crowd_error() from None

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write the placing of colliders, and the search for pairs, to a plan."""
        state = self.physics._state
        return (
            state.pairs.finder is self
            and type(self).find_pairs is BroadphaseSystem.find_pairs
            and state.placing.plan(plan)
            and state.sleeping.plan(plan, self.grid, state.settings, state.hits.search)
        )

    def _take_from(self, words: memoryview) -> None:
        """Take the pairs that a plan has found."""
        pairs = self.grid.take_filed(words[BOXES], words[PAIRS])
        self.physics._state.pairs.accept(self, pairs, is_beside_sleeping=True)

    def _go_on(self, still: int) -> None:
        """Find the present pairs where a plan has placed everything, and counted how many sleepers there may be."""
        state = self.physics._state
        try:
            grown = state.hits.search.grown
            pairs = state.sleeping.find_pairs_counted(self.grid, state.settings, grown, still)
        except TooManyPairsError:
            raise self._crowd_error() from None
        state.pairs.accept(self, pairs, is_beside_sleeping=True)

    def _crowd_error(self) -> RuntimeError:
        colliders = self.physics._state.tables.colliders
        return crowd_error(colliders.slots.entity[colliders.order], colliders.placed.boxes[colliders.order])

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


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs and stores the hits in ``physics``; :class:`HitEventSystem` then sends the events."""

    phase = "narrowphase"
    runs_together = finds_hits = True
    _plan_place = NARROWPHASE

    def run(self, dt: float) -> None:
        state = self.physics._state
        state.hits.update()
        state.body_table.is_solved = False

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write the tests of pairs to a plan."""
        return self.physics._state.hits.plan(plan, last, held)


class HitEventSystem(Stage):
    """Sends the events of a step.

    First, handlers of esper get "joint_broken" for joints that were removed. Then handlers and ``HitListener``
    components get the events of hits.

    Joints break while bodies are solved. Their events wait for the end of the step, because during the step a handler
    must not create or delete entities. One stage sends both kinds, so the errors of all handlers are raised together,
    after all handlers were called.
    """

    phase = "events"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        physics._state.stepping.event_stage = self
        if type(self) is HitEventSystem:
            gate = physics._state.stepping.gate
            vars(self)["process"] = events_call(self.process, gate.parts, gate.array)

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """As for every stage; it does nothing if nothing listens."""
        state = self.physics._state
        is_shipped = type(self) is HitEventSystem and state.progress.stopwatch is None
        if is_shipped and state.stepping.planned.has_told():
            return
        if state.stepping.gate.has_passed():
            state.hits.found.delivery.begin_ongoing()
        if state.joints.breaks.pending or not (
            is_shipped and state.hits.found.delivery.has_nothing_to_call(state.hits.found)
        ):
            super().process(dt, *others, **named)

    def run(self, dt: float) -> None:
        call_without_holding(self._deliver)

    def _deliver(self) -> None:
        state = self.physics._state
        # A handler that clears the database makes the state start again.
        found, breaks = state.hits.found, state.joints.breaks
        delivery = found.delivery

        def send() -> None:
            if breaks.pending:
                breaks.deliver(delivery.errors)
            delivery.send(found)

        if breaks.pending or not delivery.is_done:
            state.deliver(send)
        delivery.raise_errors()

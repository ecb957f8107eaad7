"""The end of a step: sends its events to handlers and listeners."""

from __future__ import annotations

from typing import Any

from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.systems.arguments import NO_SECONDS
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage
from ecsphys.systems.stepping.step_gate import events_call


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
        physics._state.event_stage = self
        if type(self) is HitEventSystem:
            gate = physics._state.gate
            vars(self)["process"] = events_call(self.process, gate.parts, gate.array)

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """As for every stage; it does nothing if nothing listens."""
        state = self.physics._state
        is_shipped = type(self) is HitEventSystem and state.stopwatch is None
        if is_shipped and state.planned.has_told():
            return
        if state.gate.has_passed():
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

"""The end of a step: its hits are sent to handlers and listeners."""

from __future__ import annotations

from typing import Any

from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.systems.physics import Physics
from ecsphys.systems.settings import NO_SECONDS
from ecsphys.systems.stage import Stage


class HitEventSystem(Stage):
    """Sends the events of this step's hits to esper's handlers and to the ``HitListener`` components."""

    phase = "events"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        physics.state.hits.event_stage = self

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """As of every stage; nothing at all where nothing listens."""
        state = self.physics.state
        is_shipped = type(self) is HitEventSystem and state.stopwatch is None
        if state.joints.breaks.pending or not (is_shipped and state.hits.found.delivery.has_nothing_to_call()):
            super().process(dt, *others, **named)

    def run(self, dt: float) -> None:
        call_without_holding(self.physics.state.hits.deliver)

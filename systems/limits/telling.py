"""Events of stages: sent when all of a stage's work is done, so that a handler may do what it likes."""

from __future__ import annotations

from collections.abc import Iterable

import esper

from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.systems.world.esper_world import entity_counter, handler_calls, is_counter
from ecsphys.systems.world.handler_arguments import Refusals


def tell(event: str, calls: Iterable[tuple[object, ...]]) -> None:
    """Call the handlers of an event with each of some arguments; one that raises keeps no other from being called.

    The error is raised in the end, several as an ExceptionGroup; an interrupt at once. Once a handler has cleared the
    database none is called any more.
    """
    if event not in esper.event_registry:
        return
    errors: list[Exception] = []
    refusals = Refusals()
    counter = entity_counter()

    def send() -> None:
        for arguments in calls:
            turns = handler_calls(event, arguments)
            while is_counter(counter):
                try:
                    for _ in turns:
                        if not is_counter(counter):
                            break
                    break
                except Exception as error:
                    if reported := refusals.of_handlers(error, event):
                        errors.append(reported)

    call_without_holding(send)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup(f"several handlers of {event!r} raised errors", errors)

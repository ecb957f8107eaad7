"""Events of stages. They are sent when all work of the stage is done, so handlers may change anything."""

from __future__ import annotations

from collections.abc import Iterable

import esper

from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.systems.world.esper_world import entity_counter, handler_calls, is_counter
from ecsphys.systems.world.handler_arguments import Refusals


def tell(event: str, calls: Iterable[tuple[object, ...]]) -> None:
    """Call the handlers of an event with each of some arguments. All are called, even if some raise.

    One error is raised at the end as it is, several as an ExceptionGroup, and an interrupt at once. After a handler has
    cleared the database, no other is called.
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

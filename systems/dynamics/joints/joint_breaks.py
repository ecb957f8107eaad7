"""Joints that broke or lost an entity that they held, and their event "joint_broken"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import esper

from ecsphys.components.dynamics.joints import Joint
from ecsphys.systems.world.esper_world import Refusals, entity_counter, handler_calls, is_counter

BreakReason = Literal["force", "torque", "despawned", "removed"]

EVENT = "joint_broken"

_NO_CALLS: Iterator[object] = iter(())


class JointBreak(NamedTuple):
    """A joint that was removed, as a handler of "joint_broken" receives it.

    Attributes
    ----------
    entity
        The entity that had the joint.
    joint
        The component, which no entity has any more.
    entity_a, entity_b
        The two entities that it held.
    reason
        "force" or "torque": its load exceeded ``break_force`` or ``break_torque``. "despawned": one of the two was
        deleted. "removed": one of them lost its Transform or its RigidBody, or a joint of a gear.
    force, torque
        Its last load: force (x, y) on ``entity_b``, and torque.
    """

    entity: int
    joint: Joint
    entity_a: int
    entity_b: int
    reason: BreakReason
    force: tuple[float, float]
    torque: float


class JointBreaks:
    """The breaks whose events were not sent yet."""

    def __init__(self) -> None:
        self.pending: list[JointBreak] = []
        self._calls = _NO_CALLS

    def note(self, found: JointBreak) -> None:
        """Add a break, unless the same joint is in the list already."""
        if not any(one.joint is found.joint for one in self.pending):
            self.pending.append(found)

    def deliver(self, errors: list[BaseException]) -> None:
        """Call the handlers. Their errors are added to ``errors``; all other handlers are still called.

        After an interrupt, the next call continues. After a handler has cleared the database, no other is called.
        """
        world, counter, refusals = esper.current_world, entity_counter(), Refusals()
        while True:
            try:
                for _ in self._calls:
                    if not is_counter(counter):
                        break
            except BaseException as error:
                if reported := refusals.of_handlers(error, EVENT):
                    errors.append(reported)
                if esper.current_world == world and is_counter(counter):
                    continue
            if esper.current_world != world:
                errors.append(
                    RuntimeError(
                        f"a {EVENT} handler switched to the world {esper.current_world!r}: switch between steps instead"
                    )
                )
                esper.switch_world(world)
                if is_counter(counter):
                    continue
            if not is_counter(counter):
                self._calls = _NO_CALLS
                self.pending.clear()
            if not self.pending:
                return
            found = self.pending[0]
            # No call comes between these, so no break is sent twice.
            self._calls = handler_calls(EVENT, (found,))
            del self.pending[0]

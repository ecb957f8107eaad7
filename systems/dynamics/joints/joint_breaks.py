"""Joints that broke or lost what they held, and the event that tells of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import esper

from ecsphys.components.dynamics.joints.joint import Joint
from ecsphys.systems.world.esper_world import entity_counter, handler_calls, is_counter
from ecsphys.systems.world.handler_arguments import Refusals

BreakReason = Literal["force", "torque", "despawned", "removed"]

EVENT = "joint_broken"

_NO_CALLS: Iterator[object] = iter(())


class JointBreak(NamedTuple):
    """A joint that has gone, as a handler of "joint_broken" receives it.

    Attributes
    ----------
    entity
        The one that carried the joint.
    joint
        The component, which is on no entity any more.
    entity_a, entity_b
        What it held.
    reason
        "force" or "torque": more than it bears. "despawned": one of the two has been deleted; "removed": one of them
        has lost its Transform or its RigidBody, or a gear a joint.
    force, torque
        What it carried last: force (x, y) on ``entity_b``, and torque.
    """

    entity: int
    joint: Joint
    entity_a: int
    entity_b: int
    reason: BreakReason
    force: tuple[float, float]
    torque: float


class JointBreaks:
    """The breaks that handlers have not been told of yet."""

    def __init__(self) -> None:
        self.pending: list[JointBreak] = []
        self._calls = _NO_CALLS

    def note(self, found: JointBreak) -> None:
        """Add a break, unless that of the same joint is there already."""
        if not any(one.joint is found.joint for one in self.pending):
            self.pending.append(found)

    def deliver(self, errors: list[BaseException]) -> None:
        """Tell the handlers; what they raise is added to ``errors``, and keeps no other from being called.

        What an interrupt cuts short goes on at the next call; once a handler has cleared the database nothing does.
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
            # Nothing is called between these: no break is told twice.
            self._calls = handler_calls(EVENT, (found,))
            del self.pending[0]

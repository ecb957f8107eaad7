"""What plays a workload: one physics, in an esper world of its own."""

from __future__ import annotations

from typing import ClassVar, Protocol

from ecsphys.demo.scenes.workloads import Workload


class Player(Protocol):
    """One physics that plays a workload in the esper world that was current when it was made.

    A frame is :meth:`change`, then ``esper.process(dt)``; both are timed. :meth:`between` is not. Afterwards the
    components of every entity hold its position, and the player knows which pairs overlap (``hits`` of them), which
    began to (``starts``) and which ceased to (``ends``). ``pairs`` is the number of candidates, where it can be known.
    """

    name: ClassVar[str]

    def __init__(self, workload: Workload) -> None: ...

    @property
    def starts(self) -> int: ...

    @property
    def ends(self) -> int: ...

    @property
    def hits(self) -> int: ...

    @property
    def pairs(self) -> int | None: ...

    def attach_handlers(self) -> None:
        """From now on the game has a handler for starts and one for ends."""

    def change(self) -> None:
        """Delete and create what the workload says."""

    def between(self) -> None:
        """What a frame does not count: the border, the next frame's random numbers, the counts."""

    def close(self) -> None:
        """Let go of the physics; the world is deleted next."""

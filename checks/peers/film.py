"""What an engine is asked, and the film of a take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from checks.peers.scene import Scene, Take

Floats = NDArray[float64]

SUBSTEPS = 4


class Player(Protocol):
    """An engine with a scene. Rows are those of the things; of what is not there yet they are NaN."""

    name: str

    def add(self, numbers: list[int]) -> None:
        """Create things."""
        ...

    def join(self, numbers: list[int]) -> None:
        """Create joints."""
        ...

    def step(self, dt: float) -> None:
        """Advance."""
        ...

    def states(self) -> Floats:
        """x, y, angle, and their velocities (n, 6)."""
        ...

    def asleep(self) -> NDArray[bool_]:
        """Which things sleep (n,)."""
        ...

    def close(self) -> None:
        """Let go of the world."""
        ...


Engine = Callable[[Scene], Player]


@dataclass
class Film:
    """What was seen of a take.

    The first picture is before the first step. What is created later is first in the picture before its first step.
    """

    take: Take
    times: Floats
    """In seconds, of the pictures."""
    numbers: NDArray[np.int64]
    """How many steps were done at each picture."""
    states: Floats
    """x, y, angle, and their velocities (pictures, n, 6)."""
    asleep: NDArray[bool_]
    """(pictures, n)"""

    @property
    def places(self) -> Floats:
        """(pictures, n, 2)"""
        return self.states[:, :, :2]

    @property
    def velocities(self) -> Floats:
        """(pictures, n, 2)"""
        return self.states[:, :, 3:5]

    def rows(self, kind: str = "dynamic") -> NDArray[np.int64]:
        """The numbers of the things of a kind."""
        return np.array([k for k, thing in enumerate(self.take.scene.things) if thing.kind == kind], np.int64)


def shoot(engine: Engine, take: Take) -> Film:
    """Play a take."""
    scene = take.scene
    last_birth = max([thing.born for thing in scene.things] + [joint.born for joint in scene.joints])
    births = {thing.born for thing in scene.things} | {joint.born for joint in scene.joints}
    dynamic = np.array([thing.kind == "dynamic" for thing in scene.things])
    player = engine(scene)
    times, numbers, states, asleep = [], [], [], []

    def keep(clock: float, number: int) -> None:
        times.append(clock)
        numbers.append(number)
        states.append(player.states())
        asleep.append(player.asleep() if scene.may_sleep else np.zeros(len(scene.things), bool))

    def create(number: int) -> None:
        if number not in births:
            return
        new = scene.born_at(number)
        player.add(new)
        player.join([k for k, joint in enumerate(scene.joints) if joint.born == number])
        if numbers and numbers[-1] == number:
            states[-1][new] = player.states()[new]

    try:
        create(0)
        keep(0.0, 0)
        clock = 0.0
        for number, dt in enumerate(take.steps):
            if number > 0:
                create(number)
            player.step(dt)
            clock += dt
            if (number + 1) % take.keep_every == 0 or number + 1 == len(take.steps):
                keep(clock, number + 1)
                if take.until_asleep and number > last_birth and asleep[-1][dynamic].all():
                    break
    finally:
        player.close()
    return Film(take, np.array(times), np.array(numbers), np.array(states), np.array(asleep))

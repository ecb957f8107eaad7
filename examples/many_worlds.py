"""Play a match of air hockey ten thousand times with Ray, with other luck each time. Who wins if one is slower?

`python examples/many_worlds.py [MATCHES]` plays on all cores of this machine, or on the cluster in RAY_ADDRESS.

    pip install ray rich
"""

import random
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import esper
import numpy as np
import ray
from numpy.typing import NDArray
from rich.progress import track

import ecsphys
from ecsphys import AABBCollider, CircleCollider, RigidBody, Solid, Transform, Velocity
from ecsphys.systems import EulerMotionSystem
from ecsphys.types import Snapshot

Array = NDArray[np.float64]

DECISIONS = 20  # in a match
FRAMES = 30  # from one decision to the next

# Entities are numbered in the order in which they are created: 1 to 4 are the walls.
PUCK = 5
LEFT = 6
RIGHT = 7
FORCES = {LEFT: 40.0, RIGHT: 34.0}  # the right player is a little slower


class Result(NamedTuple):
    seed: int
    puck_x: float  # the puck's position at the end: the left player has won if it is > 0
    digest: int


def table() -> ecsphys.Physics:
    """Returns the physics of this process, which plays all its matches there, one after the other."""
    esper.switch_world("table")
    # Find it in esper, not in a global variable: Ray would send a global that a task uses to all processes.
    stage = esper.get_processor(EulerMotionSystem)
    if isinstance(stage, EulerMotionSystem):
        return stage.physics
    return ecsphys.install(threads=1)  # one thread is enough: there is a process for each core


def first_state() -> bytes:
    """Returns a match that has not begun yet."""
    physics = table()
    esper.clear_database()
    for x in (7, -7):
        esper.create_entity(Transform(x, 0), AABBCollider(1, 6), Solid())
    for y in (5, -5):
        esper.create_entity(Transform(0, y), AABBCollider(8, 1), Solid())
    for x in (0, -4, 4):  # puck, left and right player
        esper.create_entity(Transform(x, 0), Velocity(), CircleCollider(0.6), RigidBody(restitution=0.9))
    return physics.snapshot().to_bytes()


def advance(state: bytes, actions: Array) -> tuple[bytes, Array]:
    """Returns the state after some frames, and the positions (3, 2) of the puck and both players.

    This is the step function of an environment for reinforcement learning. In every process, the same arguments give
    the same results. `actions` (frames, 2, 2) are the forces on both players in each frame.
    """
    physics = table()
    physics.restore(Snapshot.from_bytes(state))
    for left, right in actions:
        physics.bodies.apply_force(LEFT, left)
        physics.bodies.apply_force(RIGHT, right)
        esper.process(1 / 60)
    seen = []
    for entity in (PUCK, LEFT, RIGHT):
        place = esper.component_for_entity(entity, Transform)
        seen.append((place.x, place.y))
    return physics.snapshot().to_bytes(), np.array(seen)


def decide(seen: Array, luck: random.Random) -> Array:
    """Both players run towards the puck, more or less."""
    puck, *players = seen
    actions = np.empty((FRAMES, 2, 2))
    for number, (place, force) in enumerate(zip(players, FORCES.values(), strict=True)):
        aim = puck + np.array((luck.gauss(0, 1), luck.gauss(0, 1)))
        distance = max(float(np.hypot(*(aim - place))), 0.1)
        actions[:, number] = force * (aim - place) / distance
    return actions


def play(state: bytes, seed: int) -> Result:
    """Plays one match to its end."""
    luck = random.Random(seed)
    seen = np.array([(0.0, 0.0), (-4.0, 0.0), (4.0, 0.0)])
    for _ in range(DECISIONS):
        actions = decide(seen, luck)
        state, seen = advance(state, actions)
    return Result(seed, float(seen[0, 0]), table().digest())


def play_all(state: bytes, seeds: Sequence[int]) -> Iterator[Result]:
    """Plays many matches, and yields their results in the order in which they end."""
    match = ray.remote(max_retries=3)(play)  # if a process dies, its match is played again in another
    shared = ray.put(state)  # sent once, not with every match
    waiting = [match.remote(shared, seed) for seed in seeds]
    while waiting:
        done, waiting = ray.wait(waiting, num_returns=min(20, len(waiting)), timeout=0.5)
        yield from ray.get(done)


def main(matches: int) -> None:
    state = first_state()
    play(state, 0)  # compiles the kernels once, instead of in each process
    results = sorted(track(play_all(state, range(matches)), "playing", total=matches))
    won = sum(result.puck_x > 0 for result in results)
    # One number for all results: it is the same with any number of processes.
    digest = sum(result.digest * (2 * n + 1) for n, result in enumerate(results)) % 2**64
    print(f"{matches} matches, the left player won {100 * won / matches:.1f} %, digest {digest:016x}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)

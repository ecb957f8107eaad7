"""One match of air hockey, ten thousand times: who wins, where one player is slower? On Ray, with other luck each time.

`python many_worlds.py [MATCHES]` plays on all cores of this machine, or on the cluster that RAY_ADDRESS names.
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
from ecsphys import AABBCollider, CircleCollider, RigidBody, Snapshot, Solid, Transform, Velocity

Array = NDArray[np.float64]

PUCK, LEFT, RIGHT = 5, 6, 7  # entities: 1 to 4 are the walls
DECISIONS, FRAMES = 20, 30  # decisions in a match, frames from one to the next
FORCES = {LEFT: 40.0, RIGHT: 34.0}  # what is to be balanced


class Result(NamedTuple):
    seed: int
    puck_x: float  # where the puck is in the end: > 0 means that the left player has won
    digest: int


def table() -> ecsphys.Physics:
    """A world for all matches of this process: each begins with a snapshot, which replaces all that was there."""
    esper.switch_world("table")
    # Kept by esper, in each process: what a function that Ray sends refers to is sent along.
    stage = esper.get_processor(ecsphys.EulerMotionSystem)
    return stage.physics if isinstance(stage, ecsphys.Stage) else ecsphys.install(threads=1)


def first_state() -> bytes:
    """The match before it begins."""
    physics = table()
    esper.clear_database()
    for x, y in (7, 0), (-7, 0), (0, 5), (0, -5):
        esper.create_entity(Transform(x, y), AABBCollider(1 if x else 8, 1 if y else 6), RigidBody("static"), Solid())
    for x in (0, -4, 4):
        esper.create_entity(Transform(x, 0), Velocity(), CircleCollider(0.6), RigidBody(restitution=0.9))
    return physics.snapshot().to_bytes()


def advance(state: bytes, actions: Array) -> tuple[bytes, Array]:
    """The state after some frames, and what is seen of it: x, y of puck and players (3, 2).

    `actions` (frames, 2, 2): the force on each player. The same arguments always have the same results, in any process:
    the step function of an environment for learning.
    """
    physics = table()
    physics.restore(Snapshot.from_bytes(state))
    for forces in actions:
        for player, force in zip((LEFT, RIGHT), forces, strict=True):
            physics.bodies.apply_force(player, force)
        esper.process(1 / 60)
    seen = [esper.component_for_entity(entity, Transform) for entity in (PUCK, LEFT, RIGHT)]
    return physics.snapshot().to_bytes(), np.array([(place.x, place.y) for place in seen])


def decide(seen: Array, luck: random.Random) -> Array:
    """Both players run to where the puck is, more or less."""
    actions = np.empty((FRAMES, 2, 2))
    for number, force in enumerate(FORCES.values()):
        way = seen[0] + (luck.gauss(0, 1), luck.gauss(0, 1)) - seen[1 + number]
        actions[:, number] = force * way / max(float(np.hypot(*way)), 0.1)
    return actions


def play(state: bytes, seed: int) -> Result:
    """One match to its end."""
    luck = random.Random(seed)
    seen = np.array([(0.0, 0.0), (-4.0, 0.0), (4.0, 0.0)])
    for _ in range(DECISIONS):
        state, seen = advance(state, decide(seen, luck))
    return Result(seed, float(seen[0, 0]), table().digest())


def play_all(state: bytes, seeds: Sequence[int]) -> Iterator[Result]:
    """The results of many matches, in the order in which they end; a match whose process dies is played again."""
    match = ray.remote(max_retries=3)(play)
    shared = ray.put(state)
    waiting = [match.remote(shared, seed) for seed in seeds]
    while waiting:
        done, waiting = ray.wait(waiting, num_returns=min(20, len(waiting)), timeout=0.5)
        yield from ray.get(done)


def main(matches: int) -> None:
    state = first_state()
    play(state, 0)  # compiles what is not compiled yet, once and not in each process
    results = sorted(track(play_all(state, range(matches)), "playing", total=matches))
    won = sum(result.puck_x > 0 for result in results)
    digest = sum(result.digest * (2 * n + 1) for n, result in enumerate(results)) % 2**64
    print(f"{matches} matches, the left player won {100 * won / matches:.1f} %, digest {digest:016x}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_000)

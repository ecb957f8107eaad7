"""The same bits, however a world is run; ``python -m checks bits`` has more steps, hash seeds and processors."""

from __future__ import annotations

import esper
import pytest
from same_bits import digests_of

import ecsphys
from ecsphys import AABBCollider, CircleCollider, RigidBody, Solid, Transform, Velocity

STEPS = 24

# The last digest of these steps, on every machine. A change of the engine that alters results on purpose alters it:
# then take what the test has found.
PINNED = 0xEF3AB600AFA85FB6


@pytest.fixture(scope="module")
def expected() -> list[int]:
    return digests_of(STEPS)


@pytest.mark.parametrize(
    ("kind", "threads", "pieces"),
    [
        ("steps", 1, (1.0,)),
        ("steps", 3, (1.0,)),
        ("halves", 1, (0.5,)),
        ("30 Hz", 2, (2.0,)),
        ("144 Hz", 1, (60 / 144,)),
        ("restores", 1, (1.0,)),
        ("bytes", 1, (1.0,)),
        ("spares", 1, (1.0,)),
    ],
)
def test_runs_have_the_same_bits(expected: list[int], kind: str, threads: int, pieces: tuple[float, ...]) -> None:
    assert digests_of(STEPS, kind, threads, pieces) == expected


def test_the_digest_of_every_platform_is_pinned(expected: list[int]) -> None:
    assert f"{expected[-1]:016x}" == f"{PINNED:016x}"


def _pushed_against_walls(steps: int, is_beside: bool) -> list[int]:
    """The digests of a world of bodies that rest, are pushed at walls and let go, beside another that is restored."""
    physics = _begin_room("room")
    _, pushed = min(esper.get_component(Velocity), key=lambda pair: pair[0])
    if is_beside:
        other = _begin_room("beside")
        esper.switch_world("beside")
        state = other.snapshot()
        esper.switch_world("room")
    digests = []
    for frame in range(steps):
        if is_beside:
            esper.switch_world("beside")
            esper.process(1 / 60)
            other.restore(state)
            esper.switch_world("room")
        pushed.x, pushed.y = ((0.0, 6.0), (6.0, 0.0), (0.0, 0.0))[frame // 30 % 3]
        esper.process(1 / 60)
        digests.append(physics.digest())
    esper.switch_world("default")
    esper.delete_world("room")
    return digests


def _begin_room(name: str) -> ecsphys.Physics:
    esper.switch_world(name)
    physics = ecsphys.install()
    for x, y in ((7, 0), (-7, 0), (0, 5), (0, -5)):
        esper.create_entity(Transform(x, y), AABBCollider(1 if x else 8, 1 if y else 6), Solid())
    for x in (-4, 4, 0):
        esper.create_entity(Transform(x, 0), Velocity(x, 1), CircleCollider(0.6), RigidBody(restitution=0.9))
    esper.switch_world("room")
    return physics


def test_a_restore_in_one_world_changes_no_bit_of_another() -> None:
    assert _pushed_against_walls(120, is_beside=True) == _pushed_against_walls(120, is_beside=False)

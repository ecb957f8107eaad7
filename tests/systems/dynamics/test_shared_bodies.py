"""Piles of bodies whose solver several threads share: the same bits for any number of them."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest
from same_bits import digests_of

import ecsphys
from ecsphys import (
    CapsuleCollider,
    CircleCollider,
    DistanceJoint,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Transform,
    Velocity,
    WeldJoint,
)
from ecsphys.engine.dynamics import contact_solver
from ecsphys.engine.dynamics.contacts.contact_blocks import BLOCK_COUNT
from ecsphys.engine.threads import shared_work


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many members take part in each shared solve."""
    counts: list[int] = []

    def counted(work: Any, parts: Any, threads: int) -> None:
        counts.append(len(parts))
        shared_work.share(work, parts, threads)

    monkeypatch.setattr(contact_solver, "share", counted)
    return counts


def _collider(k: int) -> Any:
    size = 0.25 + 0.03 * (k % 7)
    return (
        CircleCollider(size),
        OBBCollider(size, 0.8 * size),
        CapsuleCollider(0.5 * size, size),
        PolygonCollider([(size, 0.0), (-0.5 * size, size), (-0.6 * size, -size)]),
        OBBCollider(0.6 * size, size),
        FanCollider(1.2 * size, 1.5),
    )[k % 6]


def _pile(threads: int, count: int) -> ecsphys.Physics:
    """Bodies of all shapes, some of which bounce, in a trough; every tenth is jointed to the one before; and a few that
    soon sleep, far away, until what falls wakes them."""
    physics = ecsphys.install(gravity=(0.0, -10.0), threads=threads)
    esper.create_entity(Transform(0.0, -0.5), OBBCollider(60.0, 0.5), RigidBody("static"))
    for side in (-1.0, 1.0):
        esper.create_entity(Transform(side * 13.0, 20.0, -0.1 * side), OBBCollider(0.5, 25.0), RigidBody("static"))
    esper.create_entity(
        Transform(0.0, 1.0), Velocity(0.0, -0.0, 0.7), OBBCollider(3.0, 0.3), RigidBody("kinematic", friction=0.9)
    )
    rng = np.random.default_rng(4)
    before = -1
    for k in range(count):
        x, y = 0.9 * (k % 26) - 11.5 + float(rng.uniform(-0.1, 0.1)), 2.5 + 0.9 * (k // 26)
        restitution = 0.7 if k % 11 == 0 else 0.0
        body = esper.create_entity(
            Transform(x, y, float(rng.uniform(0.0, 3.0))),
            Velocity(float(rng.uniform(-1.0, 1.0)), 0.0),
            _collider(k),
            RigidBody(restitution=restitution, rolling_resistance=0.02 if k % 13 == 0 else 0.0),
        )
        if k % 10 == 9:
            joint = (RevoluteJoint.at, WeldJoint.at)[k // 10 % 2](before, body, x - 0.45, y)
            esper.create_entity(joint if k % 30 else DistanceJoint.at(before, body, x - 0.9, y, x, y))
        before = body
    for k in range(5):
        esper.create_entity(Transform(25.0, 0.45 + 0.9 * k), Velocity(), OBBCollider(0.45, 0.45), RigidBody())
    esper.create_entity(Transform(25.1, 90.0), Velocity(), CircleCollider(0.4), RigidBody(restitution=0.5))
    return physics


def _played(threads: int, count: int, steps: int) -> tuple[list[int], int]:
    """The digests of all steps, and how often any body slept."""
    esper.switch_world(f"{threads} threads")
    physics = _pile(threads, count)
    digests = []
    slept = 0
    for _ in range(steps):
        esper.process(1 / 60)
        digests.append(physics.digest())
        slept += physics._state.body_table.any_sleeps
    esper.switch_world("default")
    esper.delete_world(f"{threads} threads")
    return digests, slept


def test_a_pile_has_the_same_bits_for_any_number_of_threads(shares: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contact_solver, "_BLOCKS_AT_LEAST", 10)
    alone, slept = _played(1, 420, 320)
    assert 100 < slept < 320
    assert not shares
    for threads in (2, 3, 4):
        shares.clear()
        assert _played(threads, 420, 320)[0] == alone
        assert len(shares) > 250
        assert max(shares) == threads


@pytest.mark.parametrize("kind", ["steps", "restores", "bytes"])
def test_a_world_of_everything_has_the_same_bits_where_every_solve_is_shared(
    kind: str, shares: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = digests_of(30)
    esper.switch_world("shared")
    monkeypatch.setattr(contact_solver, "_BLOCKS_AT_LEAST", 1)
    assert digests_of(30, kind, 3) == expected
    assert len(shares) > 20


def test_large_piles_are_shared_and_small_ones_are_not(shares: list[int]) -> None:
    least = contact_solver._BLOCKS_AT_LEAST
    _played(2, 300, 60)
    assert not shares
    esper.switch_world("a row")
    boxes = 8 * least
    physics = ecsphys.install(gravity=(0.0, -10.0), threads=3)
    esper.create_entity(Transform(0.0, -0.5), OBBCollider(2.0 * boxes, 0.5), RigidBody("static"))
    k = np.arange(boxes)
    ecsphys.spawn_many(
        boxes,
        Transform.many(x=1.1 * k - 0.55 * boxes, y=0.5),
        Velocity.many(),
        OBBCollider.many(0.5, 0.5),
        RigidBody.many(),
    )
    for _ in range(3):
        esper.process(1 / 60)
    solver: Any = physics._state.solver
    blocks = int(solver._contact_solver.room.places.starts[BLOCK_COUNT])
    assert 2 * least <= blocks < 3 * least
    assert shares == [2, 2]

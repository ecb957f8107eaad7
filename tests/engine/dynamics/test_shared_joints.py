"""Joints on several threads: the same bits as on one, whatever joints there are; and which joints are shared."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest
from joint_pile import fill_pile, solver_of
from jointed_scene import ball, box, chain, state, steps

import ecsphys
from ecsphys import Physics, RevoluteJoint
from ecsphys.engine.dynamics import contact_solver
from ecsphys.engine.dynamics.joints.joint_blocks import (
    ANY_LOADED,
    BLOCK_COUNT,
    LEVELS_IN_ORDER,
    RUN_COUNT,
    RUN_END,
    SHARED_BLOCKS,
    JointBlocks,
    JointPlaces,
)
from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, BODY_B
from ecsphys.engine.math.lanes import LANES
from ecsphys.engine.threads import shared_work


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Shares from a few blocks on; lists how many members take part each time."""
    counts: list[int] = []

    def counted(work: Any, parts: Any, threads: int) -> None:
        counts.append(len(parts))
        shared_work.share(work, parts, threads)

    monkeypatch.setattr(contact_solver, "share", counted)
    monkeypatch.setattr(contact_solver, "_BLOCKS_AT_LEAST", 4)
    return counts


def _room(physics: Physics) -> tuple[JointBlocks, JointPlaces]:
    blocks, places = solver_of(physics)._contact_solver.joint_room
    return blocks, places


def _heap_of_joints(threads: int, load: float) -> Physics:
    """Piles of every kind of joint, gears among them, on one floor with balls between them."""
    physics = ecsphys.install(gravity=(0.0, -10.0), threads=threads)
    physics.settings.joint_iterations = 2
    rng = np.random.default_rng(5)
    for copy in range(22):
        fill_pile(copy, 12.0 * copy)
    chain(120, load, -20.0, 60.0)
    for _ in range(100):
        ball(float(rng.uniform(-6.0, 250.0)), float(rng.uniform(-6.0, 6.0)), 0.3)
    return physics


@pytest.mark.parametrize("load", [1.0, 200.0])
def test_joints_of_all_kinds_have_the_same_bits_for_any_number_of_threads(shares: list[int], load: float) -> None:
    played: list[list[bytes]] = []
    for threads in (1, 2, 3, 8):
        shares.clear()
        esper.switch_world(f"joints {load} {threads}")
        physics = _heap_of_joints(threads, load)
        bits = []
        for _ in range(25):
            steps(1)
            rows = physics._state.joints.rows
            bits.append(state() + rows.impulses.tobytes() + rows.totals.tobytes())
        played.append(bits)
        assert shares == ([threads] * 25 if threads > 1 else [])
        counts = _room(physics)[1].counts
        assert counts[SHARED_BLOCKS] >= 36
        assert counts[RUN_COUNT] > 2
        assert counts[ANY_LOADED] == (load > 30.0)
        assert np.isfinite(np.frombuffer(state())).all()
    assert all(bits == played[0] for bits in played)


def _hinged(seed: int) -> Physics:
    """Two long chains, the end of one hinged to the start of the other, and a tangle of bodies with many hinges."""
    physics = ecsphys.install(gravity=(0.0, -10.0), threads=1)
    rng = np.random.default_rng(seed)
    first, second = (chain(150, 1.0, x, 0.0)[0] for x in (-10.0, 10.0))
    bodies = [box(float(3 * k), 20.0, 0.4, 0.4) for k in range(300)]
    esper.create_entity(RevoluteJoint.at(first[-1], second[0], 0.0, 0.0))
    esper.create_entity(RevoluteJoint.at(second[0], bodies[0], 0.0, 0.0))
    for k in range(700):
        # One body has many more than fit into the levels of a cut chain.
        a = 7 if k < 50 else int(rng.integers(300))
        b = int(rng.integers(300))
        if a != b:
            esper.create_entity(RevoluteJoint.at(bodies[a], bodies[b], 0.0, 20.0))
    return physics


def test_what_is_solved_side_by_side_shares_no_moving_body() -> None:
    esper.switch_world("hinged")
    physics = _hinged(1)
    steps(1)
    blocks, places = _room(physics)
    ends = physics._state.joints.rows.ends
    moves = solver_of(physics)._rows.bodies[:, 3] != 0.0
    count = int(places.counts[BLOCK_COUNT])
    assert sorted(blocks.members[:count][blocks.members[:count] >= 0].tolist()) == list(range(len(ends)))
    runs = places.runs[: places.counts[RUN_COUNT]]
    assert runs[-1, RUN_END] == count
    first = 0
    for end, at_once in runs.tolist():
        size = end - first if at_once else 1
        for start in range(first, end, size):
            members = blocks.members[start : start + size].ravel()
            held = ends[members[members >= 0]][:, [BODY_A, BODY_B]].ravel()
            held = held[moves[held]]
            assert len(set(held.tolist())) == len(held)
        first = end


def test_a_long_chain_fills_its_blocks_and_a_short_one_keeps_the_order_of_the_table() -> None:
    for links, most in ((LEVELS_IN_ORDER - 1, LEVELS_IN_ORDER), (1000, 1001 // LANES + LEVELS_IN_ORDER)):
        esper.switch_world(f"chain {links}")
        physics = ecsphys.install(gravity=(0.0, -10.0), threads=1)
        chain(links, 1.0)
        steps(1)
        _, places = _room(physics)
        assert places.counts[BLOCK_COUNT] <= most
        in_order = (np.diff(places.places[: links + 1] // LANES) > 0).all()
        assert in_order == (links < LEVELS_IN_ORDER)

"""The contact solver on several threads: the same bits as on one, and whole or not at all after an interrupt."""

from __future__ import annotations

import functools
import threading
import time
from types import FrameType
from typing import Any

import numpy as np
import pytest
from interrupted_lines import Interrupt, interrupted_at
from rigid_scene import KINEMATIC, STATIC, RigidScene

from ecsphys.engine.dynamics import contact_solver
from ecsphys.engine.dynamics.contacts.contact_blocks import COLORS
from ecsphys.engine.threads import shared_work


@pytest.fixture(autouse=True)
def shares(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Shares from a few blocks on; lists how many members take part each time."""
    counts: list[int] = []

    def counted(work: Any, parts: Any, threads: int) -> None:
        counts.append(len(parts))
        shared_work.share(work, parts, threads)

    monkeypatch.setattr(contact_solver, "share", counted)
    monkeypatch.setattr(contact_solver, "_BLOCKS_AT_LEAST", 4)
    return counts


def _heap(threads: int, seed: int = 3, count: int = 1200) -> RigidScene:
    """All that there is in one heap, with more contacts at a wall than there are colours."""
    rng = np.random.default_rng(seed)
    scene = RigidScene(margin=0.1)
    scene.ground(tangent_speed=0.5)
    scene.box(1.0, 30.0, -16.0, 30.0, kind=STATIC)
    scene.box(1.0, 30.0, 16.0, 30.0, kind=KINEMATIC, velocity=(-0.1, -0.0, 0.0))
    for k in range(count):
        at = rng.uniform([-14.5, 0.5], [14.5, 24.0])
        more: dict[str, Any] = {
            "velocity": tuple(rng.uniform(-4.0, 4.0, 3)),
            "restitution": float(rng.choice([0.0, 0.0, 0.6])),
            "rolling_resistance": float(rng.choice([0.0, 0.0, 0.02])),
            "dominance": int(rng.choice([0, 0, 0, 1])),
            "locks": int(rng.choice([0, 0, 0, 0, 1, 4])),
        }
        if k == 0:
            # So large that it touches more than there are colours.
            scene.box(13.5, 0.5, 0.0, 3.0, density=0.3)
        elif rng.uniform() < 0.5:
            scene.box(*rng.uniform(0.15, 0.4, 2).tolist(), *at, angle=rng.uniform(0.0, 3.0), **more)
        else:
            scene.circle(rng.uniform(0.15, 0.4), *at, **more)
    scene.build()
    share_by(scene, threads)
    return scene


def share_by(scene: RigidScene, threads: int) -> None:
    solver: Any = scene.solver
    solver.solve = functools.partial(type(solver).solve, solver, threads=threads)


def _bits(scene: RigidScene) -> bytes:
    points, count = scene.contacts.points, scene.count
    arrays = (scene.bodies, scene.centers, scene.angles, points.impulses[:count], points.totals[:count])
    return b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)


def test_a_heap_of_everything_has_the_same_bits_for_any_number_of_threads(shares: list[int]) -> None:
    played = []
    for threads in (1, 2, 3):
        shares.clear()
        scene = _heap(threads)
        bits = []
        for _ in range(60):
            scene.step()
            bits.append(_bits(scene))
        played.append(bits)
        # The blocks are known from the second step on.
        assert shares == ([threads] * 59 if threads > 1 else [])
    assert all(bits == played[0] for bits in played)
    blocks = np.diff(scene.solver.room.places.starts[: COLORS + 2])
    assert (blocks > 40).sum() > 2
    assert blocks[COLORS] > 0


def test_contacts_that_need_more_room_than_there_is_are_shared_out_anew(shares: list[int]) -> None:
    played = []
    for threads in (1, 3):
        scene = _heap(threads, count=200)
        scene.step(30)
        held = len(scene.solver.room.blocks.kinds)
        scene.solver.room = scene.solver.room._replace(blocks=contact_solver._blocks(1))
        scene.step(5)
        assert len(scene.solver.room.blocks.kinds) > 1
        assert held > 1
        played.append(_bits(scene))
    assert played[0] == played[1]
    assert 3 in shares


def test_one_thread_does_it_all_where_there_are_no_others(monkeypatch: pytest.MonkeyPatch, shares: list[int]) -> None:
    alone, left = _heap(1), _heap(4)

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(shared_work, "_pool", shared_work._Pool())
    for scene in (alone, left):
        scene.step(20)
    assert _bits(alone) == _bits(left)
    assert 4 in shares


def test_an_interrupt_at_any_line_leaves_a_step_solved_or_not_and_no_thread_at_work() -> None:
    scene = _heap(3)
    scene.step(20)
    scene.find()
    kept = scene.bodies.copy(), scene.contacts.points.impulses.copy()

    def put_back() -> None:
        scene.bodies[:] = kept[0]
        scene.contacts.points.impulses[:] = kept[1]

    before = _bits(scene)
    scene.solve()
    solved = _bits(scene)

    def is_meant(frame: FrameType) -> bool:
        return frame.f_code.co_filename in (shared_work.__file__, contact_solver.__file__)

    cut = 0
    for line in range(1, 300):
        put_back()
        scene.contacts.points.totals[: scene.count] = 0.0
        try:
            with interrupted_at(line, is_meant):
                scene.solve()
        except Interrupt:
            cut += 1
            at_rest = _bits(scene)
            time.sleep(0.002)
            assert _bits(scene) == at_rest
        else:
            break
        # Whatever it has left in the solver's own arrays, the next step is that of before.
        put_back()
        scene.solve()
        assert _bits(scene) == solved
    assert cut > 30
    assert before != solved

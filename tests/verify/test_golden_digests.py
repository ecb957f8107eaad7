"""Scenes of every part have their golden digests: on both kinds of code, and on 1 to 8 threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from fresh_python import python

from ecsphys.verify import __main__ as command
from ecsphys.verify.scene_run import SceneRun
from ecsphys.verify.scenes import GOLDEN_DIGESTS, SCENES, digest_of

# Of many threads, each takes a share of a scene as small as these are.
LEAST_SHARES = [
    (name, constant)
    for name, constant in (
        ("ecsphys.engine.dynamics.contact_solver", "_BLOCKS_AT_LEAST"),
        ("ecsphys.systems.spatial_query.queries", "_RAYS_AT_LEAST"),
    )
]


def test_each_scene_has_a_golden_digest() -> None:
    assert list(GOLDEN_DIGESTS) == list(SCENES)
    assert len(set(GOLDEN_DIGESTS.values())) == len(GOLDEN_DIGESTS)


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_has_its_golden_digest(name: str) -> None:
    assert digest_of(name) == GOLDEN_DIGESTS[name]


@pytest.mark.parametrize("threads", range(2, 9))
def test_scenes_have_their_golden_digests_on_several_threads(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    members = _noted_members(monkeypatch)
    for module, constant in LEAST_SHARES:
        monkeypatch.setattr(import_module(module), constant, 4)
    for name in ("pile", "crowd", "chains", "queries", "bullets"):
        assert digest_of(name, threads) == GOLDEN_DIGESTS[name], name
    assert max(members) == threads


def _noted_members(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many threads shared each solve."""
    solver: Any = import_module("ecsphys.engine.dynamics.contact_solver").ContactSolver
    choose: Callable[..., int] = solver._members
    members: list[int] = []

    def noted(*arguments: Any) -> int:
        members.append(choose(*arguments))
        return members[-1]

    monkeypatch.setattr(solver, "_members", noted)
    return members


_LEAST = "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX X86_V3 X86_V4"


@pytest.mark.parametrize("variant", ["x86-64-v2", "x86-64-v3"])
def test_the_command_finds_the_same_bits_with_the_code_and_the_numpy_for_each_processor(variant: str) -> None:
    # With numpy for the least processor as well.
    least = {} if variant == "x86-64-v3" else {"NPY_DISABLE_CPU_FEATURES": _LEAST}
    done = python("-W", "ignore", "-m", "ecsphys.verify", env={**os.environ, **least, "ECSPHYS_CPU": variant})
    if "does not run the code for" in done.stderr:
        pytest.skip(f"this processor does not run the code for {variant}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f", {variant}, " in done.stdout
    assert f"All {len(SCENES)} scenes have the same bits as on every other machine" in done.stdout


def test_a_scene_that_differs_is_named_and_the_command_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(GOLDEN_DIGESTS, "trajectories", "0" * 32)
    assert command.main(["trajectories", "scrolling", "--threads", "1"]) == 1
    said = capsys.readouterr().out
    assert f"trajectories           DIFFERS: {digest_of('trajectories')} instead of {'0' * 32}" in said
    assert "scrolling              the same" in said
    assert "1 of 2 scenes DIFFER: trajectories" in said
    assert "please report it" in said


@pytest.mark.parametrize("arguments", [["no such scene"], ["--threads", "0"]])
def test_a_bad_call_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        command.main(arguments)
    assert raised.value.code == 2
    assert arguments[-1] in capsys.readouterr().err


def test_what_is_noted_counts_to_the_last_bit_but_for_the_bits_of_nan() -> None:
    digests = [_digest_of_note(value) for value in (0.0, -0.0, 5e-324, 1, (0.0,), [0.0, 0.0], None, "0.0", float)]
    assert len(set(digests)) == len(digests)
    assert _digest_of_note(float("nan")) == _digest_of_note(-float("nan"))
    with pytest.raises(TypeError, match="can note no object"):
        _digest_of_note(object())


def _digest_of_note(value: Any) -> str:
    run = SceneRun(1)
    run.note(value)
    return run.digest

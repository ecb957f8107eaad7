"""Many worlds on Ray: the same results by any number of processes, also where one of them dies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from gallery import load

pytest.importorskip("ray", reason="Ray is not installed: pip install 'ecsphys[bulk]'")
pytest.importorskip("rich")

# What the functions of the example name is found in the processes of Ray by value, as from a script.
CODE = """
import os, signal, sys
from pathlib import Path
import ray
from gallery import load
example = load("many_worlds")
example.DECISIONS, sys.modules[example.__name__] = 2, example
ray.cloudpickle.register_pickle_by_value(example)
play, killed = example.play, Path(sys.argv[1])

def play_and_die(state, seed):
    if seed == 5 and not killed.exists():
        killed.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play(state, seed)

state = example.first_state()
for workers, function in (1, play), (2, play_and_die):
    example.play = function
    ray.init(num_cpus=workers, include_dashboard=False, logging_level="error")
    print(sorted(tuple(one) for one in example.play_all(state, range(8))))
    ray.shutdown()
print([tuple(play(state, seed)) for seed in range(8)])
"""


def test_results_are_the_same_by_one_process_by_two_and_after_one_has_died(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(killed)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    one, two, here = (line for line in done.stdout.splitlines() if line.startswith("[("))
    assert one == two == here
    assert killed.exists()


def test_a_state_advances_to_the_same_state_and_sight_whenever_it_is_asked() -> None:
    example = load("many_worlds")
    state, actions = example.first_state(), np.ones((10, 2, 2))
    found = []
    for way in (1, -1, 1):
        _, seen = example.advance(state, way * actions)
        found.append((example.table().digest(), seen.tolist()))
    assert found[0] == found[2] != found[1]

"""The arrays that ecsphys keeps for each collider: ``python -m benchmarks.memory COUNT`` prints the bytes.

In a process of its own, because everything allocated there is traced.
"""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path

import esper
import numpy as np

import ecsphys
from benchmarks.contest import SEED, STEP
from ecsphys.demo.scenes import WORKLOADS
from ecsphys.demo.scenes.workloads import LiveWorkload

_ROOT = Path(__file__).resolve().parent.parent
_FRAMES = 5


def measure_bytes_per_collider(count: int) -> float:
    """Bytes of numpy's arrays per collider of a swarm after some frames, in another process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", str(count)], cwd=_ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"measuring memory failed:\n{done.stderr}")
    return float(done.stdout)


def bytes_per_collider(count: int) -> float:
    """Bytes of numpy's arrays per collider of a swarm after some frames, in this process.

    Component blocks, index, placed shapes, grid and hits. The scene keeps no arrays: it is never turned back.
    """
    tracemalloc.start()
    live = LiveWorkload(WORKLOADS["swarm"].make(np.random.default_rng(SEED), count))
    physics = ecsphys.install()
    for _ in range(_FRAMES):
        esper.process(STEP)
    arrays = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
    traces = tracemalloc.take_snapshot().filter_traces([arrays]).traces
    tracemalloc.stop()
    if len(live.workload.entities) != len(physics.debug.colliders):
        raise RuntimeError("a swarm has one collider for each entity")
    return sum(trace.size for trace in traces) / count


def instance_bytes() -> int:
    """Bytes of the largest component instance of a swarm, the collector's header included."""
    instances: list[object] = [
        ecsphys.Transform(),
        ecsphys.Velocity(),
        ecsphys.CircleCollider(1.0),
        ecsphys.OBBCollider(1.0, 1.0),
        ecsphys.CapsuleCollider(1.0, 1.0),
        ecsphys.FanCollider(1.0, 1.0),
        ecsphys.PolygonCollider([(0, 0), (1, 0), (0, 1)]),
    ]
    return max(sys.getsizeof(instance) for instance in instances)


if __name__ == "__main__":
    print(bytes_per_collider(int(sys.argv[1])))

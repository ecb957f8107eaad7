"""The yardstick in C: compiled where there is a compiler, and called."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
from numpy import int32
from numpy.typing import NDArray

from benchmarks.contest import STEP
from ecsphys import CircleCollider
from ecsphys.demo.scenes.workloads import Workload

_SOURCE = Path(__file__).with_name("circles.c")

# Without contraction the sums are rounded as ours are, and the hits are the same ones.
_OPTIONS = ("-O3", "-march=native", "-ffp-contract=off", "-std=c11", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror")

_HITS, _STARTS, _ENDS = range(3)


def find_compiler() -> str | None:
    """The machine's C compiler: ``$CC``, ``cc``, ``gcc`` or ``clang``; None where there is none."""
    names = (os.environ.get("CC", ""), "cc", "gcc", "clang")
    return next((path for name in names if name and (path := shutil.which(name))), None)


def build(compiler: str, folder: Path) -> Path:
    """Compile into a folder; RuntimeError with the compiler's words where it fails."""
    library = folder / "circles.so"
    done = subprocess.run(
        [compiler, *_OPTIONS, str(_SOURCE), "-o", str(library), "-lm"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{compiler} cannot compile {_SOURCE.name}:\n{done.stderr}")
    return library


class _Pairs(ctypes.Structure):
    _fields_ = (("rows", ctypes.POINTER(ctypes.c_int32)), ("count", ctypes.c_int64), ("room", ctypes.c_int64))


class CircleWorld:
    """The circles of a workload in C; the number of a circle is that of its body."""

    def __init__(self, library: Path, workload: Workload) -> None:
        bodies = workload.bodies
        if any(body.collider is not CircleCollider or body.velocity is None for body in bodies):
            raise ValueError("the yardstick in C knows moving circles only")
        self._arena = workload.arena
        rows = [(body.x, body.y, *(body.velocity or ())[:2], *body.arguments) for body in bodies]
        # C keeps the addresses of these.
        self._columns = np.ascontiguousarray(np.array(rows, np.float64).T)
        self._code = ctypes.CDLL(str(library))
        self._code.world_new.restype = ctypes.c_void_p
        self._code.world_pairs.restype = ctypes.POINTER(_Pairs)
        pointers = [ctypes.c_void_p(column.ctypes.data) for column in self._columns]
        self._world = ctypes.c_void_p(self._code.world_new(ctypes.c_int64(len(bodies)), *pointers))
        self._step = self._code.world_step

    def step(self) -> None:
        """One frame: this is what is timed."""
        self._step(self._world, ctypes.c_double(STEP))

    def reflect(self) -> None:
        """Turn back what has left the arena."""
        for axis in range(2):
            low, high = self._arena[axis], self._arena[axis + 2]
            position, speed = self._columns[axis], self._columns[axis + 2]
            below, above = position < low, position > high
            speed[below] = np.abs(speed[below])
            speed[above] = -np.abs(speed[above])

    @property
    def hits(self) -> NDArray[int32]:
        """(n, 2) numbers of circles that overlap, the smaller first, sorted."""
        return self._pairs(_HITS)

    @property
    def starts(self) -> NDArray[int32]:
        """(n, 2) of the hits those that were none a frame before."""
        return self._pairs(_STARTS)

    @property
    def ends(self) -> NDArray[int32]:
        """(n, 2) those that were hits a frame before."""
        return self._pairs(_ENDS)

    def close(self) -> None:
        """Free what C has allocated."""
        self._code.world_free(self._world)

    def _pairs(self, which: int) -> NDArray[int32]:
        pairs = self._code.world_pairs(self._world, which).contents
        if not pairs.count:
            return np.zeros((0, 2), int32)
        return np.ctypeslib.as_array(pairs.rows, (pairs.count, 2)).copy()

"""No source that changes state uses arithmetic that may have other bits on another machine."""

from __future__ import annotations

import ast

import pytest
from arithmetic import sources, uses_in

_WHOLE = "whole numbers, exact in any order"
_PICTURE = "only a picture's size"
_ROUNDED = "whole numbers below 2^53, exact in any order"

# Of each use: why it has the same bits all the same, or changes no state.
ALLOWED = {
    ("ecsphys/engine/broadphase/grid.py", "_join"): _WHOLE,
    ("ecsphys/engine/effects/strips.py", "strip_triangles"): _WHOLE,
    ("ecsphys/engine/kernels/arrays.py", "zeros_of"): _WHOLE,
    ("ecsphys/replay/recording.py", "_weighted"): "whole numbers modulo 2^64",
    ("ecsphys/replay/replaying.py", "Recording.__init__"): "shown, and no state",
    ("systems/collision/contact_search.py", "ContactSearch.find"): _WHOLE,
    ("systems/collision/candidate_pairs.py", "SleepingColliders.awake_count"): _WHOLE,
    ("systems/diagnosis/debug_lines.py", "_mark_size"): _PICTURE,
    ("systems/diagnosis/debug_lines.py", "outline_segments"): _WHOLE,
    ("systems/diagnosis/debug_lines.py", "joint_lines"): _WHOLE,
    ("systems/effects/light.py", "LaserFlights.lines"): _WHOLE,
    ("systems/effects/particles.py", "ParticleSystem._emit"): _WHOLE,
    ("systems/effects/particles.py", "ParticleSystem._add"): _WHOLE,
    ("systems/effects/particles.py", "_births"): _ROUNDED,
    ("systems/profile.py", "Stopwatch.read"): "measured times, which no state depends on",
    ("systems/snapshot/saved_world.py", "decode"): _WHOLE,
    ("systems/snapshot/kept_components.py", "places_in_runs"): _WHOLE,
    ("systems/snapshot/saved_world.py", "_Loaded.take_objects"): _WHOLE,
    ("systems/snapshot/saved_world.py", "_make_of_runs"): _WHOLE,
    ("systems/world/collider_placing.py", "ColliderPlacing._place"): _WHOLE,
    ("systems/physics_state.py", "PhysicsState._read_changes"): _WHOLE,
    ("systems/world/entity_table.py", "united"): _WHOLE,
    ("systems/world/esper_world.py", "_describe"): _WHOLE,
    ("systems/world/world_tables.py", "WorldTables._refuse_two_trajectories"): _WHOLE,
}


def test_sources_use_only_arithmetic_that_is_the_same_everywhere() -> None:
    found = {(name, use.function): f"{name}:{use.line} {use.use}" for name, text in sources() for use in uses_in(text)}
    assert [line for place, line in found.items() if place not in ALLOWED] == []
    assert sorted(ALLOWED.keys() - found.keys()) == []


@pytest.mark.parametrize(
    ("source", "use"),
    [
        ("import math\ny = math.sin(x)", "math.sin"),
        ("import math as m\ny = m.hypot(x, x)", "math.hypot"),
        ("from math import exp", "from math import exp"),
        ("import numpy as np\ny = np.log(x)", "numpy.log"),
        ("import numpy as np\ny = np.power(x, 2)", "numpy.power"),
        ("import numpy as np\ny = np.arctan2", "numpy.arctan2"),
        ("import numpy as np\ny = np.linalg.norm(x)", "numpy.linalg"),
        ("import numpy as np\ny = np.einsum('i,i', x, x)", "numpy.einsum"),
        ("import numpy as np\ny = np.add.reduce(x)", "add.reduce"),
        ("import numpy as np\ny = np.arange(0.0, 1.0, 0.1)", "arange of floats"),
        ("import numpy as np\ny = np.round(x, 3)", "round to decimals"),
        ("from numpy import cos", "from numpy import cos"),
        ("y = a @ b", "@"),
        ("a @= b", "@="),
        ("y = x ** 2", "**"),
        ("y = 2.0 ** x", "**"),
        ("x **= 2", "**="),
        ("y = x.sum(axis=0)", ".sum()"),
        ("y = x.mean()", ".mean()"),
        ("y = sum(x)", "sum()"),
        ("y = rng.normal(size=3)", ".normal()"),
        ("y = rng.uniform(0, 1)", ".uniform()"),
        ("import cmath", "import cmath"),
        ("from random import random", "from random import …"),
    ],
)
def test_each_kind_of_arithmetic_that_may_differ_is_found(source: str, use: str) -> None:
    ast.parse(source)
    assert [found.use for found in uses_in(source)] == [use]


def test_exact_arithmetic_is_let_through() -> None:
    assert not uses_in(
        "import math\nimport numpy as np\n"
        "y = math.sqrt(x) + math.floor(x) + 2.0**-600 + math.pi\n"
        "z = np.sqrt(x) + np.maximum(x, y) + np.cumsum(x) + np.arange(3) + np.rint(x)\n"
        "n = np.logical_and.reduce(x) + rng.random(3) + hit.normal\n"
    )

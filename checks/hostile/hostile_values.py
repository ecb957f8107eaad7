"""Values that no call expects: what every field and every argument is tried with."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

HOSTILE: Final[dict[str, Any]] = {
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "1e300": 1e300,
    "-1e300": -1e300,
    "-0.0": -0.0,
    "denormal": 5e-324,
    "0": 0,
    "-1": -1,
    "2**63": 2**63,
    "10**400": 10**400,
    "True": True,
    "None": None,
    "text": "x",
    "bytes": b"x",
    "empty": (),
    "pair of nan": (math.nan, 0.0),
    "pair of inf": (0.0, -math.inf),
    "pair of 1e300": (1e300, -1e300),
    "pair of text": ("x", "y"),
    "three": (1.0, 2.0, 3.0),
    "array of nan": np.full((2, 2), math.nan),
    "ragged": [[1.0], [1.0, 2.0]],
    "float32 nan": np.float32(math.nan),
    "complex": 1j,
    "object": object(),
    "class": int,
}

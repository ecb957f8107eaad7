"""No body leaves a closed room, however fast it flies and spins, and none is thrown about by its fellows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from checks.rooms import leaver


# From each of these a body once got out, or was thrown far away.
@pytest.mark.parametrize("seed", [3, 5, 22, 41, 43, 48, 49, 51, 68, 80, 83, 97, 103, 128])
def test_no_body_leaves_a_closed_room(seed: int) -> None:
    assert leaver(seed) == ""

"""Every test runs in an esper world of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import esper
import pytest

_numbers = count(1)


@pytest.fixture(autouse=True)
def own_world() -> Iterator[None]:
    esper.switch_world(f"test {next(_numbers)}")
    yield
    esper.switch_world("default")
    for name in esper.list_worlds():
        if name != "default":
            esper.delete_world(name)

"""Every test runs in an esper world of its own; properties are tried on the same examples in every run.

``pytest --hypothesis-profile=search`` tries others, and more of them.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import esper
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

# What stands beside this file asserts as tests do, with ``python -O`` too.
pytest.register_assert_rewrite(*(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "conftest"))

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("repeatable")

# Hypothesis also tries the constants that it finds in the source of the local modules that are loaded at that moment:
# which depends on the tests that ran before. There is no setting for it, and test_repeatable_examples.py fails if this
# no longer helps.
setattr(providers, "_get_local_constants", Constants)  # noqa: B010

# Started in the background, a process ignores Ctrl-C, and so do those it starts: tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests start many interpreters. Without bytecode each would compile the package's sources anew, for a second or two.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

_numbers = count(1)


def pytest_collection_finish() -> None:
    """Leave all modules and tests out of garbage collections: a million objects that stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_world() -> Iterator[None]:
    esper.switch_world(f"test {next(_numbers)}")
    yield
    esper.switch_world("default")
    for name in esper.list_worlds():
        if name != "default":
            esper.delete_world(name)


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """No component that another test has left behind goes while rows are counted."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()

"""Esper worlds in which a benchmark plays, and which are gone afterwards."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import esper

DT = 1 / 60

_numbers = itertools.count(1)


@contextmanager
def own_worlds() -> Iterator[None]:
    """Start in a new world; in the end delete it and every other world that was made meanwhile."""
    before, home = set(esper.list_worlds()), esper.current_world
    try:
        next_world()
        yield
    finally:
        esper.switch_world(home)
        for name in set(esper.list_worlds()) - before:
            esper.delete_world(name)


def next_world() -> str:
    """Switch to a new world; its name."""
    name = f"steps {next(_numbers)}"
    esper.switch_world(name)
    return name


def step() -> None:
    """A step of the current world."""
    esper.process(DT)

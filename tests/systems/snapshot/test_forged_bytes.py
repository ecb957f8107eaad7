"""Bytes with a right checksum that no snapshot has: a clear error and the same world, or one that can go on."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import esper
import numpy as np
import pytest
from whole_world import DT, WholeWorld

import ecsphys
from ecsphys.systems.snapshot.saved_world import decode, encode

Path = tuple[Any, ...]


def paths_in(tree: Any, path: Path = ()) -> list[Path]:
    """Where all values of a tree are."""
    found = [path]
    if isinstance(tree, dict):
        keys: Any = tree
    elif isinstance(tree, list | tuple):
        keys = range(len(tree))
    else:
        return found
    for key in keys:
        found += paths_in(tree[key], (*path, key))
    return found


def replaced(tree: Any, path: Path, value: Any) -> Any:
    """A copy of a tree with another value at a path; the rest is shared."""
    if not path:
        return value
    key, *rest = path
    if isinstance(tree, dict):
        return {**tree, key: replaced(tree[key], tuple(rest), value)}
    items = list(tree)
    items[key] = replaced(items[key], tuple(rest), value)
    return tuple(items) if isinstance(tree, tuple) else items


def at(tree: Any, path: Path) -> Any:
    for key in path:
        tree = tree[key]
    return tree


def forged(value: Any, rng: random.Random) -> Any:
    """Another value in place of one: of another type, length or size."""
    if isinstance(value, np.ndarray):
        other = value.copy()
        choice = rng.randrange(7)
        if choice == 0:
            return other[: len(other) // 2]
        if choice == 1:
            return np.concatenate((other, other[:1], other[:1]))
        if choice == 2:
            return other.astype(np.int64 if other.dtype != np.int64 else np.float64)
        if choice == 3:
            return other.reshape(-1, 1) if other.ndim == 1 else other.reshape(-1)
        if choice == 4 and other.size:
            big: Any = {"f": [np.nan, np.inf, 1e308, -1.0], "b": [True]}.get(other.dtype.kind)
            other.flat[rng.randrange(other.size)] = rng.choice(big or [np.iinfo(other.dtype).max, 77, 0])
            return other
        if choice == 5:
            return other[::-1].copy()
        return None
    others: list[Any] = [None, -1, 2**40, 1.5, float("nan"), "x", [], (), {}, True, np.zeros(3), Fraction(1, 3)]
    if isinstance(value, list | tuple) and value:
        others += [value[:-1], type(value)((*value, value[0]))]
    if isinstance(value, dict) and value:
        others.append(dict(list(value.items())[1:]))
    return rng.choice(others)


def forge(rounds: int, seed: int) -> tuple[int, int]:
    """So many forged snapshots restored; how many were refused, and how many were not."""
    rng = random.Random(seed)
    world = WholeWorld(60)
    world.save_plain()
    assert world.physics.fixed_step is not None
    world.physics.fixed_step.interpolated("x")
    world.step(8)
    tree = decode(world.physics.snapshot().to_bytes())
    world.step(2)
    before, digest = world.physics.snapshot(), world.physics.digest()
    paths = paths_in(tree)
    # Alike ones count once, so that the few are met among the many.
    kinds: dict[Any, list[Path]] = {}
    for path in paths:
        # What a plain component keeps is its game's to check.
        if path[:1] == ("objects",) and len(path) > 2 and tree["objects"][path[1]][0].endswith(("Brain", "TileMap")):
            continue
        kinds.setdefault(tuple("#" if isinstance(key, int) else key for key in path), []).append(path)
    refused = passed = 0
    for _ in range(rounds):
        path = rng.choice(rng.choice(list(kinds.values())))
        try:
            data = encode(replaced(tree, path, forged(at(tree, path), rng)))
        except TypeError:
            continue
        message = restored(world.physics, data)
        assert "snapshot" in message, (path, message)
        if message == ACCEPTED:
            passed += 1
            step(world.physics, path)
            world.physics.restore(before)
        else:
            refused += 1
        assert world.physics.digest() == digest, path
    return refused, passed


ACCEPTED = "a snapshot that can be"


def restored(physics: ecsphys.Physics, data: bytes) -> str:
    """What a restore from bytes says."""
    try:
        physics.restore(ecsphys.types.Snapshot.from_bytes(data))
    except ValueError as error:
        return str(error)
    return ACCEPTED


def step(physics: ecsphys.Physics, path: Path) -> None:
    try:
        esper.process(DT)
    except ValueError:
        return  # as for values that a game has written itself
    except Exception as error:
        raise AssertionError(path) from error
    physics.digest()


def test_forged_bytes_change_nothing_or_make_a_world_that_goes_on() -> None:
    refused, passed = forge(40, seed=5)
    assert refused > passed


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("physics", "tables", "moved", "slots"),
            np.array([9_999], np.int32),
            "moved.slots must be from 0 to .*, got 9999",
        ),
        (("physics", "tables", "contacts", "pairs"), np.zeros((1, 2), np.int32), r"contacts\."),
        (("physics", "colliders"), 3, "moved.slots must be from 0 to 2, got 3|births has"),
        (("physics", "tables", "values", "dt"), np.array([np.nan]), r"values.dt must be from 0.0 to 1e\+300, got nan"),
        (("physics", "tables", "values", "clock"), np.array([-1.0]), "values.clock must be from .* got -1.0"),
        (("bare",), [0], "bare has the entity 0"),
        (("objects", 3, 2), [[(0, 1), (0, 1)]], "a part that is in two compounds"),
        (("objects", 3, 2), [[(0, 1), (0, 2)]], "a part that does not exist"),
        (("systems", 2, 2), (1, 2), "fixed step is"),
    ],
)
def test_what_is_forged_is_named(path: Path, value: Any, message: str) -> None:
    world = WholeWorld(60)
    world.save_plain()
    saved = world.physics.snapshot()
    digest = world.physics.digest()
    data = encode(replaced(decode(saved.to_bytes()), path, value))
    with pytest.raises(ValueError, match=message):
        world.physics.restore(ecsphys.types.Snapshot.from_bytes(data))
    assert world.physics.digest() == digest

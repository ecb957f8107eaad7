"""Kernels that mix arrays into digests have the same numbers as their forms in numpy."""

from __future__ import annotations

import numpy as np
import plain_mixing

from ecsphys.engine.tables import row_copies
from ecsphys.systems.hits.step_hits import ContactBuffer

_MASK = (1 << 64) - 1


def test_kernels_mix_as_numpy_does() -> None:
    rng = np.random.default_rng(2)
    block = rng.normal(size=(3, 40))
    block[0, :4] = np.nan, -np.nan, -0.0, np.inf
    words, rows = block.view(np.int64), rng.permutation(40).astype(np.int32)
    assert row_copies.mix_floats(words, rows) & _MASK == plain_mixing.mix_floats(words, rows)
    for are_floats in (True, False):
        flat = words.reshape(-1)
        assert row_copies.mix_words(flat, are_floats) & _MASK == plain_mixing.mix_words(flat, are_floats)
    for has_points in (False, True):
        hits, points = ContactBuffer(30, has_points).table
        for array in (*hits, *points):
            array[...] = rng.integers(-1 if array.dtype.kind == "i" else 0, 90, array.shape)
        normal, depth, impulses = (array.view(np.int64) for array in (hits.normal, hits.depth, points.impulses))
        compiled = row_copies.mix_contacts(hits, normal, depth, impulses, 25) & _MASK
        assert compiled == plain_mixing.mix_contacts(hits, normal, depth, impulses, 25)


def test_all_nan_are_one_and_zeros_are_two() -> None:
    numbers = np.array([[np.nan], [-np.nan], [0.0], [-0.0]]).view(np.int64)
    found = [plain_mixing.mix_words(number, True) for number in numbers]
    assert found[0] == found[1]
    assert len(set(found)) == 3

"""Collision layers as a table of switches: which of four may hit which."""

from __future__ import annotations

import numpy as np
from numpy import bool_, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import CollisionFilter
from ecsphys.demo.scenes.rigid.tint import COOL, WARM
from ecsphys.demo.scenes.sketch import Color

LAYERS = 4
COLORS: tuple[Color, ...] = (WARM[0], WARM[2], COOL[2], COOL[0])
"""Of the layers' bodies."""
_GROUND = 1
"""The layer of what has no filter, which all may hit."""


class Layers:
    """Filters of bodies in one of four layers, and the switches that change those of all bodies at once."""

    def __init__(self) -> None:
        self.table: NDArray[bool_] = np.ones((LAYERS, LAYERS), bool)
        """Symmetric: whether two layers hit."""

    def bits(self, layer: NDArray[int64]) -> NDArray[int64]:
        """``CollisionFilter.layers`` of bodies in these layers."""
        found: NDArray[int64] = 2 << layer
        return found

    def masks(self, layer: NDArray[int64]) -> NDArray[int64]:
        """``CollisionFilter.mask`` of bodies in these layers."""
        each = _GROUND + self.table @ self.bits(np.arange(LAYERS))
        found: NDArray[int64] = each[layer]
        return found

    def switch(self, a: int, b: int) -> None:
        """Let two layers hit if they do not, and the other way round; changes the bodies of the current world."""
        self.table[a, b] = self.table[b, a] = not self.table[a, b]
        _, rows = ecsphys.join(CollisionFilter)
        layer = np.log2(CollisionFilter.column("layers", writable=False)[rows]).astype(int64) - 1
        CollisionFilter.column("mask")[rows] = self.masks(layer)

"""Arrays that a sweep of bullets fills, kept from step to step."""

from __future__ import annotations

import numpy as np
from numpy import int32, uint8

from ecsphys.engine.ccd.bullet_sweep import IMPACT_COLUMNS
from ecsphys.engine.geometry.sweep_motion import MOTION_COLUMNS
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS


class ShapeBuffer:
    """The shapes that take part in a sweep."""

    def __init__(self, capacity: int) -> None:
        self.forms = np.zeros(capacity, uint8)
        self.positions = np.zeros((capacity, 2))
        self.shapes = np.zeros((capacity, SHAPE_COLUMNS))
        self.motions = np.zeros((capacity, MOTION_COLUMNS))


class PairBuffer:
    """Scratch space for the pairs of a sweep."""

    def __init__(self, capacity: int) -> None:
        self.links = np.zeros(2 * capacity, int32)
        self.queue = np.zeros(capacity, int32)
        self.places = np.zeros(capacity, int32)
        self.pending = np.zeros((capacity, IMPACT_COLUMNS))
        self.touched = np.zeros(capacity, uint8)
        self.impacts = np.zeros((capacity, IMPACT_COLUMNS))

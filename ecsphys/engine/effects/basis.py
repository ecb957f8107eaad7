"""Turning and scaling without trigonometry, by basis vectors (D1, D2).

A picture point (x, y) in a frame with the forward vector i′ and the side vector j′ lies at x·i′ + y·j′. With j′ equal
to i′ turned a quarter, (−i′_y, i′_x), the frame is turned and scaled as i′ is, and nothing is sheared: for a unit i′ =
(cos θ, sin θ) the two columns are the rotation matrix. An origin is added afterwards, so any point can be the one
everything turns about.
"""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.math.elementwise import lengths_of

Vectors = NDArray[float64]


def quarter_turned(vectors: Vectors) -> Vectors:
    """Vectors (…, 2) turned counter-clockwise by a quarter: (x, y) becomes (−y, x), exactly."""
    turned = np.empty_like(vectors)
    np.negative(vectors[..., 1], out=turned[..., 0])
    turned[..., 1] = vectors[..., 0]
    return turned


def place(points: Vectors, forward: Vectors, origin: Vectors) -> Vectors:
    """Points (…, 2) of a frame in the world (D1, D2): origin + x·i′ + y·j′.

    ``forward`` (…, 2) is i′, the image of (1, 0): its direction turns, its length scales. ``origin`` (…, 2) is the
    image of (0, 0). All three broadcast.
    """
    result: Vectors = origin + points[..., :1] * forward + points[..., 1:] * quarter_turned(forward)
    return result


def turn_about(points: Vectors, forward: Vectors, centre: Vectors) -> Vectors:
    """Points (…, 2) of the world turned and scaled about any point, which stays where it is (D2)."""
    return place(points - centre, forward, centre)


def unit(vectors: Vectors) -> tuple[Vectors, NDArray[float64]]:
    """Directions (…, 2) and lengths (…) of vectors; a zero vector points along (1, 0).

    Scaled by the larger component first, so that neither squares overflow nor tiny vectors vanish.
    """
    largest = np.abs(vectors).max(axis=-1)
    scaled = vectors / np.where(largest > 0.0, largest, 1.0)[..., None]
    lengths = lengths_of(scaled[..., 0], scaled[..., 1])
    directions = scaled / np.where(lengths > 0.0, lengths, 1.0)[..., None]
    directions[..., 0] = np.where(lengths > 0.0, directions[..., 0], 1.0)
    return directions, lengths * largest

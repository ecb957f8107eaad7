"""Rings of light (D5): n quads between an inner and an outer circle, and texture coordinates that do not smear.

Why plain coordinates smear
---------------------------
A quad of the ring is a trapezoid: its outer side is longer than its inner one, in the ratio of the radii, and at inner
radius 0 it is a triangle. Drawn as two triangles with (u, v) at the corners, the coordinates are affine in each: in
one du is spread over the outer side, in the other over the inner side, so that lines of equal u, which should be
radii, break at the diagonal. The thinner the quad the longer the diagonal runs along the light, and at inner radius 0
one of the triangles is gone, with half of the picture.

One thing is right everywhere: on the trapezoid, t = u − u_middle is proportional to the distance from the quad's axis
divided by the distance q from the ring's centre along that axis. q is affine in the position, and so is t·q, hence
also u·q; so interpolate (u·q, q) and divide for each pixel: u = (u·q)/q, with q of a vertex its radius. v, from 0 at
the inner to 1 at the outer circle, is affine itself and must *not* be divided: a full projective mapping would pull
the bright middle of the picture inwards. A renderer without a q uses (u, v) as they are; as u runs on round the whole
ring, and does not start again in each quad, it is off by at most one quad's share of a lap.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.effects.strip import interleaved, strip_coordinates
from ecsphys.engine.math.elementwise import cos_sin_of

FEWEST_QUADS: Final = 16
MOST_QUADS: Final = 1024


def ring_quads(radius: NDArray[float64], segment_length: NDArray[float64]) -> NDArray[int64]:
    """Numbers of quads (k,) of rings (D5): as many as make none longer than its segment length, 16 to 1,024."""
    with np.errstate(over="ignore"):
        wanted = np.ceil(2.0 * np.pi * radius / segment_length)
    return np.clip(wanted, FEWEST_QUADS, MOST_QUADS).astype(int64)


def ring_strips(
    centre: NDArray[float64], radius: NDArray[float64], width: NDArray[float64], quads: NDArray[int64]
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """Vertices (n, 2), texture coordinates (n, 2) and q (n,) of k rings, each a strip of quads + 1 rungs (D5).

    ``centre`` (k, 2), ``radius``, ``width`` and ``quads`` (k,). The strip runs clockwise, from +x, so that its left is
    the outside: v = 0 on the inner radius max(0, r − w/2), 1 on the outer, r + w/2. u runs from 0 to 1 once round; the
    last rung lies exactly where the first does. q is the vertex's radius over the outer radius.
    """
    rungs = quads + 1
    ring = np.repeat(np.arange(quads.size), rungs)
    number = np.arange(ring.size) - (np.cumsum(rungs) - rungs)[ring]
    angle = -2.0 * np.pi * (number % quads[ring]) / quads[ring]
    direction = np.column_stack(cos_sin_of(angle))
    outer = radius + 0.5 * width
    inner = np.maximum(0.0, radius - 0.5 * width)
    vertices = interleaved(centre[ring] + outer[ring, None] * direction, centre[ring] + inner[ring, None] * direction)
    weights = np.column_stack((np.ones(quads.size), inner / outer))
    return vertices, strip_coordinates(number / quads[ring]), weights[ring].reshape(-1)

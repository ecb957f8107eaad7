"""Many copies of one figure, each moved, turned and faded: all in one array."""

from __future__ import annotations

import numpy as np
from numpy import float32, float64
from numpy.typing import NDArray

from ecsphys.demo.game.paint import Amount, Block, Paint


def paint_copies(
    brush: Paint, figure: Block, x: NDArray[float64], y: NDArray[float64], angle: NDArray[float64], alpha: Amount = 1.0
) -> None:
    """Paint a figure around (0, 0) at k poses (k,), with one alpha for all or one for each."""
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    across, up = figure.points.T
    points = np.empty((len(x), len(across), 2))
    np.add(c * across - s * up, x[:, None], out=points[..., 0])
    np.add(s * across + c * up, y[:, None], out=points[..., 1])
    fade = np.broadcast_to(np.asarray(alpha, float32), x.shape)[:, None, None]
    brush.triangles(points.reshape(-1, 2), (figure.tints * fade).reshape(-1, 4))

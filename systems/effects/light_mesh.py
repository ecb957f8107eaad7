"""``LightMesh``: the arrays that a renderer needs to draw one kind of light."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.effects.strip import strip_triangles


@dataclass(frozen=True, slots=True, eq=False)
class LightMesh:
    """The vertices of all light of one kind, entity after entity, as triangle strips.

    Attributes
    ----------
    positions
        (n, 2) float64, in the world: left and right end of each rung in turn, along the strip.
    texture_coordinates
        (n, 2) float64, (u, v): u along the light, v across it, 0 on its right and 1 on its left.
    texture_q
        (n,) float64. For exact texture coordinates, interpolate u·q, v and q, and divide for each pixel: (u·q/q, v). It
        is 1 except for rings. You may ignore it if a slight bend of the picture in each quad is acceptable.
    triangles
        (m, 3) int32, vertex indices, counter-clockwise.
    entity
        (k,) int64, the entities, sorted.
    first_vertex
        (k + 1,) int64: the vertices of entity i are ``first_vertex[i]:first_vertex[i + 1]``.
    """

    positions: NDArray[float64]
    texture_coordinates: NDArray[float64]
    texture_q: NDArray[float64]
    triangles: NDArray[int32]
    entity: NDArray[int64]
    first_vertex: NDArray[int64]


def mesh_of(
    entity: NDArray[int64],
    rungs: NDArray[int64],
    positions: NDArray[float64],
    texture_coordinates: NDArray[float64],
    texture_q: NDArray[float64] | None = None,
) -> LightMesh:
    """The mesh of strips with the given numbers of rungs (k,), one for each entity."""
    first_vertex = np.zeros(entity.size + 1, int64)
    np.cumsum(2 * rungs, out=first_vertex[1:])
    q = np.ones(len(positions)) if texture_q is None else texture_q
    return LightMesh(positions, texture_coordinates, q, strip_triangles(rungs), entity, first_vertex)

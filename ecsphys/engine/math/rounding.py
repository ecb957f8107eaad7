"""How far rounding can put a separation off: the one tolerance of the pair geometry.

A separation f(n) = h_A(n) + h_B(−n) is computed from vertices and normals of two placed hulls. With u = 2⁻⁵³, the
shapes' extents r_a and r_b, and the offset d between their centres, no number in it exceeds S = r_a + |d| + r_b. To
turn and move a vertex costs up to 5u of its coordinates, normals are off by up to 4u, dot products by 2u, the last sum
by u: about 12u · S in all, and in practice a quarter of that.

With L the largest of r_a + r_b, |d_x| and |d_y|, S ≤ (1 + √2) L. So f is off by less than 29u · L < 2 · TOUCHING · L.
"""

from __future__ import annotations

from ecsphys.engine.kernels.compilation import scalar

# Depths up to this part of the shapes' size cannot be told from touching, which is no contact.
TOUCHING = 8.0 * 2.0**-52


@scalar
def rounding_slop(size_a: float, size_b: float, x: float, y: float) -> float:
    """The rounding error to reckon with in separations of hulls with these extents, the second at (x, y) from the
    first; at the very most, it is twice as much.
    """
    return TOUCHING * max(size_a + size_b, abs(x), abs(y))

"""The plain twin of ``find_contacts``."""

from __future__ import annotations

from numpy import int32

from ecsphys.engine.kernels import Int32Rows, kernel, scratch
from ecsphys.engine.manifold.contact import (
    CHOSEN_SHAPE,
    KINDS,
    LISTED,
    NUMBERS_SHAPE,
    ContactRows,
    PairBlocks,
    contacts_in_blocks,
)
from ecsphys.engine.manifold.convex import HULLS_SHAPE
from ecsphys.engine.shapes.layout import ShapeArrays

_new_hulls = scratch(HULLS_SHAPE)
_new_numbers = scratch(NUMBERS_SHAPE)
_new_chosen = scratch(CHOSEN_SHAPE, int32)
_new_counts = scratch(KINDS, int32)
_new_list = scratch(LISTED, int32)


@kernel
def find_one_by_one(
    pairs: Int32Rows, placed: ShapeArrays, prediction: float, found: ContactRows, first_row: int
) -> int:
    """Contacts of pairs, one after the other."""
    blocks = PairBlocks(_new_numbers(), _new_chosen(), _new_counts(), _new_list())
    return contacts_in_blocks(pairs, placed, prediction, blocks, _new_hulls(), found, first_row, 0)

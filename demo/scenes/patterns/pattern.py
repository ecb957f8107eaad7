"""``Pattern``: the look of an entity's surface."""

from __future__ import annotations

import ecsphys

WOOD, CRATE, BRICK, ROCK, METAL, RUBBER, DOMINO, TOY, DOLL = range(1, 10)
"""The kinds of patterns.

A ``TOY`` has a face that looks where it goes. A ``DOLL`` has one too, with crosses for eyes when it lies still.
"""

FACES = (TOY, DOLL)


class Pattern(ecsphys.Component):
    """The pattern of all colliders of an entity, one of the kinds of this module."""

    kind: int

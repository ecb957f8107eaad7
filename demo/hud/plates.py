"""Dark plates behind text: where two overlap, the picture is as dark as behind one."""

from __future__ import annotations

from collections.abc import Iterable

from ecsphys.demo.scenes.scene import Box


def apart(plates: Iterable[Box]) -> list[Box]:
    """Boxes that cover the same pixels as ``plates`` do, each pixel once."""
    found: list[Box] = []
    for plate in plates:
        pieces = [plate]
        for other in found:
            pieces = [rest for piece in pieces for rest in _without(piece, other)]
        found += pieces
    return found


def _without(box: Box, hole: Box) -> list[Box]:
    """What a hole leaves of a box: up to four boxes, those below and above as wide as the box."""
    left, bottom, right, top = box
    low, high = max(bottom, hole[1]), min(top, hole[3])
    first, last = max(left, hole[0]), min(right, hole[2])
    if low >= high or first >= last:
        return [box]
    rests = (left, bottom, right, low), (left, high, right, top), (left, low, first, high), (last, low, right, high)
    return [rest for rest in rests if rest[0] < rest[2] and rest[1] < rest[3]]

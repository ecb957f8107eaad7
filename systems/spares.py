"""Objects that are kept for the next call that needs one: buffers, most of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Spare = TypeVar("Spare")


class Spares(Generic[Spare]):
    """Objects of one kind that no call uses.

    Each call takes one of its own, and gives it back: neither two threads, nor a call in the middle of another, ever
    have the same. To take and to give back are single calls of a list, which no thread can part. Where an error comes
    in between, it is not given back, and another one is made in its place.
    """

    __slots__ = ("_kept", "_make", "give_back")

    def __init__(self, make: Callable[[], Spare]) -> None:
        self._make = make
        self._kept: list[Spare] = []
        self.give_back = self._kept.append

    def take(self) -> Spare:
        """An object that is the caller's until it is given back."""
        try:
            return self._kept.pop()
        except IndexError:
            return self._make()

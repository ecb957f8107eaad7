"""Numbers of a live scene that can be changed while it plays, and numbers to read off it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


def with_minus(text: str) -> str:
    """A text whose negative numbers have a sign as long as a plus, not a hyphen."""
    return re.sub(r"-(?=\d)", "−", text)


@dataclass(frozen=True)
class Parameter:
    """A number with a name, read and written by two functions, changed among ``choices`` in their order."""

    name: str
    get: Callable[[], float]
    put: Callable[[float], None]
    choices: Sequence[float]
    form: str = "{:g}"

    @property
    def nearest(self) -> int:
        """The index of the choice that is nearest to the value."""
        value = self.get()
        return min(range(len(self.choices)), key=lambda index: abs(self.choices[index] - value))

    def change(self, turn: int) -> None:
        """Take the next choice up (``turn`` 1) or down (−1), none beyond the ends."""
        self.put(self.choices[min(max(self.nearest + turn, 0), len(self.choices) - 1)])

    def __str__(self) -> str:
        return with_minus(self.form.format(self.get()))


@dataclass(frozen=True)
class Reading:
    """A text that a scene measures of itself."""

    name: str
    get: Callable[[], str]


def option(name: str, get: Callable[[], str], put: Callable[[str], None], names: Sequence[str]) -> Parameter:
    """A parameter whose values are names."""
    return NamedParameter(
        name,
        lambda: float(names.index(get())),
        lambda index: put(names[round(index)]),
        [float(index) for index in range(len(names))],
        names=tuple(names),
    )


@dataclass(frozen=True)
class NamedParameter(Parameter):
    """A parameter that shows a name for each of its choices."""

    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.names[round(self.get())]

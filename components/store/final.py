"""Final component classes: systems find components by their exact class, so a subclass would do nothing."""

from __future__ import annotations

from typing import Any


def refuse_final_bases(name: str, bases: tuple[type, ...]) -> None:
    """Raise TypeError if the class of a name would derive from a final class."""
    for base in bases:
        if base.__dict__.get("__final__"):
            raise TypeError(
                f"{base.__name__} is final, so {name} cannot be a subclass: systems find components by their"
                " exact class."
                f" Put the data of {name} into a component of its own"
            )


class FinalBase:
    """Base of components that are plain classes: together with ``@final`` it refuses subclasses, as columns do."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        refuse_final_bases(cls.__name__, cls.__bases__)
        super().__init_subclass__(**options)

"""Records: numbers and arrays that Python and kernels read and write by the same names, in one piece of memory.

A record is declared once::

    class Clock(Numbers):
        time: float
        steps: int

    class World(Record):
        clock: Clock
        bodies: BodyRows        # a packed bundle, see ecsphys.engine.kernels.bundles

    @kernel
    def tick(world: World) -> int:
        world.clock.steps += 1
        world.bodies.x[0] = world.clock.time
        return 0

Python writes ``world.clock.time = 0.5`` and ``world.bodies = BodyRows(...)``. A kernel gets one number, the address of
the record. What it reads there is the number itself, or the address and shape of the array. So an array that grows is
replaced in one place, and all kernels see the new one.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, get_type_hints

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.bundles import address_of, is_packed, word_count_of


class Numbers:
    """Base of the single numbers of a record: each annotated field is an ``int`` or a ``float`` of 8 bytes."""

    __slots__ = ("_floats", "_ints")

    fields: ClassVar[tuple[tuple[str, type], ...]]

    def __init_subclass__(cls) -> None:
        cls.fields = tuple((name, kind) for name, kind in get_type_hints(cls).items() if kind in (int, float))
        for place, (name, kind) in enumerate(cls.fields):
            setattr(cls, name, _number(place, kind is float))

    def __init__(self, words: NDArray[int64]) -> None:
        self._ints = memoryview(words)
        self._floats = memoryview(words.view(float64))


def _number(place: int, is_float: bool) -> property:
    """The field at a place: a number of Python, in and out."""
    if is_float:

        def read(numbers: Numbers) -> Any:
            return numbers._floats[place]

        def write(numbers: Numbers, value: Any) -> None:
            numbers._floats[place] = value
    else:

        def read(numbers: Numbers) -> Any:
            return numbers._ints[place]

        def write(numbers: Numbers, value: Any) -> None:
            numbers._ints[place] = value

    return property(read, write)


class Section(NamedTuple):
    """A field of a record: ``Numbers`` or a packed bundle, and its first word."""

    kind: type[Any]
    first: int

    @property
    def has_numbers(self) -> bool:
        return issubclass(self.kind, Numbers)

    @property
    def size(self) -> int:
        """Words: one for each number; one for the address of each array and one for each of its dimensions."""
        return len(self.kind.fields) if self.has_numbers else word_count_of(self.kind)


class Record:
    """Base of records: each annotated field is a section, a class of :class:`Numbers` or a packed bundle of arrays.

    ``address`` is what kernels take the record as. It stays the same as long as the record lives.
    """

    sections: ClassVar[dict[str, Section]] = {}
    size: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        cls.sections, cls.size = {}, 0
        for name, kind in get_type_hints(cls).items():
            if isinstance(kind, type) and (issubclass(kind, Numbers) or is_packed(kind)):
                section = cls.sections[name] = Section(kind, cls.size)
                cls.size += section.size
                if not section.has_numbers:
                    setattr(cls, name, _arrays(name, section))

    def __init__(self) -> None:
        self._words = np.zeros(self.size, int64)
        self.address = address_of(self._words)
        # Both the arrays that kernels see, and those that they are about to see: an interrupt may come in between.
        self._arrays: dict[str, Any] = {}
        self._coming: dict[str, Any] = {}
        self.in_rows = _RecordInRows(self)
        for name, (kind, first) in self.sections.items():
            if issubclass(kind, Numbers):
                numbers = kind(self._words[first : first + len(kind.fields)])
                setattr(self, name, numbers)
                setattr(self.in_rows, name, numbers)


def _arrays(name: str, section: Section) -> property:
    """The bundle of a section; one that is assigned is seen by all kernels from then on."""
    first, end = section.first, section.first + section.size

    def read(record: Record) -> Any:
        return record._arrays[name]

    def write(record: Record, bundle: Any) -> None:
        if record._arrays.get(name) is not bundle:
            addresses = bundle.addresses
            record._coming[name] = bundle
            record._words[first:end] = addresses
            record._arrays[name] = bundle

    return property(read, write)


class _RecordInRows:
    """A record as kernels have it that run as plain Python: arrays are in rows."""

    def __init__(self, record: Record) -> None:
        self._of = record._arrays

    def __getattr__(self, name: str) -> Any:
        return self._of[name].in_rows


def is_record(annotation: Any) -> bool:
    """Whether a type is a class of records."""
    return isinstance(annotation, type) and issubclass(annotation, Record)

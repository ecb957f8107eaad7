"""Which joints a world has, in the order in which they are solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.dynamics.joints import JOINT_CLASSES, Joint
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.systems.dynamics.joints.joint_reading import refuse_bad_joints

# The class whose joints are solved after all others, as they hold joints.
GEAR: Final = len(JOINT_CLASSES) - 1

NO_PLACES: Final[NDArray[int64]] = np.zeros(0, int64)

# More than any row of a class.
_ROW_BITS: Final = 32


class ListedJoints(NamedTuple):
    """Joints by the entities that carry them, gears last: the entity (n,) that carries each, the number of its class,
    its row, and the two entities (n, 2) that it names. The instances keep their rows from being given away.
    """

    owner: NDArray[int64]
    number: NDArray[int64]
    row: NDArray[int32]
    entity: NDArray[int64]
    instances: list[Joint]

    @property
    def key(self) -> NDArray[int64]:
        """A number for each instance."""
        key: NDArray[int64] = self.number << _ROW_BITS | self.row
        return key

    def by_class(self, places: NDArray[int64]) -> Iterator[tuple[type[Joint], NDArray[int64], NDArray[int32]]]:
        """Each class of the joints at some ``places``, with the places and rows of its own."""
        numbers = self.number[places]
        for number in _classes_in(numbers):
            of_class = places[numbers == number]
            yield JOINT_CLASSES[number], of_class, self.row[of_class]

    def without(self, places: NDArray[int64]) -> NDArray[int64]:
        """The places of all other joints."""
        return np.setdiff1d(np.arange(len(self.owner)), places)


# The classes of so few joints are found faster in Python.
_FEW: Final = 16

NO_JOINTS: Final = ListedJoints(NO_PLACES, NO_PLACES, np.zeros(0, int32), np.zeros((0, 2), int64), [])


class JointsOfClass(NamedTuple):
    """The joints of one class in a list: the number of the class, their places (k,) and their rows (k,), both also as
    slices where there are no gaps; and for each row of the class the place of its joint, −1 for none."""

    number: int
    places: NDArray[int64]
    row: NDArray[int32]
    at_places: NDArray[int64] | slice
    at_rows: NDArray[int32] | slice
    place_of: NDArray[int64]

    def places_of(self, rows: NDArray[int64]) -> NDArray[int64]:
        """The places of the joints in some rows of the class, each once."""
        places = self.place_of[rows[rows < self.place_of.size]]
        return np.unique(places[places >= 0]) if places.size > 1 else places[places >= 0]

    def places_of_few(self, rows: tuple[int, ...]) -> list[int]:
        """As :meth:`places_of`, for a few rows that differ."""
        place_of = self.place_of
        places = [place_of.item(row) for row in rows if row < place_of.size]
        return sorted(place for place in places if place >= 0)


def list_joints(found: tuple[ComponentRows, ...]) -> ListedJoints:
    """The joints of the rows ``found``, of one class after the other; ValueError for bad values."""
    owner = np.concatenate([rows.entity for rows in found])
    row = np.concatenate([rows.row for rows in found])
    number = np.repeat(np.arange(len(found)), [len(rows) for rows in found])
    instances: list[Any] = [instance for rows in found for instance in rows.instances]
    order = np.lexsort((number, owner, number == GEAR))
    number, row = number[order], row[order]
    listed = ListedJoints(
        owner[order], number, row, entities_named(number, row), [instances[k] for k in order.tolist()]
    )
    refuse_bad_values_of(listed, np.arange(len(owner)))
    return listed


def refuse_bad_values_of(listed: ListedJoints, places: NDArray[int64]) -> None:
    """Raise ValueError, naming entity and field, if a joint at one of these places is bad."""
    for cls, of_class, row in listed.by_class(places):
        refuse_bad_joints(cls, listed.owner[of_class], row)


def _classes_in(numbers: NDArray[int64]) -> list[int]:
    """The different numbers of classes, ascending."""
    found: list[int] = np.unique(numbers).tolist() if numbers.size > _FEW else sorted(set(numbers.tolist()))
    return found


def entities_named(number: NDArray[int64], row: NDArray[int32]) -> NDArray[int64]:
    """The entities (n, 2) that joints, by their classes and rows, name now."""
    named = np.empty((len(row), 2), int64)
    for one in _classes_in(number):
        is_meant = number == one
        store = JOINT_CLASSES[one]._columns
        for side, name in enumerate(("entity_a", "entity_b")):
            named[is_meant, side] = store.row_of_block(name)[row[is_meant]]
    return named


def same_joints(before: ListedJoints, now: ListedJoints) -> tuple[NDArray[int64], NDArray[int64]]:
    """The places of the joints that are in both lists, with the same owner and the same ends."""
    _, old, new = np.intersect1d(before.key, now.key, assume_unique=True, return_indices=True)
    is_same = (before.owner[old] == now.owner[new]) & (before.entity[old] == now.entity[new]).all(axis=1)
    return old[is_same], new[is_same]


def joints_of_classes(listed: ListedJoints) -> tuple[JointsOfClass, ...]:
    """All joints of a list, class by class."""
    found = []
    for number in np.unique(listed.number).tolist():
        places = np.flatnonzero(listed.number == number)
        rows = listed.row[places]
        place_of = np.full(int(rows.max()) + 1, -1, int64)
        place_of[rows] = places
        found.append(JointsOfClass(number, places, rows, _as_slice(places), _as_slice(rows), place_of))
    return tuple(found)


def _as_slice(numbers: NDArray[Any]) -> NDArray[Any] | slice:
    """Numbers (k,), k ≥ 1, as a slice where each is one more than the last."""
    first = int(numbers[0])
    return slice(first, first + len(numbers)) if (np.diff(numbers) == 1).all() else numbers

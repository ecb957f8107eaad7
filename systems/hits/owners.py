"""``Owners``: which entities have the components that a game asks hits by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import bool_, int64
from numpy.typing import NDArray

from ecsphys.components.store.component_table import NOT_READ, Reading, changes_since, classes_changed, entities_with
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

_NONE: frozenset[int] = frozenset()


class _Known:
    """The owners of one class when the last step's hits were found, and the step before."""

    __slots__ = ("before", "last")

    def __init__(self, cls: type[Any]) -> None:
        self.before = self.last = frozenset(entities_with(cls))


class Owners:
    """The owners of the classes that were asked for, now and as of the hits that ended.

    esper forgets the components of an entity when the entity is deleted. So from the first question about a class on,
    its owners are noted in each step in which they have changed.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._known: dict[type[Any], _Known] = {}
        # The classes of these, and how far the changes of each were read, as of the last note.
        self._classes: list[type[Any]] = []
        self._readings: list[Reading] = []

    def refuse_other_world(self) -> None:
        """RuntimeError in another world than the physics'."""
        refuse_other_world(self._state.world)

    def note(self) -> None:
        """Note the owners of all classes asked for, at the end of a narrowphase."""
        if len(self._classes) != len(self._known):
            # Last: where this is cut short, it is done again.
            self._readings = [NOT_READ] * len(self._known)
            self._classes = list(self._known)
        for known in self._known.values():
            known.before = known.last
        for number in classes_changed(self._classes, self._readings):
            cls = self._classes[number]
            self._readings[number], changed = changes_since(cls, self._readings[number])
            # A class without owners, asked for the first time, has no changes either.
            if changed != set():
                self._known[cls].last = frozenset(entities_with(cls))

    def take_state(self) -> dict[type[Any], tuple[frozenset[int], frozenset[int]]]:
        """The noted owners of all classes."""
        return {cls: (known.before, known.last) for cls, known in self._known.items()}

    def put_state(self, state: dict[type[Any], tuple[frozenset[int], frozenset[int]]]) -> None:
        """Take what :meth:`take_state` once returned."""
        # All are read again at the next note.
        self._classes = []
        for cls, (before, last) in state.items():
            known = self._known.setdefault(cls, _Known(cls))
            known.before, known.last = before, last

    def know(self, *classes: type[Any]) -> None:
        """Note the owners of some classes from now on. RuntimeError in another world than the physics'."""
        self.refuse_other_world()
        for cls in classes:
            if cls not in self._known:
                self._known[cls] = _Known(cls)

    def are_none(self, first: type[Any], second: type[Any], are_ended: bool) -> bool:
        """Whether one of two classes has no owner now; for hits that ended, none either before. Both are noted from now
        on. RuntimeError in another world than the physics'."""
        self.know(first, second)
        known = self._known
        return (not entities_with(first) and not (are_ended and known[first].before)) or (
            not entities_with(second) and not (are_ended and known[second].before)
        )

    def have(self, cls: type[Any], entities: NDArray[int64], are_ended: bool) -> NDArray[bool_]:
        """Which of some entities (n,) have a component of a class; of hits that ended, also which had it then.

        RuntimeError in another world than the physics'.
        """
        self.know(cls)
        known, owners = self._known[cls], entities_with(cls)
        had = known.before if are_ended else _NONE
        numbers = entities.tolist()
        return np.fromiter((number in owners or number in had for number in numbers), bool_, len(numbers))

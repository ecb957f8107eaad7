"""The entities of a world that have components of some classes, and the rows of these. Only changes are read.

For each class, esper keeps the set of the entities that have it. esper does not record changes: its queries start again
after every change, and reading 10,000 components again costs more than a frame. So a :class:`ComponentTable` replaces
this set when the rows of the class are first asked for. It is the same set, but it notes the entities that are
added and discarded. It lives as long as esper's world.

``esper._components``, where the sets are, is private, as is ``esper._dead_entities``. Only this module, ``many.py``
and the snapshots use them. If an unknown version of esper does not use the sets (:func:`tells_tables`), everything is
read again after each change, which is slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress
from operator import is_
from typing import Any, Final, TypeVar, overload
from weakref import ReferenceType, ref

import esper
import numpy as np
from numpy import bool_, int32, int64, object_
from numpy.typing import NDArray

from ecsphys.components.store.change_log import EntityLog
from ecsphys.components.store.column import as_array, show
from ecsphys.components.store.component import Component

Instances = NDArray[object_] | list[Any]

_NOTHING: Final[dict[type[Any], Any]] = {}


class ComponentRows:
    """The components of one class in a world at some moment; it never changes.

    ``entity``
        (n,) int64, the entities, ascending.
    ``row``
        (n,) int32, the rows of their components; 0 for a plain class, which has no rows.
    ``instances``
        The n components. This object keeps them alive, so none of its rows is given to a new component. Compared with
        any later object, *equal row* therefore means *same instance*. It is an object array, but a list for a plain
        class: Python's garbage collector does not look into arrays, and a plain instance may lead back here (a listener
        refers to its function, and the function to the game).
    """

    def __init__(self, entity: NDArray[int64], row: NDArray[int32], instances: Instances) -> None:
        self.entity = entity
        self.row = row
        self.instances = instances

    def __len__(self) -> int:
        return int(self.entity.size)


NO_ROWS = ComponentRows(np.zeros(0, int64), np.zeros(0, int32), np.zeros(0, object_))
"""The components of a class that no entity has."""


class ComponentTable(set[int]):
    """The entities of one world that have a component of a class, as esper keeps them, and the rows of these.

    ``log`` has the entities that received, replaced or lost one.

    Each change has esper forget its answers first, as ``esper.clear_cache`` does: esper forgets them afterwards, and an
    interrupt in between would leave answers that are out of date.
    """

    def __init__(self, cls: type[Any], entities: Iterable[int]) -> None:
        super().__init__(entities)
        self._class = cls
        # Instances of a plain class may lead anywhere: they are kept alive only while their rows are in use.
        self._rows: ComponentRows | ReferenceType[ComponentRows] | None = None
        self._read_to = 0
        self.log = EntityLog()

    def add(self, entity: int) -> None:
        """Note an entity that receives a component; also one that had another before."""
        esper._cache_dirty = True
        # Noted first: where an interrupt parts the two, an entity is looked at in vain, not passed over for ever.
        self.log.note(entity)
        set.add(self, entity)

    def discard(self, entity: Any) -> None:
        """Note an entity that loses its component."""
        esper._cache_dirty = True
        self.log.note(entity)
        set.discard(self, entity)

    def update(self, *others: Iterable[int]) -> None:
        """Note many entities that receive a component."""
        esper._cache_dirty = True
        for entities in others:
            noted = list(entities)
            self.log.note_all(noted)
            set.update(self, noted)

    def difference_update(self, *others: Iterable[Any]) -> None:
        """Note many entities that lose their component."""
        esper._cache_dirty = True
        for entities in others:
            noted = self.intersection(entities)
            self.log.note_all(noted)
            set.difference_update(self, noted)

    def rows(self, of_any: bool = False) -> ComponentRows:
        """The rows as they are now: the very same object as before unless anything is different.

        To be called in the table's world only. ``TypeError`` naming the entity where an instance of another class is
        attached under this one, unless this is a plain one without fields, or ``of_any``.
        """
        held, revision = self._rows, self.log.revision
        kept = held() if isinstance(held, ReferenceType) else held
        if kept is not None and revision == self._read_to:
            return kept
        noted = self.log.since(self._read_to)
        if kept is None or noted is None:
            rows = self._read(NO_ROWS, sorted(self), of_any)
        else:
            rows = self._read(kept, sorted(set(noted)), of_any)
        self._rows = rows if issubclass(self._class, Component) else ref(rows)
        # Last: where this is cut short, the same is read again.
        self._read_to = revision
        return rows

    def adopt(self, rows: ComponentRows) -> None:
        """Take earlier rows for those as they are now, which they must be like."""
        self._rows = rows if issubclass(self._class, Component) else ref(rows)
        self._read_to = self.log.revision

    def _read(self, kept: ComponentRows, entities: list[int], of_any: bool) -> ComponentRows:
        """``kept``, with the present components of some entities, ascending."""
        found = components_of(entities, self._class)
        if not of_any:
            check_classes(self._class, entities, found)
        changed = np.array(entities, int64)
        places = np.searchsorted(kept.entity, changed)
        were_there = np.flatnonzero(kept.entity.take(places, mode="clip") == changed) if len(kept) else places[:0]
        before: list[Any] = [None] * len(found)
        for number, place in zip(were_there.tolist(), places[were_there].tolist(), strict=True):
            before[number] = kept.instances[place]
        if kept is not NO_ROWS and all(map(is_, before, found)):
            return kept
        stays: Any = slice(None)
        if were_there.size:
            stays = np.ones(len(kept), bool_)
            stays[places[were_there]] = False
        present = [one for one in found if one is not None]
        has_rows = issubclass(self._class, Component)
        rows = np.array([one._row if has_rows else 0 for one in present], int32)
        later = changed if len(present) == len(found) else changed[[one is not None for one in found]]
        earlier = kept.entity[stays]
        entity, row = np.concatenate((earlier, later)), np.concatenate((kept.row[stays], rows))
        # New entities come last.
        is_sorted = not earlier.size or not later.size or earlier[-1] < later[0]
        order: Any = slice(None) if is_sorted else np.argsort(entity, kind="stable")
        instances: Instances
        if has_rows:
            remaining = np.asarray(kept.instances)[stays]
            instances = np.concatenate((remaining, np.fromiter(present, object_, len(present))))[order]
        else:
            kept_ones = compress(kept.instances, stays) if were_there.size else kept.instances
            instances = [*kept_ones, *present]
            if not is_sorted:
                instances = [instances[place] for place in order.tolist()]
        return ComponentRows(entity[order], row[order], instances)


def components_of(entities: Iterable[int], cls: type[Any]) -> list[Any]:
    """The components of a class of some entities; None without one, or without such an entity."""
    # A third of the time of esper's own function.
    contents, nothing = esper._entities, _NOTHING
    return [contents.get(entity, nothing).get(cls) for entity in entities]


def check_classes(cls: type[Any], entities: Iterable[int], found: list[Any]) -> None:
    """Raise TypeError, naming the first entity whose component of a class is an instance of another class.

    ``found`` are the components, or None. Any instance will do for a marker without fields, such as Disabled.
    """
    known = {cls, type(None)}
    if set(map(type, found)) <= known or not getattr(cls, "__match_args__", ()):
        return
    entity, stranger = next(pair for pair in zip(entities, found, strict=True) if type(pair[1]) not in known)
    name, other = cls.__name__, type(stranger).__name__
    raise TypeError(f"entity {entity} has an instance of {other} as its {name} (type_alias): add it without type_alias")


def table_of(cls: type[Any]) -> ComponentTable | None:
    """The table of a class in the current world, None where no entity has one, or esper does not tell tables."""
    if not _ESPER_TELLS_TABLES:
        return None
    table = esper._components.get(cls)
    if table is not None and type(table) is not ComponentTable:
        table = esper._components[cls] = ComponentTable(cls, table)
    return table


def has_none_of(classes: Iterable[type[Any]]) -> bool:
    """Whether no entity of the current world has a component of any of some classes."""
    return esper._components.keys().isdisjoint(classes)


def entities_with(cls: type[Any]) -> AbstractSet[int]:
    """The entities of the current world with a component of a class: esper's own set, not to be changed."""
    return esper._components.get(cls, frozenset())


Reading = tuple["ComponentTable | None", int]
"""How far a reader has read the changes of a class in a world: the table it has read, and up to which revision."""

NOT_READ: Final[Reading] = (None, -1)


def reading_of(table: ComponentTable | None) -> Reading:
    """The reading of all changes in a table until now; NOT_READ if there is no table."""
    return NOT_READ if table is None else (table, table.log.revision)


def classes_changed(classes: Sequence[type[Any]], last: list[Reading]) -> list[int]:
    """Which of some classes, by their numbers, :func:`changes_since` may tell anything of."""
    if not _ESPER_TELLS_TABLES:
        return list(range(len(classes)))
    components = esper._components
    found = []
    for number, (table, revision) in enumerate(last):
        now = components.get(classes[number])
        if now is not table or (revision if table is None else revision - table.log.first - len(table.log.entities)):
            found.append(number)
    return found


def changes_since(cls: type[Any], last: Reading) -> tuple[Reading, set[int] | None]:
    """The entities of the current world whose component of a class came, went or is another since the last reading.

    None where it may be any: at a first reading, of another table, and where esper does not tell.
    """
    if not _ESPER_TELLS_TABLES:
        return NOT_READ, None
    table = table_of(cls)
    if table is None:
        return (None, 0), set() if last == (None, 0) else None
    now = reading_of(table)
    if table is not last[0]:
        return now, None
    noted = table.log.since(last[1])
    return now, None if noted is None else set(noted)


def rows_of(cls: type[Any], of_any: bool = False) -> ComponentRows:
    """:meth:`ComponentTable.rows` of a class in the current world."""
    if not _ESPER_TELLS_TABLES:
        return ComponentTable(cls, (entity for entity, _ in esper.get_component(cls))).rows(of_any)
    table = table_of(cls)
    return NO_ROWS if table is None else table.rows(of_any)


def tells_tables() -> bool:
    """Whether esper tells a table of all that attaches, replaces and takes away components.

    Nothing promises it: if an esper did it in another way, tables would be out of date without a sign.
    """

    class Probe:
        pass

    def delete_at_the_next_step() -> None:
        esper.delete_entity(2)
        esper.clear_dead_entities()

    world = esper.current_world
    esper.switch_world("ecsphys: proof of component tables")
    try:
        table = esper._components[Probe] = ComponentTable(Probe, ())
        changes: tuple[Callable[[], object], ...] = (
            lambda: esper.create_entity(Probe()),
            lambda: esper.create_entity(Probe()),
            lambda: esper.add_component(1, Probe()),
            lambda: esper.remove_component(1, Probe),
            lambda: esper.add_component(1, Probe()),
            lambda: esper.try_remove_component(1, Probe),
            lambda: esper.add_component(1, Probe()),
            lambda: esper.delete_entity(1, immediate=True),
            delete_at_the_next_step,
        )
        for change in changes:
            revision = table.log.revision
            change()
            if table.log.revision == revision:
                return False
        return True
    except AttributeError:
        return False
    finally:
        esper.switch_world(world)
        esper.delete_world("ecsphys: proof of component tables")


_ESPER_TELLS_TABLES = tells_tables()


Rows = NDArray[int64]
Class = type[Component]


@overload
def join(first: Class, /) -> tuple[Rows, Rows]: ...
@overload
def join(first: Class, second: Class, /) -> tuple[Rows, Rows, Rows]: ...
@overload
def join(first: Class, second: Class, third: Class, /) -> tuple[Rows, Rows, Rows, Rows]: ...
@overload
def join(first: Class, second: Class, third: Class, fourth: Class, /) -> tuple[Rows, Rows, Rows, Rows, Rows]: ...
@overload
def join(*classes: Class) -> tuple[Rows, ...]: ...
def join(*classes: type[Component]) -> tuple[NDArray[int64], ...]:
    """The current world's entities that have a component of every class, and the rows of these components.

    Use the rows as indices into ``Class.column(name)``. They are valid until components are created, added or removed.
    As in esper's own queries, an entity marked by ``esper.delete_entity`` is included until the next ``esper.process``
    removes it.

    Parameters
    ----------
    classes
        One or more subclasses of :class:`~ecsphys.Component`.

    Returns
    -------
    tuple
        ``(entities, rows, rows, …)``: one array for each class after the entities, all (n,) int64, sorted by entity.

    Raises
    ------
    TypeError
        If no class is given, or a class is not a :class:`~ecsphys.Component`. For plain classes use
        ``esper.get_components``.

    Examples
    --------
    >>> swarm = ecsphys.spawn_many(100, Transform.many(x=np.arange(100.0)), Velocity.many())
    >>> entities, transforms, velocities = ecsphys.join(Transform, Velocity)
    >>> Velocity.column("x")[velocities] -= Transform.column("x")[transforms]
    """
    if not classes:
        raise TypeError("join needs at least one component class")
    tables = [component_rows(cls) for cls in classes]
    entities = min((table[0] for table in tables), key=len)
    for other, _ in tables:
        if len(other) != len(entities) or not np.array_equal(other, entities):
            entities = np.intersect1d(entities, other, assume_unique=True)
    # As many owners as entities are the same ones.
    return entities, *(
        rows if len(owners) == len(entities) else rows[np.searchsorted(owners, entities)] for owners, rows in tables
    )


def rows_of_entities(cls: type[Component], entities: Any) -> Rows:
    """The rows (n,) of the components of some entities (n,); see ``Component.rows_of``."""
    wanted = as_array(entities)
    if wanted.ndim != 1 or (wanted.size and wanted.dtype.kind not in "iu"):
        raise TypeError(f"{cls.__name__}.rows_of() takes entities, whole numbers of shape (n,), got {show(entities)}")
    found = rows_at(wanted.astype(int64), *component_rows(cls))
    strange = np.flatnonzero(found < 0)
    if strange.size:
        raise KeyError(f"entity {int(wanted[strange[0]])} has no {cls.__name__}")
    return found


RowType = TypeVar("RowType", int32, int64)


def rows_at(entities: NDArray[int64], of_entities: NDArray[int64], of_rows: NDArray[RowType]) -> NDArray[RowType]:
    """For each of ``entities`` its row among ``of_rows``, −1 where ``of_entities`` (sorted) has no such entity."""
    if not of_entities.size:
        return np.full(entities.size, -1, of_rows.dtype)
    found = np.minimum(np.searchsorted(of_entities, entities), of_entities.size - 1)
    rows: NDArray[RowType] = of_rows[found]
    rows[of_entities[found] != entities] = -1
    return rows


def component_rows(cls: type[Component]) -> tuple[NDArray[int64], NDArray[int64]]:
    """The current world's entities with a component of exactly this class, sorted, and the rows of these components.

    Both are int64 of shape (n,). Raises TypeError, naming the entity, if its component is an instance of another class
    (``type_alias`` of ``esper.add_component``): its row is in the arrays of the other class.
    """
    if not (isinstance(cls, type) and issubclass(cls, Component)) or cls is Component:
        raise TypeError(
            f"join takes subclasses of Component, got {show(cls)}; for plain classes use esper.get_components, then"
            " Transform.rows_of(entities) for the rows of a component"
        )
    table = rows_of(cls)
    return table.entity.copy(), table.row.astype(int64)

"""``Class.many``, ``spawn_many`` and ``despawn_many``: many components and entities at once."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any

import esper
import numpy as np
from numpy import int64
from numpy.ma import is_masked
from numpy.typing import NDArray

from ecsphys.components.other_names import raise_unknown
from ecsphys.components.store.column import MISSING, Field, as_array, is_real, show, true_or_false
from ecsphys.components.store.standing_blocks import blocks_stay

if TYPE_CHECKING:
    from ecsphys.components.store.column_store import ColumnStore
    from ecsphys.components.store.component import Component


class Many:
    """What ``Class.many(...)`` returns: for each field of a component class one value, or an array of n values.

    :func:`~ecsphys.spawn_many` creates the components.
    """

    __slots__ = ("_store", "cls", "values")

    cls: type[Any]
    values: dict[str, NDArray[Any]]

    def __init__(self, cls: type[Any], values: dict[str, Any]) -> None:
        """``values``: one number, or n of them, for each field by name; those with a default may be missing.

        Raises TypeError for unknown and missing names and unless values are numbers, and ValueError for values out of
        bounds and for arrays of more than one dimension. Messages name class and field, and the index in the array.
        """
        self.cls = cls
        self._store: ColumnStore | None = vars(cls).get("_columns")
        fields = () if self._store is None else self._store.fields
        known = [field.name for field in fields]
        if unknown := [name for name in values if name not in known]:
            raise_unknown(cls.__name__, unknown, known, "many")
        self.values = {}
        for field in fields:
            if field.name not in values and field.default is MISSING:
                raise TypeError(f"{field.owner}.many() needs {field.name}")
            self.values[field.name] = checked_values(field, values.get(field.name, field.default))

    def check_count(self, count: int) -> None:
        """Raise ValueError if a field has an array of values, but not ``count`` values."""
        for name, values in self.values.items():
            if values.ndim and len(values) != count:
                raise ValueError(f"{self.cls.__name__}.{name} has {len(values)} values for {count} entities")

    def create(self, count: int) -> list[Any]:
        """``count`` new components. Component i has value i of each array."""
        store = self._store
        if store is None:  # a class without fields
            return [self.cls() for _ in range(count)]
        make: Any = self.cls.__new__
        instances: list[Component] = list(map(make, repeat(self.cls, count)))
        rows = store.allocate_many(count)
        with blocks_stay():
            for name, values in self.values.items():
                store.row_of_block(name)[rows] = values
        for instance, row in zip(instances, rows.tolist(), strict=True):
            instance._row = row
        return instances


def write_rows(cls: type[Component], rows: Any, values: dict[str, Any]) -> None:
    """See ``Component.write``."""
    store = cls._columns
    fields = {field.name: field for field in store.fields if not field.name.startswith("_")}
    if unknown := [name for name in values if name not in fields]:
        raise_unknown(cls.__name__, unknown, list(fields), "write")
    places = _checked_rows(cls, rows)
    checked: dict[str, Any] = {}
    for name, given in values.items():
        checked[name] = fields[name].checked(given) if isinstance(places, int) else checked_values(fields[name], given)
        if not isinstance(places, int) and checked[name].ndim and len(checked[name]) != places.size:
            raise ValueError(f"{cls.__name__}.{name} has {len(checked[name])} values for {places.size} rows")
    if not checked:
        return
    with blocks_stay():
        # Before and after: neither an interrupt nor another thread comes in between.
        store.mark_written(places)
        for name, numbers in checked.items():
            store.row_of_block(name)[places] = numbers
        store.mark_written(places)


def _checked_rows(cls: type[Component], rows: Any) -> int | NDArray[Any]:
    """A row, or rows (n,), that instances of the class have or had."""
    end = cls._columns.high_water
    if isinstance(rows, int) and not isinstance(rows, bool):
        if not 0 <= rows < end:
            raise ValueError(f"{cls.__name__}.write(): there is no row {rows}, the rows are 0 to {end - 1}")
        return rows
    places = as_array(rows)
    if places.ndim == 0 and places.dtype.kind in "iu":
        return _checked_rows(cls, operator.index(places))
    if places.ndim != 1 or (places.size and places.dtype.kind not in "iu"):
        raise TypeError(f"{cls.__name__}.write() takes a row, or rows of shape (n,), got {show(rows)}")
    if not places.size:
        return places.astype(np.int64)
    bad = np.flatnonzero((places < 0) | (places >= end))
    if bad.size:
        raise ValueError(
            f"{cls.__name__}.write(): there is no row {int(places[bad[0]])}, the rows are 0 to {end - 1}, at index"
            f" {int(bad[0])}"
        )
    return places


def bind(cls: type[Component], positional: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a ``many`` by name, in the order of the constructor. Raises TypeError unless they fit."""
    names = cls.__match_args__
    if len(positional) > len(names):
        raise TypeError(f"{cls.__name__}.many() takes at most {len(names)} values by position, got {len(positional)}")
    values = dict(zip(names, positional, strict=False))
    for name in named:
        if name in values:
            raise TypeError(f"{cls.__name__}.many() got {name} twice")
    return values | named


def checked_values(field: Field, values: Any) -> NDArray[Any]:
    """The numbers that a column keeps for one value, or for n of them; errors as of :class:`Many`."""
    where = f"{field.owner}.{field.name}"
    # Members of an IntFlag can be looped through, but they are numbers.
    is_single = (
        isinstance(values, str | bytes | int) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0
    )
    if is_single or is_real(values):
        return np.array(field.checked(values), field.dtype)
    if is_masked(values):
        raise TypeError(f"{where} must be numbers, got a masked array: {show(values)}")
    given = values if isinstance(values, np.ndarray) else list(values)
    # In a mixed list, numbers would become texts, and bools numbers.
    keeps_types = isinstance(given, np.ndarray) or set(map(type, given)) in ({float}, {int}, {float, int})
    array = np.asarray(given) if keeps_types else np.zeros(0, object)
    if array.ndim > 1:
        raise ValueError(f"{where} must be one number or a one-dimensional array, got shape {array.shape}")
    # The kinds of dtypes that the column keeps as they are, and that numpy compares as Python does: whole numbers of 64
    # bits without a sign do not mix with others.
    kinds = "" if field.choices else "b" if field.annotation is bool else "biuf" if field.is_float else "bi"
    if array.dtype.kind in kinds and array.dtype != np.uint64:
        if ((array >= field.low) & (array <= field.high)).all():
            return array.astype(field.dtype)
        given = array
    checked = []
    for i, value in enumerate(given):
        try:
            checked.append(field.checked(value))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{error} at index {i}") from None
    return np.array(checked, field.dtype)


# From so many on, new components are made together.
_MANY = 8

# The largest size of an array.
_MOST_ENTITIES = sys.maxsize // 8


def spawn_many(count: int, *components: Many | Sequence[Any]) -> NDArray[int64]:
    """Create ``count`` entities in the current world. Each gets one component of each of ``components``.

    It does the same as ``count`` calls of ``esper.create_entity``, several times faster.

    Parameters
    ----------
    count
        Number of entities, >= 0.
    components
        ``Class.many(...)``, with one value or an array of ``count`` values for each field; or a sequence of ``count``
        instances of one plain class.

    Returns
    -------
    NDArray[int64]
        The new entities, (count,), ascending.

    Raises
    ------
    TypeError, ValueError
        If counts do not match, a class appears twice, or an argument is not a component. Nothing is created then.

    Examples
    --------
    >>> heights = np.linspace(0.0, 9.0, 1000)
    >>> drops = ecsphys.spawn_many(1000, Transform.many(y=heights), Velocity.many(y=-2.0), CircleCollider.many(0.1))
    >>> drops.shape
    (1000,)
    """
    try:
        count = operator.index(count)
    except TypeError:
        raise TypeError(f"count must be a whole number, got {show(count)}") from None
    if count < 0:
        raise ValueError(f"count must be at least 0, got {count}")
    if count > _MOST_ENTITIES:
        raise ValueError(f"count must be at most {_MOST_ENTITIES}, got {show(count)}")
    classes: list[type[Any]] = []
    for given in components:
        if isinstance(given, Many):
            given.check_count(count)
            classes.append(given.cls)
            continue
        if not isinstance(given, Sequence) or isinstance(given, str | bytes):
            raise TypeError(
                f"spawn_many takes components as Class.many(...) or as a sequence of instances, got {show(given)}"
            )
        kinds = set(map(type, given))
        if len(given) != count:
            raise ValueError(f"components: {len(given)} instances for {count} entities: {show(given)}")
        if len(kinds) > 1:
            names = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"spawn_many: the instances of one list must be of one class, got {names}")
        classes += kinds or [object]
    for cls in classes:
        if classes.count(cls) > 1:
            raise TypeError(f"spawn_many got {cls.__name__} twice, but an entity has only one component of a class")
    if count == 0:
        return np.zeros(0, int64)
    return _attach(classes, [given.create(count) if isinstance(given, Many) else given for given in components], count)


def _attach(classes: list[type[Any]], instances: list[Sequence[Any]], count: int) -> NDArray[int64]:
    """What ``esper.create_entity`` does, for many entities: it has no public way to."""
    contents: list[dict[type[Any], Any]] = list(map(dict.copy, repeat(dict.fromkeys(classes), count)))
    for cls, of_class in zip(classes, instances, strict=True):
        for content, instance in zip(contents, of_class, strict=True):
            content[cls] = instance
    entities = list(islice(esper._entity_count, count))
    created = np.array(entities, int64)
    esper.clear_cache()
    try:
        esper._entities.update(zip(entities, contents, strict=True))
        for cls in classes:
            if cls not in esper._components:
                esper._components[cls] = set()
            esper._components[cls].update(entities)
    except BaseException:
        # After an error of memory or an interrupt, no entity stays: not some of them, and not all without some
        # components.
        for entity in entities:
            esper._entities.pop(entity, None)
        for cls in classes:
            owners = esper._components.get(cls, set())
            owners.difference_update(entities)
            if not owners:
                esper._components.pop(cls, None)
        raise
    return created


def add_many(entities: list[int], cls: type[Component]) -> None:
    """Add a new component of a class to each of some entities, as ``esper.add_component`` does."""
    if len(entities) < _MANY:
        for entity in entities:
            esper.add_component(entity, cls())
        return
    contents = [esper._entities[entity] for entity in entities]
    instances = cls.many().create(len(entities))
    owners = esper._components.setdefault(cls, set())
    try:
        for content, instance in zip(contents, instances, strict=True):
            content[cls] = instance
        owners.update(entities)
    except BaseException:
        # None stays, as of :func:`spawn_many`.
        owners.difference_update(entities)
        for content in contents:
            content.pop(cls, None)
        raise
    finally:
        esper.clear_cache()


def despawn_many(entities: Iterable[int] | NDArray[Any], immediate: bool = False) -> None:
    """Delete entities of the current world, as ``esper.delete_entity`` deletes one.

    Parameters
    ----------
    entities
        Entities, an array (n,) of integers or any iterable. An entity may appear twice, or be marked already.
    immediate
        False marks them, and the next ``esper.process`` removes them. True removes them at once.

    Raises
    ------
    KeyError
        If an entity does not exist. Nothing is deleted then.

    Examples
    --------
    >>> drops = ecsphys.spawn_many(1000, Transform.many(), CircleCollider.many(0.1))
    >>> ecsphys.despawn_many(drops[:500])
    """
    given = entities.tolist() if isinstance(entities, np.ndarray) else entities
    try:
        chosen = dict.fromkeys(map(operator.index, given))
    except TypeError:
        raise TypeError(f"entities must be whole numbers of shape (n,), got {show(entities)}") from None
    for entity in chosen:
        if entity not in esper._entities:
            raise KeyError(f"entity {entity} does not exist")
    if not true_or_false("immediate", immediate):
        dead_entities().update(chosen)
        return
    esper.clear_cache()
    # Marked meanwhile: where this is cut short, the next process deletes them.
    dead = dead_entities()
    dead.update(chosen)
    for cls in set(chain.from_iterable(map(esper._entities.__getitem__, chosen))):
        owners = esper._components.get(cls, set())
        owners.difference_update(chosen)
        if not owners:
            esper._components.pop(cls, None)
    for entity in chosen:
        del esper._entities[entity]
    dead.difference_update(chosen)


class DeadEntities(set[int]):
    """The entities of one world that are marked dead: takes the place of esper's set.

    ``esper.clear_dead_entities``, with which each ``esper.process`` begins, takes an entity out of the sets of its
    classes, one after the other, then out of the database, and forgets the marks of all at the end. An interrupt in
    between leaves marks of entities that are gone, or that have classes without a set: each later call would raise
    KeyError. So only the entities that are still in the database are gone through, each with a set for all its classes.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        for entity in set.__iter__(self):
            contents = esper._entities.get(entity)
            if contents is not None:
                for cls in contents:
                    esper._components.setdefault(cls, set())
                yield entity


def dead_entities() -> set[int]:
    """Entities marked by ``delete_entity`` that esper removes at the next ``process``; they still are in queries."""
    dead: set[int] = esper._dead_entities
    if type(dead) is not DeadEntities:
        dead = esper._dead_entities = DeadEntities(dead)
    return dead

"""``spawn_many`` and ``despawn_many``: many entities at once, several times faster than one by one."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable, Sequence
from itertools import chain, islice, repeat
from typing import Any

import esper
import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.store.column import show, true_or_false
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import dead_entities
from ecsphys.components.store.many import Many

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
    classes = [_class_of(given, count) for given in components]
    for cls in classes:
        if classes.count(cls) > 1:
            raise TypeError(f"spawn_many got {cls.__name__} twice, but an entity has only one component of a class")
    if count == 0:
        return np.zeros(0, int64)
    return _attach(classes, [given.create(count) if isinstance(given, Many) else given for given in components], count)


def _class_of(given: Any, count: int) -> type[Any]:
    """The class of the given components. Errors are the same as of :func:`spawn_many`."""
    if isinstance(given, Many):
        given.check_count(count)
        return given.cls
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise TypeError(
            f"spawn_many takes components as Class.many(...) or as a sequence of instances, got {show(given)}"
        )
    kinds = set(map(type, given))
    if len(given) != count:
        raise ValueError(f"components: {len(given)} instances for {count} entities: {show(given)}")
    if len(kinds) > 1:
        raise TypeError(
            "spawn_many: the instances of one list must be of one class, got"
            f" {', '.join(sorted(kind.__name__ for kind in kinds))}"
        )
    return kinds.pop() if kinds else object


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

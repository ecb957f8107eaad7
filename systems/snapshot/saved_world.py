"""A snapshot as plain values, and back in any world: what it is without rows, slots and instances.

Entities keep their numbers, so that whatever names one still does. Colliders are numbered by their public order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

import esper
import numpy as np
from numpy import bool_, int32, int64, object_
from numpy.typing import NDArray

from ecsphys.components.character.solid import Solid
from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.disabled import Disabled
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import MISSING
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.character.character_move import STOOD_ON, TRANSFORM_ROW
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES
from ecsphys.systems.collision.hit_listeners import HitListeners
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.running_systems import running_systems
from ecsphys.systems.snapshot.column_values import ClassValues
from ecsphys.systems.snapshot.contact_values import PAIRS
from ecsphys.systems.snapshot.pooled_runs import POOLS, PooledRuns, lengths_of
from ecsphys.systems.snapshot.world_structure import WorldStructure
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.esper_world import database_token

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.snapshot.snapshot import Snapshot

Tree = dict[str, Any]

_MARKERS: Final[tuple[type[Any], ...]] = (Disabled, Solid)
_HIDDEN: Final = frozenset({"_start", "_count"})
_FIXED_STEP: Final = "fixed step"


def to_tree(snapshot: Snapshot) -> Tree:
    """What :func:`~ecsphys.systems.snapshot.encoding.encode` writes of a snapshot."""
    of_class = snapshot._structure.of_class
    classes = {cls: len(of_class.get(cls, NO_ROWS)) for cls in snapshot._values}
    compounds = of_class.get(CompoundCollider, NO_ROWS)
    lines = [compound._lines for compound in compounds.instances]
    plain: dict[type[Any], list[Any]] = {}
    for instance, _, value in snapshot._plain:
        if not isinstance(instance, esper.Processor):
            plain.setdefault(type(instance), []).append(value)
    return {
        "clock": snapshot.clock,
        "next_entity": snapshot._next_entity,
        "dead": sorted(snapshot._dead),
        "bare": sorted(snapshot._structure.bare),
        "classes": [
            {
                "name": name_of(cls),
                "entities": of_class.get(cls, NO_ROWS).entity,
                "fields": _fields(snapshot, cls),
                "runs": _runs(snapshot, cls),
            }
            for cls in classes
        ],
        "compounds": {
            "entities": compounds.entity,
            "counts": np.array([len(line) for line in lines], int64),
            "kinds": np.array([kind for line in lines for kind in line[:, 0].tolist()], int64),
            "places": _places_of_parts(snapshot, lines),
        },
        "chains": [
            (entity, [list(map(list, line)) for line in chain.lines], *chain.__reduce__()[1][1:])
            for chains in (of_class.get(ChainCollider, NO_ROWS),)
            for entity, chain in zip(chains.entity.tolist(), chains.instances, strict=True)
        ],
        "markers": [(name_of(cls), of_class[cls].entity) for cls in _MARKERS if cls in of_class],
        "plain": [(name_of(cls), of_class[cls].entity, values) for cls, values in plain.items()],
        "physics": _physics_tree(snapshot),
        "systems": _system_states(snapshot),
    }


def name_of(cls: type[Any]) -> str:
    """A class's name in bytes."""
    return f"{cls.__module__}.{cls.__qualname__}"


def _blocks(cls: type[Component]) -> Iterator[tuple[str, ...]]:
    """The names of the fields of each block that has any, in the order of ``ClassValues.blocks``."""
    columns = cls._columns
    for names in (columns.float_fields, columns.int_fields, columns.uint_fields, columns.byte_fields):
        if names:
            yield names


def _fields(snapshot: Snapshot, cls: type[Component]) -> Tree:
    values, kept = snapshot._values[cls], _kept(snapshot, cls)
    return {
        name: column[kept]
        for names, block in zip(_blocks(cls), values.blocks, strict=True)
        for name, column in zip(names, values.ordered(block), strict=True)
        if name not in _HIDDEN
    }


def _kept(snapshot: Snapshot, cls: type[Component]) -> NDArray[bool_]:
    """Which of the values of a class are written: the segments of chains are made with these."""
    if cls is not PolygonCollider:
        return np.ones(snapshot._values[cls].rows.size, bool_)
    kept: NDArray[bool_] = snapshot._runs[cls].counts != SEGMENT_VERTICES
    return kept


def _runs(snapshot: Snapshot, cls: type[Component]) -> tuple[Any, ...] | None:
    runs = snapshot._runs.get(cls)
    if runs is None:
        return None
    kept = _kept(snapshot, cls)
    return runs.counts[kept], runs.contents[np.repeat(kept, lengths_of(cls, runs.counts))]


def _places_of_parts(snapshot: Snapshot, lines: list[NDArray[int32]]) -> NDArray[int64]:
    """Where the values of each part are among those of its class."""
    place_of = [
        {}
        if cls not in snapshot._values
        else {row: k for k, row in enumerate(snapshot._values[cls].rows[_kept(snapshot, cls)].tolist())}
        for cls in SHAPE_CLASSES
    ]
    return np.array([place_of[kind][row] for line in lines for kind, row in line.tolist()], int64)


def _physics_tree(snapshot: Snapshot) -> Tree:
    order, absent = snapshot._order, snapshot._absent
    most = int(max(order.max(initial=-1), absent[:, 0].max(initial=-1))) + 1
    number: NDArray[int32] = np.full(most + 1, -1, int32)
    number[order] = np.arange(order.size)
    number[absent[:, 0]] = order.size + np.arange(len(absent))
    arrays = {name: array for name, array in snapshot._arrays.items() if snapshot._has(name)}
    arrays[PAIRS] = number[arrays[PAIRS]]
    arrays["moved"] = number[arrays["moved"]]
    for name in ("reach", "journal.born"):
        if name in arrays and len(arrays[name]):
            by_rank = np.zeros((order.size, *arrays[name].shape[1:]), arrays[name].dtype)
            is_known = order < len(arrays[name])
            by_rank[is_known] = arrays[name][order[is_known]]
            arrays[name] = by_rank
    if "journal.slots" in arrays:
        noted = arrays["journal.slots"]
        arrays["journal.slots"] = number[np.where(noted < most, noted, most)]
        values = arrays["memory.values"].copy()
        stood_on = values[:, STOOD_ON].astype(int64)
        values[:, STOOD_ON] = np.where(stood_on >= 0, number[np.clip(stood_on, 0, most)], stood_on)
        arrays["memory.values"] = values
    gone = absent.copy()
    gone[:, 0] = order.size + np.arange(len(absent))
    flags = {name: value for name, value in snapshot._flags.items() if name != "token"}
    return {
        "arrays": arrays,
        "flags": flags,
        "has_hits": snapshot._flags["token"] is not None,
        "has_solver": snapshot._solver is not None,
        "colliders": int(order.size),
        "absent": gone,
        "given_pairs": snapshot._given_pairs,
        "remembered": snapshot._remembered,
    }


def _system_states(snapshot: Snapshot) -> list[Any]:
    states = []
    seen: dict[str, int] = {}
    for system, state in snapshot._systems:
        is_stage = isinstance(system, Stage)
        name = name_of(type(system)) if is_stage else _FIXED_STEP
        seen[name] = seen.get(name, -1) + 1
        # The poses between steps are of rows.
        states.append((name, seen[name], state if is_stage else (*state[:-1], None)))
    return states


def fill(snapshot: Snapshot, tree: Tree, physics: Physics) -> None:
    """Make a snapshot of a physics of what :func:`to_tree` has made of one, in rows of the current process.

    ValueError naming class, field or value where that cannot be; the world has not changed then.
    """
    values, of_class, runs = _components(tree, physics, snapshot)
    structure = WorldStructure.made(of_class, frozenset(tree["bare"]))
    of_physics = tree["physics"]
    arrays = dict(of_physics["arrays"])
    count = of_physics["colliders"] + len(of_physics["absent"])
    for name in (PAIRS, "moved"):
        if arrays[name].size and not 0 <= int(arrays[name].min()) <= int(arrays[name].max()) < count:
            raise ValueError(f"the snapshot names colliders that it has not ({name})")
    if "memory.numbers" in arrays:
        placed = of_class.get(Transform, NO_ROWS)
        rows = dict(zip(placed.entity.tolist(), placed.row.tolist(), strict=True))
        for entity, row in of_physics["remembered"].items():
            arrays["memory.numbers"][row, TRANSFORM_ROW] = rows.get(entity, -1)
    state, token = physics.state, database_token()
    snapshot._solver = BodySolver(state, physics.bodies, physics.contacts) if of_physics["has_solver"] else None
    snapshot._arrays.update(arrays)
    snapshot._structure, snapshot._values, snapshot._runs = structure, values, runs
    snapshot._dead, snapshot._next_entity = frozenset(tree["dead"]), tree["next_entity"]
    snapshot._token = token
    snapshot._flags = {**of_physics["flags"], "token": token if of_physics["has_hits"] else None}
    snapshot._order, snapshot._absent = np.arange(of_physics["colliders"], dtype=int32), of_physics["absent"]
    snapshot._given_pairs, snapshot._remembered = of_physics["given_pairs"], of_physics["remembered"]
    snapshot._listeners, snapshot._owners = HitListeners(NO_ROWS, None, {}), {}
    snapshot._sleeping, snapshot._breaks = None, []
    snapshot._systems = _systems_of(tree, physics)


def _components(
    tree: Tree, physics: Physics, snapshot: Snapshot
) -> tuple[dict[type[Component], ClassValues], dict[type[Any], ComponentRows], dict[type[Component], PooledRuns]]:
    """New instances with the values, attached to nothing yet."""
    known = {name_of(cls): cls for cls in _subclasses(Component)}
    made: dict[type[Component], list[Component]] = {}
    of_class: dict[type[Any], ComponentRows] = {}
    values: dict[type[Component], ClassValues] = {}
    runs: dict[type[Component], PooledRuns] = {}
    for entry in tree["classes"]:
        name, entities = entry["name"], entry["entities"]
        if name not in known:
            raise ValueError(f"the snapshot has components of the class {name}, which is not there: import it first")
        cls = known[name]
        instances, rows = _make(cls, entry["fields"], entry["runs"], len(entities))
        made[cls] = instances
        own = np.fromiter(instances[: len(entities)], object_, len(entities))
        if len(entities):
            of_class[cls] = ComponentRows(_entities(name, entities), rows[: len(entities)].astype(int32), own)
        same_rows = of_class[cls].row if len(entities) == len(instances) and len(entities) else rows.astype(int32)
        values[cls] = ClassValues.take(cls, same_rows, None, None)
        if cls in POOLS:
            runs[cls] = PooledRuns(cls, same_rows)
    compounds, begin = tree["compounds"], 0
    if len(compounds["entities"]):
        found = []
        for count in compounds["counts"].tolist():
            where = slice(begin, begin + count)
            kinds, places = compounds["kinds"][where].tolist(), compounds["places"][where].tolist()
            parts = [made[SHAPE_CLASSES[kind]][place] for kind, place in zip(kinds, places, strict=True)]
            found.append(CompoundCollider(cast(Any, parts)))
            begin += count
        of_class[CompoundCollider] = _plain(compounds["entities"], found)
    if tree["chains"]:
        owners = np.array([chain[0] for chain in tree["chains"]], int64)
        of_class[ChainCollider] = _plain(owners, [ChainCollider.from_lines(*chain[1:]) for chain in tree["chains"]])
    for name, entities in tree["markers"]:
        cls = next(marker for marker in _MARKERS if name_of(marker) == name)
        of_class[cls] = _plain(entities, [cls() for _ in range(len(entities))])
    hooks = {name_of(cls): cls for cls in physics._hooks}
    snapshot._plain = []
    for name, entities, of_plain in tree["plain"]:
        if name not in hooks:
            raise ValueError(f"the snapshot has what {name} keeps: call add_to_snapshots for it first")
        cls = hooks[name]
        instances = [object.__new__(cls) for _ in of_plain]
        put = physics._hooks[cls][1]
        snapshot._plain += [(one, put, value) for one, value in zip(instances, of_plain, strict=True)]
        of_class[cls] = _plain(entities, instances)
    return values, of_class, runs


def _plain(entities: NDArray[Any], instances: list[Any]) -> ComponentRows:
    return ComponentRows(entities.astype(int64), np.zeros(len(entities), int32), instances)


def _subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    for one in cls.__subclasses__():
        yield one
        yield from _subclasses(one)


def _entities(name: str, entities: NDArray[Any]) -> NDArray[int64]:
    numbers = entities.astype(int64)
    if numbers.ndim != 1 or (numbers.size and (int(numbers[0]) < 1 or (np.diff(numbers) <= 0).any())):
        raise ValueError(f"the snapshot's entities with a {name} are not ascending")
    return numbers


def _make(
    cls: type[Component], given: Tree, runs: tuple[Any, Any] | None, count: int
) -> tuple[list[Component], NDArray[int64]]:
    """New instances with some values; ValueError naming the field of a value that no assignment accepts."""
    store = cls._columns
    total = max([len(column) for column in given.values()], default=count if runs is None else len(runs[0]))
    unknown = sorted(given.keys() - {field.name for field in store.fields})
    if unknown:
        raise ValueError(f"the snapshot has {cls.__name__}.{unknown[0]}, which this class has not")
    columns: Tree = {}
    for field in store.fields:
        if field.name in _HIDDEN:
            continue
        if field.name not in given and field.default is MISSING:
            raise ValueError(f"the snapshot has no {field.owner}.{field.name}, and there is no default")
        column = given.get(field.name)
        if column is None:
            column = np.full(total, field.checked(field.default), field.dtype)
        low = field.stored_low if field.is_float else field.low
        bad = np.flatnonzero(~((column >= low) & (column <= field.high)))
        if len(column) != total or column.dtype != field.dtype:
            raise ValueError(f"the snapshot's {field.owner}.{field.name} is not as this class has it")
        if bad.size:
            raise ValueError(f"the snapshot: {field.describe_violation(column[bad[0]].item())}")
        columns[field.name] = column
    instances = [cls.__new__(cls) for _ in range(total)]
    rows = store.allocate_many(total)
    with blocks_stay():
        for name, column in columns.items():
            store.row_of_block(name)[rows] = column
        for name in _HIDDEN if runs is not None else ():
            store.row_of_block(name)[rows] = 0
    for instance, row in zip(instances, rows.tolist(), strict=True):
        instance._row = row
    if runs is not None:
        counts, contents = runs
        begin = 0
        starts = store.row_of_block("_start")
        for row, length in zip(rows.tolist(), counts.tolist(), strict=True):
            start = POOLS[cls].allocate(length)
            POOLS[cls].put(start, contents[begin : begin + length])
            begin += length
            starts[row] = start
            store.row_of_block("_count")[row] = length
    return instances, rows


def _systems_of(tree: Tree, physics: Physics) -> list[tuple[Any, Any]]:
    """The systems of the world that have a state in a tree, and these."""
    states = {(name, number): state for name, number, state in tree["systems"]}
    found: list[tuple[Any, Any]] = []
    seen: dict[str, int] = {}
    for system in running_systems():
        if isinstance(system, Stage) and system.physics is physics:
            name = name_of(type(system))
            seen[name] = seen.get(name, -1) + 1
            if (name, seen[name]) in states:
                found.append((system, states[name, seen[name]]))
    if physics.fixed_step is not None and (_FIXED_STEP, 0) in states:
        found.append((physics.fixed_step, states[_FIXED_STEP, 0]))
    return found

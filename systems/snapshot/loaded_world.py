"""A snapshot made of the plain values of :mod:`~ecsphys.systems.snapshot.saved_world`, in rows of this process.

Everything is made first, on no entity: after any error, the world has not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import esper
import numpy as np
from numpy import bool_, float64, int32, int64, object_
from numpy.typing import NDArray

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import MISSING, show
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import NO_ROWS, ComponentRows
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.character.character_move import TRANSFORM_ROW
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.dynamics.joints.joint_breaks import JointBreak
from ecsphys.systems.hits.hit_listeners import HitListeners
from ecsphys.systems.snapshot.column_values import ClassValues
from ecsphys.systems.snapshot.contact_values import KeptContacts
from ecsphys.systems.snapshot.pooled_runs import POOLS, PooledRuns, refuse_other_runs
from ecsphys.systems.snapshot.saved_checks import (
    check_fixed_step,
    check_tree,
    checked_entities,
    refuse_other_array,
    refuse_others,
)
from ecsphys.systems.snapshot.saved_world import FIXED_STEP, HIDDEN, MARKERS, Tree, name_of
from ecsphys.systems.snapshot.world_structure import WorldStructure
from ecsphys.systems.stage import Stage
from ecsphys.systems.stepping.running_systems import running_systems
from ecsphys.systems.world.esper_world import database_token

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.snapshot.snapshot import Snapshot

_OF_CLASS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "entities": (np.ndarray,),
    "fields": (dict,),
    "runs": (tuple, type(None)),
}
_OF_COMPOUNDS: dict[str, tuple[type, ...]] = dict.fromkeys(("entities", "counts", "kinds", "places"), (np.ndarray,))


def fill(snapshot: Snapshot, tree: Tree, physics: Physics) -> None:
    """Make a snapshot of a physics of what :func:`~ecsphys.systems.snapshot.saved_world.to_tree` has made of one.

    Raises ValueError, naming class, field or value, for an impossible world. The current world has not changed then.
    """
    check_tree(tree)
    loaded = _Loaded(tree["next_entity"])
    loaded.take_classes(tree["classes"])
    loaded.take_compounds(tree["compounds"])
    loaded.take_chains(tree["chains"])
    loaded.take_markers(tree["markers"])
    plain = loaded.take_plain(tree["plain"], physics)
    loaded.keep_instances()
    of_physics = tree["physics"]
    contacts = KeptContacts.of_tree(of_physics["contacts"], of_physics["colliders"] + len(of_physics["absent"]))
    breaks = [loaded.joint_break(found) for found in tree["breaks"]]
    arrays = dict(of_physics["arrays"])
    if of_physics["remembered"]:
        numbers = arrays["memory.numbers"] = arrays["memory.numbers"].copy()
        placed = loaded.of_class.get(Transform, NO_ROWS)
        rows = dict(zip(placed.entity.tolist(), placed.row.tolist(), strict=True))
        for entity, row in of_physics["remembered"].items():
            numbers[row, TRANSFORM_ROW] = rows.get(entity, -1)
    systems = _systems_of(tree, physics, loaded.of_class.get(Transform, NO_ROWS))
    state = physics._state
    snapshot._solver = BodySolver(state) if of_physics["has_solver"] else None
    snapshot._arrays.update(arrays)
    snapshot._contacts = contacts
    snapshot._structure = WorldStructure.made(loaded.of_class, frozenset(tree["bare"]))
    snapshot._values, snapshot._runs, snapshot._plain = loaded.values, loaded.runs, plain
    snapshot._dead, snapshot._next_entity = frozenset(tree["dead"]), tree["next_entity"]
    snapshot._token = database_token()
    snapshot._flags = dict(of_physics["flags"])
    snapshot._order = np.arange(of_physics["colliders"], dtype=int32)
    snapshot._absent = of_physics["absent"].copy()
    snapshot._given_pairs, snapshot._remembered = of_physics["given_pairs"], of_physics["remembered"]
    snapshot._listeners, snapshot._owners = HitListeners(NO_ROWS, {}), {}
    snapshot._sleeping, snapshot._breaks = None, breaks
    snapshot._systems = systems


class _Loaded:
    """New components with the values of a saved world, attached to nothing yet."""

    def __init__(self, next_entity: int) -> None:
        self._next_entity = next_entity
        self._known = {name_of(cls): cls for cls in _subclasses(Component)}
        self._made: dict[type[Component], list[Component]] = {}
        self.of_class: dict[type[Any], ComponentRows] = {}
        self.values: dict[type[Component], ClassValues] = {}
        self.runs: dict[type[Component], PooledRuns] = {}

    def class_named(self, name: Any) -> type[Component]:
        """A class of column components by name. Raises ValueError for an unknown name."""
        if name not in self._known:
            raise ValueError(f"the snapshot has components of the class {name}, which is not imported: import it first")
        return self._known[name]

    def take_classes(self, entries: list[Any]) -> None:
        """Components of column classes, and the parts of compounds behind them."""
        for entry in entries:
            refuse_others("class", entry, _OF_CLASS)
            cls = self.class_named(entry["name"])
            if cls in self._made:
                raise ValueError(f"the snapshot has the class {entry['name']} twice")
            entities = checked_entities(cls.__name__, entry["entities"], self._next_entity)
            instances, rows = _make(cls, entry["fields"], entry["runs"], len(entities))
            if len(instances) != len(entities) and cls not in SHAPE_CLASSES:
                raise ValueError(f"the snapshot has {len(instances)} {cls.__name__} for {len(entities)} entities")
            self._made[cls] = instances
            own = np.fromiter(instances[: len(entities)], object_, len(entities))
            all_rows = rows.astype(int32)
            if len(entities):
                held = all_rows if len(entities) == len(instances) else all_rows[: len(entities)]
                self.of_class[cls] = ComponentRows(entities, held, own)
                all_rows = held if len(entities) == len(instances) else all_rows
            self.values[cls] = ClassValues.take(cls, all_rows, None, None)
            if cls in POOLS:
                self.runs[cls] = PooledRuns(cls, all_rows)

    def take_compounds(self, tree: Any) -> None:
        """Compounds of parts that :meth:`take_classes` has made."""
        refuse_others("compounds", tree, _OF_COMPOUNDS)
        entities = checked_entities("CompoundCollider", tree["entities"], self._next_entity)
        refuse_other_array("compounds' counts", tree["counts"], int64, len(entities))
        counts = tree["counts"].tolist()
        total = sum(counts)
        for name in ("kinds", "places"):
            refuse_other_array(f"compounds' {name}", tree[name], int64, total)
        chosen = list(zip(tree["kinds"].tolist(), tree["places"].tolist(), strict=True))
        if len(set(chosen)) != total or min(counts, default=1) < 1:
            raise ValueError("the snapshot has a part that is in two compounds, or a compound without parts")
        found, begin = [], 0
        for count in counts:
            parts = [self._part(kind, place) for kind, place in chosen[begin : begin + count]]
            found.append(CompoundCollider(cast(Any, parts)))
            begin += count
        if found:
            self.of_class[CompoundCollider] = _plain(entities, found)

    def _part(self, kind: int, place: int) -> Component:
        cls = SHAPE_CLASSES[kind] if 0 <= kind < len(SHAPE_CLASSES) else None
        made = self._made.get(cls, []) if cls is not None else []
        if not len(self.of_class.get(cast(Any, cls), NO_ROWS)) <= place < len(made):
            raise ValueError(f"the snapshot has a compound with a part that does not exist: {place} of kind {kind}")
        return made[place]

    def take_chains(self, chains: list[Any]) -> None:
        """Chains, of their points."""
        if not chains:
            return
        if any(type(chain) is not tuple or len(chain) != 6 or type(chain[0]) is not int for chain in chains):
            raise ValueError(f"the snapshot's chains are {show(chains)}")
        owners = np.array([chain[0] for chain in chains], int64)
        entities = checked_entities("ChainCollider", owners, self._next_entity)
        self.of_class[ChainCollider] = _plain(entities, [ChainCollider.from_lines(*chain[1:]) for chain in chains])

    def take_markers(self, markers: list[Any]) -> None:
        """Components without values."""
        by_name = {name_of(cls): cls for cls in MARKERS}
        for name, entities in markers:
            if name not in by_name:
                raise ValueError(f"the snapshot has the marker {show(name)}")
            entities = checked_entities(by_name[name].__name__, entities, self._next_entity)
            self.of_class[by_name[name]] = _plain(entities, [by_name[name]() for _ in range(len(entities))])

    def take_plain(self, entries: list[Any], physics: Physics) -> list[tuple[Any, Any, Any]]:
        """Plain components: the instance, what puts its value back, the value."""
        hooks = {name_of(cls): cls for cls in physics._hooks}
        found: list[tuple[Any, Any, Any]] = []
        for name, entities, values in entries:
            if name not in hooks:
                raise ValueError(f"the snapshot has data of {name}: call add_to_snapshots({name}, …) first")
            cls = hooks[name]
            entities = checked_entities(cls.__name__, entities, self._next_entity)
            if type(values) is not list or len(values) != len(entities):
                raise ValueError(f"the snapshot does not have a value for each {cls.__name__}")
            known = dict(esper.get_component(cls))
            there = [known.get(entity) for entity in entities.tolist()]
            instances = [one if type(one) is cls else object.__new__(cls) for one in there]
            put = physics._hooks[cls][1]
            found += [(one, put, value) for one, value in zip(instances, values, strict=True)]
            self.of_class[cls] = _plain(entities, instances)
        return found

    def keep_instances(self) -> None:
        """Use the components that the world has, where entity and class are the same: references to them stay valid.

        Nothing is written to them yet.
        """
        self._add_segments()
        moved: dict[type[Any], dict[int, int]] = {}
        for cls, loaded in list(self.of_class.items()):
            there = dict(esper.get_component(cls))
            instances = loaded.instances.copy()
            for place, entity in enumerate(loaded.entity.tolist()):
                known, made = there.get(entity), instances[place]
                alike = None if known is None else _rows_alike(known, made)
                if alike is None:
                    continue
                instances[place] = known
                for of_rows, there_rows, made_rows in alike:
                    moved.setdefault(of_rows, {}).update(zip(made_rows, there_rows, strict=True))
            self.of_class[cls] = ComponentRows(loaded.entity, loaded.row, instances)
        for cls, places in moved.items():
            values = self.values[cls]
            rows = np.array([places.get(row, row) for row in values.rows.tolist()], int32)
            self.values[cls] = values.moved_to(cls, rows)
            if cls in self.runs:
                self.runs[cls] = self.runs[cls].moved_to(rows)
            if cls in self.of_class:
                own = self.of_class[cls]
                held = rows if len(own) == len(rows) else rows[: len(own)]
                self.of_class[cls] = ComponentRows(own.entity, held, own.instances)

    def _add_segments(self) -> None:
        """Add the values of the segments of chains, which were made together with the chains."""
        chains = self.of_class.get(ChainCollider, NO_ROWS).instances
        if not len(chains):
            return
        known = self.values.get(PolygonCollider)
        own = np.zeros(0, int32) if known is None else known.rows
        rows = np.concatenate((own, *(chain._lines[:, 1] for chain in chains))).astype(int32)
        self.values[PolygonCollider] = ClassValues.take(PolygonCollider, rows, None, None)
        self.runs[PolygonCollider] = PooledRuns(PolygonCollider, rows)

    def joint_break(self, saved: Any) -> JointBreak:
        """A break that handlers are still to be told of."""
        entity, name, fields, entity_a, entity_b, reason, force, torque = saved
        joints, _ = _make(self.class_named(name), fields, None, 1)
        if len(joints) != 1 or {type(entity), type(entity_a), type(entity_b)} != {int} or type(reason) is not str:
            raise ValueError(f"the snapshot has the break {show(saved)}")
        x, y = force
        return JointBreak(
            entity, cast(Any, joints[0]), entity_a, entity_b, cast(Any, reason), (float(x), float(y)), float(torque)
        )


def _rows_alike(known: Any, made: Any) -> list[tuple[type[Component], list[int], list[int]]] | None:
    """The rows, by class, that a component of the world has, and those of one that was made: None if it cannot take the
    values of that."""
    if type(known) is not type(made):
        return None
    if isinstance(made, Component):
        return [(type(made), [known._row], [made._row])]
    if isinstance(made, CompoundCollider):
        if not np.array_equal(known._lines[:, 0], made._lines[:, 0]):
            return None
        lines = zip(known._lines.tolist(), made._lines.tolist(), strict=True)
        return [(SHAPE_CLASSES[kind], [row], [made_row]) for (kind, row), (_, made_row) in lines]
    if isinstance(made, ChainCollider):
        if (known.lines, known.closed, known.side) != (made.lines, made.closed, made.side):
            return None
        return [(PolygonCollider, known._lines[:, 1].tolist(), made._lines[:, 1].tolist())]
    return []


def _plain(entities: NDArray[int64], instances: list[Any]) -> ComponentRows:
    return ComponentRows(entities, np.zeros(len(entities), int32), instances)


def _subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    for one in cls.__subclasses__():
        yield one
        yield from _subclasses(one)


def _make(
    cls: type[Component], given: Tree, runs: tuple[Any, ...] | None, count: int
) -> tuple[list[Component], NDArray[int64]]:
    """New instances with some values; ValueError naming the field of a value that no assignment accepts."""
    store = cls._columns
    unknown = sorted(map(str, given.keys() - {field.name for field in store.fields if field.name not in HIDDEN}))
    if unknown:
        raise ValueError(f"the snapshot has {cls.__name__}.{unknown[0]}, but this class has no such field")
    if (runs is not None) != (cls in POOLS):
        raise ValueError(f"the snapshot's {cls.__name__} does not have the data in pools that this class has")
    lengths = [len(column) for column in given.values() if isinstance(column, np.ndarray) and column.ndim == 1]
    total = max(lengths, default=count)
    columns: Tree = {}
    for field in store.fields:
        if field.name in HIDDEN:
            continue
        if field.name not in given and field.default is MISSING:
            raise ValueError(f"the snapshot has no {field.owner}.{field.name}, which has no default")
        column = given.get(field.name)
        if column is None:
            column = np.full(total, field.checked(field.default), field.dtype)
        refuse_other_array(f"{field.owner}.{field.name}", column, field.dtype, total)
        low = field.stored_low if field.is_float else field.low
        bad = np.flatnonzero(~((column >= low) & (column <= field.high)))
        if bad.size:
            raise ValueError(f"the snapshot: {field.describe_violation(column[bad[0]].item())}")
        columns[field.name] = column
    if total < count:
        raise ValueError(f"the snapshot has {total} {cls.__name__} for {count} entities")
    if runs is not None:
        is_closed = columns.get("_is_closed", np.zeros(total, int64))
        refuse_other_runs(cls, runs, total, is_closed)
    instances = [cls.__new__(cls) for _ in range(total)]
    rows = store.allocate_many(total)
    with blocks_stay():
        for name, column in columns.items():
            store.row_of_block(name)[rows] = column
        for name in HIDDEN if runs is not None else ():
            store.row_of_block(name)[rows] = 0
    for instance, row in zip(instances, rows.tolist(), strict=True):
        instance._row = row
    if runs is not None:
        _put_runs(cls, rows, *runs)
    return instances, rows


def _put_runs(cls: type[Component], rows: NDArray[int64], counts: NDArray[int64], contents: NDArray[float64]) -> None:
    pool, store, begin = POOLS[cls], cls._columns, 0
    for row, length in zip(rows.tolist(), counts.tolist(), strict=True):
        start = pool.allocate(length)
        pool.put(start, contents[begin : begin + length])
        begin += length
        store.row_of_block("_start")[row] = start
        store.row_of_block("_count")[row] = length


def _systems_of(tree: Tree, physics: Physics, placed: ComponentRows) -> list[tuple[Any, Any]]:
    """The systems of the world that have a state in a tree, and these."""
    states = {(name, number): state for name, number, state in tree["systems"]}
    found: list[tuple[Any, Any]] = []
    seen: dict[str, int] = {}
    for system in (*running_systems(), *physics._state.own_stages):
        if isinstance(system, Stage) and system.physics is physics:
            name = name_of(type(system))
            seen[name] = seen.get(name, -1) + 1
            if (name, seen[name]) in states:
                found.append((system, states[name, seen[name]]))
    if physics.fixed_step is not None and (FIXED_STEP, 0) in states:
        state = states[FIXED_STEP, 0]
        check_fixed_step(state)
        found.append((physics.fixed_step, (*state[:-1], _poses_of(state[-1], placed))))
    return found


def _poses_of(saved: Any, placed: ComponentRows) -> Any:
    """The poses between steps, of the rows that entities have now."""
    if saved is None:
        return None
    before, after, moves = saved
    count = int(placed.row.max(initial=-1)) + 1
    for name, poses in (("before", before), ("after", after)):
        refuse_other_array(f"poses {name}", poses, float64, 3, len(placed))
    refuse_other_array("moving poses", moves, bool_, len(placed))
    by_row = np.zeros((3, count)), np.zeros((3, count)), np.zeros(count, bool_)
    by_row[0][:, placed.row], by_row[1][:, placed.row], by_row[2][placed.row] = before, after, moves
    return placed, *by_row

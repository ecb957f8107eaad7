"""A snapshot as plain values, without rows, slots and instances, and back in any world.

Entities keep their numbers, so that whatever names one still does. Colliders are numbered by their public order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import esper
import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.hit_listener import Disabled
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.dynamics.rigid_body import Solid
from ecsphys.components.motion.transform import Transform
from ecsphys.components.names_in_files import name_in_files
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import NO_ROWS
from ecsphys.engine.character.character_move import STOOD_ON
from ecsphys.engine.contacts.touches import MARK, OTHER, OWN
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES
from ecsphys.systems.snapshot.pooled_runs import lengths_of
from ecsphys.systems.stage import Stage

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.joints.joint_breaks import JointBreak
    from ecsphys.systems.snapshot.snapshot import Snapshot

Tree = dict[str, Any]

MARKERS: Final[tuple[type[Any], ...]] = (Disabled, Solid)
HIDDEN: Final = frozenset({"_start", "_count"})
FIXED_STEP: Final = "fixed step"


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
        "markers": [(name_of(cls), of_class[cls].entity) for cls in MARKERS if cls in of_class],
        "plain": [(name_of(cls), of_class[cls].entity, values) for cls, values in plain.items()],
        "physics": _physics_tree(snapshot),
        "systems": _system_states(snapshot),
        "breaks": [_break_tree(found) for found in snapshot._breaks],
    }


def name_of(cls: type[Any]) -> str:
    """A class's name in bytes."""
    return name_in_files(cls)


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
        if name not in HIDDEN
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
    """The place of each part among the values of its class."""
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
    # Colliders that moved may be gone: they have no number.
    moved = number[np.minimum(arrays["moved"], most)]
    arrays["moved"] = moved[moved >= 0]
    touched = arrays["touches.numbers"] = arrays["touches.numbers"].copy()
    for column in (OWN, OTHER):
        touched[:, column] = np.where(touched[:, column] == MARK, MARK, number[touched[:, column]])
    if "journal.born" in arrays and len(arrays["journal.born"]):
        born = arrays["journal.born"]
        by_rank = np.zeros((order.size, *born.shape[1:]), born.dtype)
        is_known = order < len(born)
        by_rank[is_known] = born[order[is_known]]
        arrays["journal.born"] = by_rank
    if "journal.slots" in arrays:
        noted = arrays["journal.slots"]
        arrays["journal.slots"] = number[np.where(noted < most, noted, most)]
        values = arrays["memory.values"].copy()
        stood_on = values[:, STOOD_ON].astype(int64)
        values[:, STOOD_ON] = np.where(stood_on >= 0, number[np.clip(stood_on, 0, most)], stood_on)
        arrays["memory.values"] = values
    gone = absent.copy()
    gone[:, 0] = order.size + np.arange(len(absent))
    return {
        "arrays": arrays,
        "contacts": snapshot._contacts.to_tree(number[snapshot._contacts.pairs]),
        "flags": dict(snapshot._flags),
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
        name = name_of(type(system)) if is_stage else FIXED_STEP
        seen[name] = seen.get(name, -1) + 1
        states.append((name, seen[name], state if is_stage else (*state[:-1], _poses_tree(snapshot, state[-1]))))
    return states


def _poses_tree(snapshot: Snapshot, poses: Any) -> Any:
    """The poses between steps, in the order of the entities."""
    if poses is None:
        return None
    _, before, after, moves = poses
    rows = snapshot._structure.of_class.get(Transform, NO_ROWS).row
    # New entities have no poses yet: they are drawn at their present positions.
    is_known = rows < moves.size
    found = np.zeros((3, rows.size)), np.zeros((3, rows.size)), np.zeros(rows.size, bool_)
    known = rows[is_known]
    found[0][:, is_known], found[1][:, is_known], found[2][is_known] = before[:, known], after[:, known], moves[known]
    return found


def _break_tree(found: JointBreak) -> tuple[Any, ...]:
    store, row = type(found.joint)._columns, found.joint._row
    fields = {field.name: store.row_of_block(field.name)[row : row + 1].copy() for field in store.fields}
    return found.entity, name_of(type(found.joint)), fields, *found[2:]

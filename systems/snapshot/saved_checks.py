"""Checks of the plain values of a saved world, before anything is made from them.

Bytes with a right checksum may still be forged, or of another program: each length, type and number that is used as an
index is looked at here. What takes components to tell, their number of bodies for example, is checked when they are
there; :meth:`Snapshots.restore` puts the world back then.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import DTypeLike, NDArray

from ecsphys.components.store.column import show
from ecsphys.engine.character.character_move import MEMORY_NUMBERS, MEMORY_VALUES, REVISION
from ecsphys.engine.contacts.touches import MARK, OTHER, OWN, TOUCH_NUMBERS, TOUCH_VALUES
from ecsphys.engine.shapes.layout import KIND_CHAIN
from ecsphys.engine.tables.collider_slots import DISABLED_ABSENCE

Tree = dict[str, Any]

_PARTS: Final[dict[str, tuple[type, ...]]] = {
    "clock": (float,),
    "next_entity": (int,),
    "dead": (list,),
    "bare": (list,),
    "classes": (list,),
    "compounds": (dict,),
    "chains": (list,),
    "markers": (list,),
    "plain": (list,),
    "physics": (dict,),
    "systems": (list,),
    "breaks": (list,),
}
_OF_PHYSICS: Final[dict[str, tuple[type, ...]]] = {
    "arrays": (dict,),
    "contacts": (dict,),
    "flags": (dict,),
    "has_solver": (bool,),
    "colliders": (int,),
    "absent": (np.ndarray,),
    "given_pairs": (np.ndarray, type(None)),
    "remembered": (dict,),
}
_FLAGS: Final[dict[str, tuple[type, ...]]] = {
    "dt": (float,),
    "are_all_moved": (bool,),
    "prediction": (float,),
    "keeps_points": (bool,),
    "has_structure_changed": (bool,),
    "has_changed": (bool,),
    "is_measured": (bool,),
    "has_bodies": (bool,),
    "has_joints": (bool,),
}
# The columns of each array of the physics, () for none, and its type.
_ARRAYS: Final[dict[str, tuple[tuple[int | None, ...], DTypeLike]]] = {
    "moved": ((), int32),
    "bodies.forces": ((3,), float64),
    "bodies.masses": ((None,), float64),
    "bodies.of_disabled": ((), int32),
    "bodies.slow_for": ((), float64),
    "bodies.island": ((), int32),
    "bodies.accelerations": ((3,), float64),
    "bodies.touching": ((), int32),
    "bodies.is_changed": ((), uint8),
    "joints.starts": ((None,), float64),
    "joints.impulses": ((None,), float64),
    "joints.totals": ((3,), float64),
    "joints.loads": ((3,), float64),
    "memory.numbers": ((MEMORY_NUMBERS,), int64),
    "memory.values": ((MEMORY_VALUES,), float64),
    "memory.dropped": ((2,), int64),
    "touches.numbers": ((TOUCH_NUMBERS,), int64),
    "touches.values": ((TOUCH_VALUES,), float64),
    "touches.kept": ((), int64),
    "journal.slots": ((), int32),
    "journal.poses": ((3,), float64),
    "journal.first": ((), int64),
    "journal.born": ((), int64),
}
# Seconds that wait for a step: far more than any frame has.
_MOST_REMAINDER: Final = 10**9

# As long as each other.
_OF_BODIES: Final = ("slow_for", "forces", "masses", "island", "accelerations", "touching", "is_changed")


def check_tree(tree: Any) -> None:
    """ValueError naming the first thing that no snapshot has."""
    refuse_others("content", tree, _PARTS)
    if not 0.0 <= tree["clock"] < math.inf:
        raise ValueError(f"the snapshot's clock is {tree['clock']}")
    next_entity = tree["next_entity"]
    if not 1 <= next_entity < 2**62:
        raise ValueError(f"the snapshot's next_entity is {next_entity}")
    for name in ("dead", "bare"):
        for entity in tree[name]:
            if type(entity) is not int or not 1 <= entity < next_entity:
                raise ValueError(f"the snapshot's {name} has the entity {show(entity)}")
    _check_physics(tree["physics"], next_entity)


def refuse_others(what: str, tree: Any, kinds: dict[str, tuple[type, ...]]) -> None:
    """ValueError where a value is no dict with just these names, of these types."""
    if type(tree) is not dict:
        raise ValueError(f"the snapshot's {what} is {show(tree)}")
    if tree.keys() != kinds.keys():
        unlike = sorted(map(str, tree.keys() ^ kinds.keys()))
        raise ValueError(f"the snapshot's {what} has missing or unknown entries: {', '.join(unlike)}")
    for name, allowed in kinds.items():
        if type(tree[name]) not in allowed:
            raise ValueError(f"the snapshot's {name} is {show(tree[name])}")


def refuse_other_array(name: str, value: Any, dtype: DTypeLike, *shape: int | None) -> None:
    """Raise ValueError unless it is an array of this type and shape; a None in the shape may be any length."""
    is_array = isinstance(value, np.ndarray) and value.dtype == dtype and value.ndim == len(shape)
    if not is_array or any(want not in (None, found) for want, found in zip(shape, value.shape, strict=True)):
        found = f"of {value.dtype}, {value.shape}" if isinstance(value, np.ndarray) else show(value)
        raise ValueError(f"the snapshot's {name} must be an array of {np.dtype(dtype)}, {shape}, got {found}")


def refuse_numbers_beyond(name: str, numbers: NDArray[Any], low: float, high: float) -> None:
    """ValueError for a number of an array below ``low`` or above ``high``, or NaN."""
    if numbers.size and not bool(((numbers >= low) & (numbers <= high)).all()):
        bad = numbers[~((numbers >= low) & (numbers <= high))]
        raise ValueError(f"the snapshot's {name} must be from {low} to {high}, got {bad.flat[0]}")


def checked_entities(name: str, entities: Any, next_entity: int) -> NDArray[int64]:
    """Entities, ascending; ValueError for others."""
    refuse_other_array(f"entities with a {name}", entities, int64, None)
    refuse_numbers_beyond(f"entities with a {name}", entities, 1, next_entity - 1)
    if (np.diff(entities) <= 0).any():
        raise ValueError(f"the snapshot's entities with a {name} must be in ascending order")
    numbers: NDArray[int64] = entities
    return numbers


def check_fixed_step(state: Any) -> None:
    """Raise ValueError unless it is the state of a fixed step; its poses are checked elsewhere."""
    kinds = (Fraction, int, int, int, float)
    if type(state) is not tuple or tuple(map(type, state[:5])) != kinds or len(state) != 6:
        raise ValueError(f"the snapshot's fixed step is {show(state)}")
    # The remainder may be a rounding error below 0.
    if min(state[1:5]) < 0 or not state[4] < math.inf or not abs(state[0]) < _MOST_REMAINDER:
        raise ValueError(f"the snapshot's fixed step has an impossible number: {show(state)}")


def _check_physics(tree: Tree, next_entity: int) -> None:
    refuse_others("physics", tree, _OF_PHYSICS)
    refuse_others("flags", tree["flags"], _FLAGS)
    flags, arrays, colliders = tree["flags"], tree["arrays"], tree["colliders"]
    for name in ("dt", "prediction"):
        if not 0.0 <= flags[name] < math.inf:
            raise ValueError(f"the snapshot's {name} is {flags[name]}")
    absent = tree["absent"]
    refuse_other_array("absent", absent, int64, None, 5)
    if not 0 <= colliders < 2**31 - len(absent):
        raise ValueError(f"the snapshot has {colliders} colliders")
    count = colliders + len(absent)
    if (absent[:, 0] != np.arange(colliders, count)).any():
        raise ValueError("the snapshot's absent colliders must have the numbers after the present colliders")
    ranges = ((1, next_entity - 1), (0, KIND_CHAIN), (-1, 2**31 - 1), (1, DISABLED_ABSENCE))
    for column, (low, high) in enumerate(ranges, start=1):
        refuse_numbers_beyond("absent colliders", absent[:, column], low, high)
    if tree["given_pairs"] is not None:
        refuse_other_array("given pairs", tree["given_pairs"], int32, None, 2)
    _check_arrays(arrays, flags, colliders, count)
    _check_characters(tree, arrays, next_entity)


def _check_arrays(arrays: Tree, flags: Tree, colliders: int, count: int) -> None:
    wanted = {"moved"} | {name for name in _ARRAYS if name.startswith("touches.")}
    wanted |= {name for name in _ARRAYS if name.startswith("bodies.")} if flags["has_bodies"] else set()
    wanted |= {name for name in _ARRAYS if name.startswith("joints.")} if flags["has_joints"] else set()
    characters = {name for name in _ARRAYS if name.startswith(("memory.", "journal."))}
    if arrays.keys() not in (wanted, wanted | characters):
        raise ValueError(f"the snapshot has missing or unknown arrays: {sorted(map(str, arrays))}")
    for name, array in arrays.items():
        columns, dtype = _ARRAYS[name]
        refuse_other_array(name, array, dtype, None, *columns)
        if array.dtype == float64 and name not in ("joints.impulses", "memory.values", "touches.values"):
            # A body that has just fallen asleep notes its pushes in the next step: NaN until then.
            known = array[~np.isnan(array)] if name == "bodies.accelerations" else array
            refuse_numbers_beyond(name, known, -1e300, math.inf)
    refuse_numbers_beyond("moved", arrays["moved"], 0, colliders - 1)
    if np.unique(arrays["moved"]).size != arrays["moved"].size:
        raise ValueError("the snapshot lists a moved collider twice")
    if flags["has_bodies"]:
        bodies = len(arrays["bodies.slow_for"])
        for name in _OF_BODIES:
            if len(arrays[f"bodies.{name}"]) != bodies:
                raise ValueError(f"the snapshot's bodies.{name} must have {bodies} bodies")
        refuse_numbers_beyond("bodies.island", arrays["bodies.island"], -1, bodies - 1)
        refuse_numbers_beyond("bodies.of_disabled", arrays["bodies.of_disabled"], 0, bodies - 1)
        refuse_numbers_beyond("bodies.touching", arrays["bodies.touching"], 0, 2**31 - 1)
    touched = arrays["touches.numbers"]
    refuse_numbers_beyond("touches.numbers", touched[:, OWN], 0, colliders - 1)
    refuse_numbers_beyond("touches.numbers", touched[:, OTHER], MARK, colliders - 1)
    refuse_other_array("touches.kept", arrays["touches.kept"], int64, 1)
    refuse_numbers_beyond("touches.kept", arrays["touches.kept"], 0, len(touched))
    if len(arrays["touches.values"]) != len(touched):
        raise ValueError("the arrays of the snapshot's touches have different lengths")
    if "journal.slots" in arrays:
        refuse_numbers_beyond("journal.slots", arrays["journal.slots"], -1, count - 1)
        refuse_numbers_beyond("journal.born", arrays["journal.born"], 0, 2**62)
        refuse_other_array("journal.first", arrays["journal.first"], int64, 1)
        refuse_numbers_beyond("journal.first", arrays["journal.first"], 0, 2**62)
        if len(arrays["journal.poses"]) != len(arrays["journal.slots"]):
            raise ValueError("the snapshot's journal must have one pose for each entry")
        if len(arrays["journal.born"]) not in (0, colliders):
            raise ValueError(f"the snapshot's journal.born must have {colliders} colliders")


def _check_characters(tree: Tree, arrays: Tree, next_entity: int) -> None:
    remembered = tree["remembered"]
    if bool(remembered) != ("memory.numbers" in arrays):
        raise ValueError("the snapshot has characters without memories, or memories without characters")
    if not remembered:
        return
    used = len(arrays["memory.numbers"])
    if len(arrays["memory.values"]) != used:
        raise ValueError("the arrays of the snapshot's memories have different lengths")
    refuse_numbers_beyond("memory.numbers", arrays["memory.numbers"][:, REVISION], -1, 2**62)
    rows = list(remembered.values())
    for entity, row in remembered.items():
        if type(entity) is not int or not 1 <= entity < next_entity:
            raise ValueError(f"the snapshot has memories of the entity {show(entity)}")
        if type(row) is not int or not 0 <= row < used:
            raise ValueError(f"the snapshot has memories of entity {entity} in row {show(row)} of {used}")
    if len(set(rows)) != len(rows):
        raise ValueError("the snapshot has two characters in one row")

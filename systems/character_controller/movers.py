"""Moves characters, stops them at solids, and lets them push the dynamic bodies that stop them; what they remember."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from threading import get_ident
from typing import TYPE_CHECKING, Any, Final

import esper
import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import Disabled
from ecsphys.components.dynamics.rigid_body import Character, OneWay, RigidBody
from ecsphys.components.motion.transform import Parent, Transform, Velocity
from ecsphys.components.store.column import as_array, number_pair, show, true_or_false
from ecsphys.components.store.component_table import rows_of
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import REPLACEMENTS, WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.engine.broadphase.pairs import MOST_PAIRS, TooManyPairsError
from ecsphys.engine.character import character_move as kernels
from ecsphys.engine.character import mover, slide
from ecsphys.engine.character.character_move import move_all
from ecsphys.engine.dynamics.bodies import (
    DYNAMIC,
    FORCE_X,
    FORCE_Y,
    OWN_INVERSE_INERTIA,
    OWN_INVERSE_MASS,
    TORQUE,
    center_from_position,
)
from ecsphys.engine.kernels import grown
from ecsphys.engine.manifold.convex import HULLS_SHAPE
from ecsphys.engine.math.elementary import cos_sin, hypot, real_array
from ecsphys.engine.tables.entity_rows import RIGID_BODY, TRANSFORM, VELOCITY
from ecsphys.systems.arguments import Vector, whole_number
from ecsphys.systems.character_controller import move_results
from ecsphys.systems.world.collider_placing import BOX_PADDING
from ecsphys.systems.world.entity_table import EntityTable
from ecsphys.systems.world.esper_world import refuse_other_world
from ecsphys.systems.world.row_checks import refuse_bad_values

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.spatial_query.search import FiledColliders


def push_bodies(state: PhysicsState, entities: list[int], moves: move_results.MoveRecords) -> None:
    """Push the dynamic bodies that stopped characters through the next step, as hard as their ``push_force`` lets them.

    ``moves`` are the moves of these characters. In a step as long as the last one, the force makes a body as fast as
    the character meant to be. The forces of all contacts of a move together are at most ``push_force``. The floor below
    a character is not pushed.
    """
    if state.progress.dt <= 0.0 or not Character._columns.row_of_block("push_force").any():
        return
    pushing = [(k, esper.component_for_entity(entity, Character)) for k, entity in enumerate(entities)]
    pushing = [(k, character) for k, character in pushing if character.push_force > 0.0]
    if not pushing:
        return
    state.body_table.update()
    state.update()
    state.body_table.masses.measure(state)
    for k, character in pushing:
        left, (x, y) = character.push_force, moves.asked(k)
        up_x, up_y, steepest = character.up_x, character.up_y, cos_sin(character.slope_limit)[0]
        for contact in moves.contacts(k):
            normal_x, normal_y = contact.normal
            if (normal_x * up_x + normal_y * up_y) / hypot(up_x, up_y) < steepest:
                left -= _push(state, contact, -(x * normal_x + y * normal_y) / state.progress.dt, left)


def _push(state: PhysicsState, contact: move_results.MoveContact, speed: float, most: float) -> float:
    """Push a body against the normal of a contact through the next step, with a force of ``most`` at most, until the
    point of the contact is as fast; returns the force."""
    table, slot = state.body_table, state.tables.entities.slot_of[contact.entity]
    row, listed = int(table.row_of_owners(np.array([slot]))[0]), table.listed
    if listed.kind[row] != DYNAMIC or row == 0:
        return 0.0
    x, y, angle = Transform._columns.float64[:, listed.rows[TRANSFORM, row]].tolist()
    velocity_x, velocity_y, angular = Velocity._columns.float64[:, listed.rows[VELOCITY, row]].tolist()
    center_x, center_y = center_from_position(row, angle, listed)
    push_x, push_y = -contact.normal[0], -contact.normal[1]
    arm_x, arm_y = contact.point[0] - x - center_x, contact.point[1] - y - center_y
    own = (velocity_x - angular * arm_y) * push_x + (velocity_y + angular * arm_x) * push_y
    turn = arm_x * push_y - arm_y * push_x
    per_mass, per_inertia = listed.masses[row, [OWN_INVERSE_MASS, OWN_INVERSE_INERTIA]].tolist()
    given = listed.forces[row]
    pushed = (given[FORCE_X] * push_x + given[FORCE_Y] * push_y) * per_mass + given[TORQUE] * turn * per_inertia
    force = min(most, ((speed - own) / state.progress.dt - pushed) / (per_mass + per_inertia * turn * turn))
    if not force > 0.0:
        return 0.0
    given[FORCE_X] += force * push_x
    given[FORCE_Y] += force * push_y
    given[TORQUE] += force * turn
    return float(force)


_NONE_KNOWN: Final = np.zeros(0, int64), np.zeros((0, 1), int64), np.zeros((0, 1)), np.zeros((0, 2), int64)


class CharacterMemory:
    """The memories of the characters of a world; ``arrays`` are for the kernel, which gives rows to those it moves.

    A memory belongs to a character with a certain transform instance, from ``EntityTable.placed_since`` on. For another
    instance the kernel starts a new memory in the same row.
    """

    __slots__ = ("_entities", "arrays")

    def __init__(self, entities: EntityTable) -> None:
        self._entities = entities
        self.put_known(*_NONE_KNOWN)

    def forget(self) -> None:
        """Forget all characters."""
        if self.arrays.counts.any():
            self.put_known(*_NONE_KNOWN)

    def known(self) -> tuple[NDArray[int64], NDArray[int64], NDArray[float64], NDArray[int64]]:
        """The characters that are remembered with their present transforms, ascending, their numbers and values; and
        the solids that they drop through, in pairs."""
        arrays, table = self.arrays, self._entities
        rows, pairs = arrays.counts.tolist()
        if not rows:
            return _NONE_KNOWN
        owner, (numbers, values) = arrays.owner[:rows], _memory_columns(arrays, rows)
        there = np.flatnonzero(numbers[:, kernels.SINCE] == table.placed_since[owner])
        entities = table.slots.entity[owner[there]]
        order = entities.argsort()
        there = there[order]
        dropped = arrays.dropped[:pairs]
        return entities[order], numbers[there], values[there], dropped[np.isin(dropped[:, 0], entities)]

    def put_known(
        self,
        entities: NDArray[int64],
        numbers: NDArray[int64],
        values: NDArray[float64],
        dropped: NDArray[int64],
        needed: int = 0,
    ) -> None:
        """Have exactly these memories, room for all slots of entities, and for ``needed`` memories and pairs."""
        table, slots = self._entities, self._entities.find_slots(entities)
        there = np.flatnonzero(slots >= 0)
        owner, rows, pairs = slots[there], len(there), len(dropped)
        room = grown(max(rows, pairs, needed))
        arrays = mover.Memories(
            np.full(table.slots.entity.size, -1, int32),
            np.zeros(room, int32),
            np.zeros(room, mover.MEMORY_NUMBER),
            np.zeros(room, mover.MEMORY_VALUE),
            np.zeros((room, 2), int64),
            np.array([rows, pairs]),
        )
        arrays.row_of[owner] = np.arange(rows)
        own_numbers, own_values = _memory_columns(arrays, rows)
        arrays.owner[:rows], own_numbers[:], own_values[:] = owner, numbers[there], values[there]
        own_numbers[:, kernels.SINCE] = table.placed_since[owner]
        arrays.dropped[:pairs] = dropped
        self.arrays = arrays

    def make_room(self, needed: int) -> None:
        """Have room for all slots of entities, and for so many memories and pairs."""
        held = self.arrays
        if needed > min(len(held.owner), len(held.dropped)) or len(held.row_of) < self._entities.slots.entity.size:
            self.put_known(*self.known(), needed)


def _memory_columns(arrays: mover.Memories, rows: int) -> tuple[NDArray[int64], NDArray[float64]]:
    """The numbers and the values of rows, with a column for each field."""
    numbers, values = arrays.numbers[:rows].view(int64), arrays.values[:rows].view(float64)
    return numbers.reshape(rows, kernels.MEMORY_NUMBERS), values.reshape(rows, kernels.MEMORY_VALUES)


_FIRST_ROWS = 256


class Movers:
    """The moves of :class:`~ecsphys.Physics`, which has these methods: moves entities among solid entities."""

    def __init__(self, state: PhysicsState, filed: FiledColliders) -> None:
        self._state = state
        self._filed = filed
        self._put_arrays(_new_arrays(1, _FIRST_ROWS))
        # The arrays that kernels read; and esper's answer for unchanged tables, and the replaced blocks, as of then.
        self._rules: mover.Rules | None = None
        self._rules_as_of: tuple[object, int] = None, -1

    def _put_arrays(self, arrays: mover.MoveArrays) -> None:
        self._work, self._moves = arrays, move_results.MoveRecords(*arrays[:3])

    def move_and_slide(self, entity: int, displacement: Vector, up: Vector = (0.0, 1.0)) -> move_results.MoveResult:
        """Move an entity's ``Transform`` by at most ``displacement``: it stops at solid entities and slides along them.

        Call it at any time, between steps or in a processor. An entity blocks if it has a :class:`Solid` and both
        filters allow a hit. All colliders of the moved entity are used. They keep a gap of a ten-thousandth of their
        size. The next step reports a hit, with depth 0, for each entity that it ran into.

        Parameters
        ----------
        entity
            The entity to move.
        displacement
            (x, y), units.
        up
            The direction up, of any length, which distinguishes floors from walls. With (0, 0), as in a top-down game,
            everything is a wall.

        Raises
        ------
        KeyError
            If the entity does not exist.
        ValueError
            If it has no ``Transform`` or no collider, or a number is not finite.
        TypeError
            If ``displacement`` or ``up`` is not a pair of numbers.
        RuntimeError
            If another esper world is current. After any error nothing has moved.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> wall = esper.create_entity(Transform(3, 0), AABBCollider(1, 8), Solid())
        >>> hero = esper.create_entity(Transform(0, 0), CircleCollider(0.5))
        >>> result = physics.move_and_slide(hero, (4.0, 1.0))
        >>> result.on_wall, round(result.moved[0], 3), result.moved[1]
        (True, 1.5, 1.0)
        """
        self._move_one(entity, displacement, number_pair("up", up), False, False)
        return self._moves.slide_result(0)

    def move_character(self, entity: int, displacement: Vector, drop: bool = False) -> move_results.CharacterMove:
        """Move the ``Transform`` of an entity with a :class:`Character`, as it walks.

        It works like :meth:`move_and_slide`, with these additions:

        - First, the floor carries the character along, and solids that moved into it since its last move push it.
        - On a floor, a displacement that does not rise follows the floor.
        - The character climbs steps and follows the floor down, within the limits of its ``Character``.

        Parameters
        ----------
        entity
            An entity with a ``Character``.
        displacement
            (x, y), units.
        drop
            True makes it fall through the one-way solids on which it stands.

        Raises
        ------
        KeyError, TypeError, RuntimeError
            See :meth:`move_and_slide`.
        ValueError
            Also if the entity has no ``Character`` or bad values in its columns, or if an up direction or a normal of a
            ``OneWay`` is (0, 0).
        """
        self._move_one(entity, displacement, (0.0, 0.0), True, true_or_false("drop", drop))
        return self._moves.character_move(0)

    def move_characters(
        self, entities: Iterable[int] | NDArray[Any], displacements: Any, drop: bool | Iterable[bool] = False
    ) -> move_results.CharacterMoves:
        """:meth:`move_character` for many entities, in the given order; much faster than n calls.

        Each entity moves after the entities before it. An entity that is given twice is moved twice.

        Errors are the same as for :meth:`move_character`, and name the entity. Arrays of other shapes raise ValueError.
        All arguments are checked before anything moves. There are three exceptions, after which the entities before
        have moved: a position that stops being finite, a path with too many obstacles, and a lack of memory.

        Parameters
        ----------
        entities
            (n,) integers.
        displacements
            (n, 2), units, in the order of the entities.
        drop
            One bool for all, or (n,).
        """
        refuse_other_world(self._state.world)
        if not isinstance(entities, Iterable):
            raise TypeError(f"entities must be whole numbers of shape (n,), got {show(entities)}")
        given = entities.tolist() if isinstance(entities, np.ndarray) else list(entities)
        try:
            numbers = list(map(operator.index, given))
        except TypeError:
            numbers = [whole_number(f"entities[{k}]", entity) for k, entity in enumerate(given)]
        count = len(numbers)
        ways = _displacements(displacements, numbers)
        drops = _drops(drop, count)
        self._state.update()
        if count > len(self._work.moves):
            self._put_arrays(_new_arrays(grown(count), len(self._work.keys)))
        slot_of, moves = self._state.tables.entities.slot_of, self._work.moves[:count]
        slots = [slot_of.get(entity, -1) for entity in numbers]
        moves["owner"], moves["walks"], moves["drops"] = slots, 1, drops
        moves["ask_x"], moves["ask_y"] = ways.T
        if count:
            self._move(numbers, slots)
            if self._state.tables.entities.instances[RIGID_BODY].count:
                push_bodies(self._state, numbers, self._moves)
        moves, walls, contacts = self._work[:3]
        end = int(moves["contacts"][count - 1]) if count else 0
        return move_results.CharacterMoves(moves[:count].copy(), walls[: 2 * count].copy(), contacts[:end].copy())

    def _move_one(self, entity: int, displacement: Vector, up: move_results.Point, walks: bool, drops: bool) -> None:
        """Move one entity; the first of the moves has the outcome."""
        state = self._state
        refuse_other_world(state.world)
        way, number = number_pair("displacement", displacement), whole_number("entity", entity)
        state.update()
        entities = state.tables.entities
        slot = entities.slot_of.get(number, -1)
        self._moves.ask(slot, way, up, walks, drops)
        self._move([number], [slot])
        if walks and entities.instances[RIGID_BODY].count:
            push_bodies(state, [number], self._moves)

    def _move(self, entities: list[int], slots: list[int]) -> None:
        """Move entities, by their slots, as the arrays ask; the arrays have the outcome."""
        state, filed, places, columns = self._state, self._filed, self._state.tables.entities, Transform._columns
        journal, transforms = state.placing.keep_journal(), places.instances[TRANSFORM]
        first, count, why, thread = 0, len(slots), kernels.NO_ROOM, get_ident()
        while why != kernels.FINE:
            searched = filed.look_to_move()
            # Noted first: after an interrupt, written rows are checked in any case.
            rows = [transforms[slot]._row for slot in slots[first:] if slot in transforms]
            revision = columns.writes.note_rows(tuple(rows))
            settings = kernels.MoveSettings(first, count, state.clock, state.moved_for, BOX_PADDING, filed.most_aside)
            try:
                hold_blocks(thread)  # as blocks_stay()
                first, why, needed = move_all(
                    searched,
                    self._rules_now(),
                    state.hits.scenes.velocities,
                    journal.arrays,
                    state.characters.arrays,
                    state.touches.arrays,
                    columns.float64,
                    self._work,
                    settings,
                )
            finally:
                release_blocks(thread)
            if WAITING:
                let_blocks_move()
            state.placing.note_placed(revision)
            if why == kernels.NO_ROOM:
                self._make_room(needed, entities[first])
            elif kernels.NO_MEMORIES <= why <= kernels.NO_TOUCHES:
                rooms: tuple[Any, ...] = state.characters, journal, state.touches
                rooms[why - kernels.NO_MEMORIES].make_room(needed)
            elif why >= kernels.NO_COLLIDER:
                raise self._error(why, first, entities)

    def _make_room(self, needed: int, entity: int) -> None:
        """Have so much room for the work. TooManyPairsError if an ``entity`` has too many solids around it."""
        if needed > MOST_PAIRS:
            raise TooManyPairsError(
                f"entity {entity}: more than {MOST_PAIRS:,} solids are on its path; move it less far in one call"
            )
        held = self._work
        work = _new_arrays(1, grown(needed))
        work.contacts[: len(held.contacts)] = held.contacts
        self._put_arrays(work._replace(moves=held.moves, walls=held.walls))

    def _rules_now(self) -> mover.Rules:
        """Which entities block which: the same object while nothing of it has changed."""
        state = self._state
        answer, made, dead = state.tables.answer, REPLACEMENTS.made, dead_entities()
        as_of = self._rules_as_of
        if self._rules is None or as_of[0] is not answer or as_of[1] != made or dead or self._rules.dead.size:
            one_way, children, characters = rows_of(OneWay), rows_of(Parent), rows_of(Character)
            columns = Character._columns
            self._rules = mover.Rules(
                state.tables.entities.slots,
                state.placing.notes,
                one_way.entity,
                one_way.row,
                OneWay._columns.float64,
                children.entity,
                children.row,
                Parent._columns.int64,
                characters.entity,
                characters.row,
                columns.float64,
                columns.low,
                columns.high,
                np.array(sorted(dead), int64),
                RigidBody._columns.float64,
                state.tables.entities.placed_since,
            )
            self._rules_as_of = answer, made
        return self._rules

    def _error(self, why: int, place: int, entities: list[int]) -> Exception:
        """The error for a fault that the kernel found, with the mover at a place, or with a one-way solid."""
        if why == kernels.BAD_ONE_WAY:
            table = rows_of(OneWay)
            normal = tuple(OneWay._columns.float64[:, table.row[place]].tolist())
            return ValueError(
                f"entity {int(table.entity[place])}: the normal of its OneWay must be a finite direction, got {normal}"
            )
        entity = entities[place]
        if why == kernels.NO_COLLIDER:
            return _why_it_cannot_move(entity)
        if why == kernels.BAD_CHARACTER:
            character = esper.try_component(entity, Character)
            if character is None:
                return ValueError(f"entity {entity} has no Character: add one, or use move_and_slide")
            refuse_bad_values(Character, np.array([entity]), np.array([character._row], int32))
            return ValueError(f"entity {entity}: Character.up_x and Character.up_y must not both be 0")
        moved = float(self._work.moves["x"][place]), float(self._work.moves["y"][place])
        return ValueError(f"entity {entity}: its position is no longer finite after a move by {moved}")


def _new_arrays(moves: int, rows: int) -> mover.MoveArrays:
    """Arrays for some moves, with rows for the solids that they meet."""
    walls, contacts, ahead, aside, feet = (np.zeros(count, mover.HIT) for count in (2 * moves, rows, rows, rows, 2))
    own, dropped, keys = np.zeros((3, rows), int64)
    return mover.MoveArrays(
        np.zeros(moves, mover.MOVE),
        walls,
        contacts,
        own,
        np.zeros(rows, mover.SOLID),
        ahead,
        aside,
        np.zeros(rows, mover.MOTION),
        dropped,
        np.zeros((rows, 2), int32),
        keys,
        feet,
        np.zeros((slide.MOST_SLIDES, 2)),
        np.zeros(HULLS_SHAPE),
    )


def _displacements(value: Any, entities: list[int]) -> NDArray[float64]:
    """Displacements (n, 2) of entities, all finite."""
    count = len(entities)
    array = real_array("displacements", value, f"({count}, 2)")
    if array.size == 0 and count == 0:
        return np.zeros((0, 2))
    if array.shape != (count, 2):
        raise ValueError(f"displacements must be of shape ({count}, 2), one row for each entity, got {array.shape}")
    bad = np.flatnonzero(~np.isfinite(array).all(axis=1))
    if bad.size:
        k = int(bad[0])
        raise ValueError(f"displacements[{k}] (entity {entities[k]}) must be finite, got {array[k].tolist()}")
    return array


def _drops(value: Any, count: int) -> NDArray[Any]:
    """Whether each drops, from one bool for all or one bool for each."""
    array = as_array(value)
    if array.size and array.dtype != bool_:
        raise TypeError(f"drop must be True or False, or an array of bools, got {show(value)}")
    if array.shape not in ((), (count,)):
        raise ValueError(f"drop must be one bool for all entities, or of shape ({count},), got {array.shape}")
    return array


def _why_it_cannot_move(entity: Any) -> Exception:
    try:
        esper.components_for_entity(entity)
    except KeyError:
        return KeyError(f"entity {entity!r} does not exist")
    if not esper.has_component(entity, Transform):
        return ValueError(f"entity {entity} has no Transform, so it cannot be moved: add one")
    if esper.has_component(entity, Disabled):
        return ValueError(
            f"entity {entity} is Disabled, so nothing can block it: remove Disabled, or change its Transform"
        )
    return ValueError(
        f"entity {entity} has only sensor colliders (or none), so nothing can block it: add a collider, or change its"
        " Transform"
    )

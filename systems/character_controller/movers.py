"""Moves characters, and stops them at solids."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from threading import get_ident
from typing import TYPE_CHECKING, Any

import esper
import numpy as np
from numpy import bool_, float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import filter_blocks
from ecsphys.components.collision.hit_listener import Disabled
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.dynamics.rigid_body import Character, OneWay, RigidBody
from ecsphys.components.motion.transform import Parent, Transform
from ecsphys.components.store.column import show, true_or_false
from ecsphys.components.store.component_table import dead_entities, rows_of
from ecsphys.components.store.standing_blocks import WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.engine.character.move_kernel import (
    BAD_CHARACTER,
    BAD_ONE_WAY,
    BAD_UP,
    CONTACTS_END,
    MANY_ASIDE,
    MOVED,
    NO_CHARACTER,
    NO_COLLIDER,
    NO_JOURNAL,
    NO_MEMORIES,
    NO_TOUCHES,
    WALL_COUNT,
    Characters,
    Moved,
    MoveSettings,
    move_all,
)
from ecsphys.engine.character.mover import FINE
from ecsphys.engine.character.solid_world import FiledSolids, SolidRules, SolidWorld
from ecsphys.engine.contacts.one_way import EntityRows
from ecsphys.engine.math.real_arrays import real_array
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y
from ecsphys.engine.tables.entity_rows import TRANSFORM
from ecsphys.systems.arguments import Vector, pair_of_numbers, whole_number
from ecsphys.systems.character_controller.body_pushing import push_bodies
from ecsphys.systems.character_controller.character_memory import CharacterMemory
from ecsphys.systems.character_controller.move_buffers import MoveBuffers
from ecsphys.systems.character_controller.move_results import (
    CharacterMove,
    CharacterMoves,
    MoveResult,
    character_move,
    slide_result,
)
from ecsphys.systems.world.collider_placing import BOX_PADDING
from ecsphys.systems.world.esper_world import refuse_other_world
from ecsphys.systems.world.row_checks import refuse_bad_floats

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.spatial_query.filed_colliders import FiledColliders
    from ecsphys.systems.world.pose_journal import PoseJournal

_NONE = np.zeros(0, int64)


class Movers:
    """The moves of :class:`~ecsphys.Physics`, which has these methods: moves entities among solid entities."""

    def __init__(self, state: PhysicsState, filed: FiledColliders) -> None:
        self._state = state
        self._filed = filed
        self._memory = CharacterMemory(state)
        self._buffers = MoveBuffers()
        self._journal: PoseJournal | None = None

    def move_and_slide(self, entity: int, displacement: Vector, up: Vector = (0.0, 1.0)) -> MoveResult:
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
        refuse_other_world(self._state.world)
        ways = self._buffers.orders.displacements
        ways[0, ALONG_X], ways[0, ALONG_Y] = pair_of_numbers("displacement", displacement)
        upwards = pair_of_numbers("up", up)
        self._move([_entity_number(entity)], upwards)
        results = self._buffers.results
        numbers = results.numbers[0].tolist()
        return slide_result(results.values[0].tolist(), numbers, results.contacts[: numbers[CONTACTS_END]].tolist())

    def move_character(self, entity: int, displacement: Vector, drop: bool = False) -> CharacterMove:
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
        refuse_other_world(self._state.world)
        orders = self._buffers.orders
        ways = orders.displacements
        ways[0, ALONG_X], ways[0, ALONG_Y] = pair_of_numbers("displacement", displacement)
        orders.drops[0] = true_or_false("drop", drop)
        self._move([_entity_number(entity)], None)
        results = self._buffers.results
        numbers = results.numbers[0].tolist()
        contacts = results.contacts[: numbers[CONTACTS_END]].tolist()
        walls = results.walls[0].reshape(2, -1).tolist() if numbers[WALL_COUNT] else []
        return character_move(results.values[0].tolist(), numbers, contacts, walls)

    def move_characters(
        self, entities: Iterable[int] | NDArray[Any], displacements: Any, drop: bool | Iterable[bool] = False
    ) -> CharacterMoves:
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
        numbers = [whole_number(f"entities[{k}]", entity) for k, entity in enumerate(given)]
        count = len(numbers)
        ways = _displacements(displacements, numbers)
        drops = _drops(drop, count)
        self._buffers.make_room_for(count)
        orders = self._buffers.orders
        orders.displacements[:count] = ways
        orders.drops[:count] = drops
        if count:
            self._move(numbers, None)
        results = self._buffers.results
        start = np.zeros(count + 1, int64)
        start[1:] = results.numbers[:count, CONTACTS_END]
        return CharacterMoves(
            results.values[:count].copy(),
            results.numbers[:count].copy(),
            results.walls[:count].copy(),
            start,
            results.contacts[: start[-1]].copy(),
        )

    def _move(self, entities: list[int], slides_with: tuple[float, float] | None) -> None:
        """Move entities by their orders: as characters, or by sliding, with this direction of up.

        The results have the outcome.
        """
        state, filed, buffers = self._state, self._filed, self._buffers
        state.update()
        journal = state.placing.keep_journal()
        self._journal = journal
        filed.look_to_move()
        touches = state.touches
        count, tables, orders = len(entities), state.tables, buffers.orders
        slot_of, places = tables.entities.slot_of, tables.entities.instances[TRANSFORM]
        slots = [slot_of.get(entity, -1) for entity in entities]
        orders.owners[:count] = slots
        orders.memories[:count] = self._memory.rows_of(entities) if slides_with is None else -1
        up_x, up_y = slides_with or (0.0, 0.0)
        transforms, characters = Transform._columns, Character._columns
        first, thread = 0, get_ident()
        while True:
            # Noted first: after an interrupt, written rows are checked in any case.
            rows = [places[slot]._row for slot in slots[first:] if slot in places]
            revision = transforms.writes.note_rows(np.array(rows, int64))
            try:
                hold_blocks(thread)  # as blocks_stay()
                done, why, needed = move_all(
                    self._solid_world(),
                    Moved(transforms.float64, journal.arrays, touches.arrays),
                    Characters(_rows_of(Character), characters.float64, characters.low, characters.high),
                    self._memory.arrays,
                    orders,
                    MoveSettings(
                        first,
                        count,
                        slides_with is None,
                        up_x,
                        up_y,
                        state.clock,
                        state.moved_for,
                        BOX_PADDING,
                        filed.most_aside,
                    ),
                    buffers.mover,
                    buffers.scratch,
                    buffers.results,
                )
            finally:
                release_blocks(thread)
            if WAITING:
                let_blocks_move()
            state.placing.note_placed(revision)
            if why == FINE:
                break
            if why == NO_JOURNAL:
                journal.make_room(needed)
            elif why == NO_TOUCHES:
                touches.make_room(needed)
            elif why == NO_MEMORIES:
                self._memory.make_room_for_dropped(needed)
            elif why == MANY_ASIDE:
                filed.look_to_move()
            elif why < NO_COLLIDER:
                buffers.make_room(why, needed, entities[done])
            else:
                raise self._error(why, done, entities)
            first = done
        if slides_with is None:
            results = buffers.results
            ends = results.numbers[:count, CONTACTS_END]
            push_bodies(state, entities, orders.displacements[:count], ends, results.contacts)

    def _solid_world(self) -> SolidWorld:
        """The data of the world that movers read."""
        state, filed = self._state, self._filed
        colliders = state.tables.colliders
        dead = dead_entities()
        return SolidWorld(
            FiledSolids(filed.awake.arrays, filed.asleep.arrays, state.placing.notes),
            state.tables.entities.slots,
            colliders.slots,
            colliders.placed,
            VERTEX_POOL.data,
            SolidRules(
                filter_blocks(),
                _rows_of(OneWay),
                OneWay._columns.float64,
                _rows_of(Parent),
                Parent._columns.int64,
                np.array(sorted(dead), int64) if dead else _NONE,
                RigidBody._columns.float64,
            ),
            state.hits.velocities,
        )

    def _error(self, why: int, place: int, entities: list[int]) -> Exception:
        """The error for a fault that the kernel found, with the mover at a place, or with a one-way solid."""
        if why == BAD_ONE_WAY:
            table = rows_of(OneWay)
            normal = tuple(OneWay._columns.float64[:, table.row[place]].tolist())
            return ValueError(
                f"entity {int(table.entity[place])}: the normal of its OneWay must be a finite direction, got {normal}"
            )
        entity = entities[place]
        if why == NO_COLLIDER:
            return _why_it_cannot_move(entity)
        if why == NO_CHARACTER:
            return ValueError(f"entity {entity} has no Character: add one, or use move_and_slide")
        if why == BAD_UP:
            return ValueError(f"entity {entity}: Character.up_x and Character.up_y must not both be 0")
        if why == BAD_CHARACTER:
            row = esper.component_for_entity(entity, Character)._row
            refuse_bad_floats(Character, np.array([entity]), np.array([row], int32))
        x, y = self._buffers.results.values[place, MOVED : MOVED + 2].tolist()
        return ValueError(f"entity {entity}: its position is no longer finite after a move by {(x, y)}")


def _rows_of(cls: type[Any]) -> EntityRows:
    """The entities of the current world with a component of a class, and the rows."""
    table = rows_of(cls)
    return EntityRows(table.entity, table.row)


def _entity_number(entity: Any) -> int:
    try:
        return operator.index(entity)
    except TypeError:
        raise TypeError(f"entity must be a whole number, got {entity!r}") from None


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
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.zeros(1, object)
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

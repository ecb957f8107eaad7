"""What moves characters, and stops them at solids."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import esper
import numpy as np

from ecsphys.components.character.character import Character
from ecsphys.components.collision.disabled import Disabled
from ecsphys.components.motion.transform import Transform
from ecsphys.systems.character_controller.character_move import CharacterMove, WalkSettings, move_among
from ecsphys.systems.character_controller.move_and_slide import Ground, MoveResult, Point, slide
from ecsphys.systems.character_controller.solid_cast import SolidCast
from ecsphys.systems.character_controller.solid_motion import CharacterMemory
from ecsphys.systems.character_controller.solids import Solids
from ecsphys.systems.settings import Vector, pair_of_numbers
from ecsphys.systems.world.esper_world import refuse_other_world
from ecsphys.systems.world.row_checks import refuse_bad_floats

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.spatial_query.filed_colliders import FiledColliders


class Movers:
    """Moves entities among the solid ones, in the world of one :class:`~ecsphys.Physics`."""

    def __init__(self, state: PhysicsState, filed: FiledColliders) -> None:
        self._state = state
        self._filed = filed
        self._solids: Solids | None = None
        self._token: object = None
        self._memories: dict[int, CharacterMemory] = {}

    def move_and_slide(self, entity: int, displacement: Vector, up: Vector = (0.0, 1.0)) -> MoveResult:
        """Move an entity's ``Transform`` by at most ``displacement`` (x, y): it stops at solid entities, and slides.

        It may be called at any time, between steps or in a processor: everything is where it is now. What blocks has a
        :class:`Solid`, and a filter that meets the entity's. All colliders of the entity count, and it keeps them a
        ten-thousandth of their size away from what it touches: it has no hits with solids. ``up`` tells floors from
        walls (it need not be a unit vector); with (0, 0), seen from above, everything is a wall. See
        :class:`MoveResult`.

        KeyError for an entity that does not exist; ValueError for one without a ``Transform`` or a collider, or for
        numbers that are not finite; TypeError for what is no pair of numbers; RuntimeError in another world. Nothing
        has moved then.
        """
        refuse_other_world(self._state.world)
        way = pair_of_numbers("displacement", displacement)
        upwards = _unit(pair_of_numbers("up", up))
        mover, _ = self._mover(entity, math.hypot(*way))
        result = slide(mover, way, Ground(upwards))
        self._put(entity, result.moved)
        return result

    def move_character(self, entity: int, displacement: Vector, drop: bool = False) -> CharacterMove:
        """Move the ``Transform`` of an entity with a :class:`Character`, as it walks.

        Like :meth:`move_and_slide`, and: what it stood on has carried it before, and what moved into it since its last
        move has pushed it. On a floor a displacement that does not rise is a level one; it climbs steps and follows the
        floor down as the ``Character`` says. With ``drop`` it falls through the one-way solids it stands on. See
        :class:`CharacterMove`.

        Errors are those of :meth:`move_and_slide`; ValueError also for an entity without a ``Character``, for bad
        values in its columns, and for a direction of up or of a ``OneWay`` that is (0, 0).
        """
        refuse_other_world(self._state.world)
        way = pair_of_numbers("displacement", displacement)
        mover, transform_row = self._mover(entity, math.hypot(*way))
        settings = _walk_settings(entity)
        memory = self._memory(entity, transform_row)
        result = move_among(mover, settings, way, drop, memory, self._state.clock)
        self._put(entity, result.moved)
        self._memories[entity] = memory
        return result

    def _mover(self, entity: int, reach: float) -> tuple[SolidCast, int]:
        """The casts of an entity's colliders, and the row of its transform."""
        try:
            number = operator.index(entity)
        except TypeError:
            raise TypeError(f"entity must be a whole number, got {entity!r}") from None
        if self._solids is None:
            self._solids = Solids(self._state, self._filed)
        solids = self._solids
        solids.look()
        colliders = solids.of_entity(number)
        if not len(colliders):
            raise _why_it_cannot_move(entity)
        return SolidCast(solids, number, colliders, reach), int(solids.slots.transform_row[colliders[0]])

    def _memory(self, entity: int, transform_row: int) -> CharacterMemory:
        """What is remembered of a character; of those that are gone it is forgotten when another one comes."""
        tables = self._state.tables
        if self._token is not tables.token:
            self._memories, self._token = {}, tables.token
        memories = self._memories
        if entity not in memories:
            there = tables.entities.slot_of
            self._memories = memories = {one: memory for one, memory in memories.items() if one in there}
        memory = memories.get(entity)
        if memory is None or memory.transform_row != transform_row:
            memory = CharacterMemory(transform_row)
        return memory

    def _put(self, entity: int, moved: Point) -> None:
        transform = esper.component_for_entity(entity, Transform)
        x, y = transform.x + moved[0], transform.y + moved[1]
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError(f"entity {entity} would leave the range of numbers, moved by {moved}")
        transform.x, transform.y = x, y


def _walk_settings(entity: int) -> WalkSettings:
    character = esper.try_component(entity, Character)
    if character is None:
        raise ValueError(f"entity {entity} has no Character to walk as: add one, or use move_and_slide")
    refuse_bad_floats(Character, np.array([entity]), np.array([character._row], np.int32))
    up = _unit((character.up_x, character.up_y))
    if up == (0.0, 0.0):
        raise ValueError(f"entity {entity}: the up of a Character must be a direction, got (0.0, 0.0)")
    place = esper.component_for_entity(entity, Transform)
    ground = Ground(up, character.slope_limit)
    return WalkSettings((place.x, place.y), ground, character.step_height, character.snap_distance)


def _unit(vector: Point) -> Point:
    length = math.hypot(*vector)
    return (vector[0] / length, vector[1] / length) if length > 0.0 else vector


def _why_it_cannot_move(entity: Any) -> Exception:
    try:
        esper.components_for_entity(entity)
    except KeyError:
        return KeyError(f"there is no entity {entity!r}")
    if not esper.has_component(entity, Transform):
        return ValueError(f"entity {entity} has no Transform to move")
    if esper.has_component(entity, Disabled):
        return ValueError(f"entity {entity} is disabled: nothing could block it")
    return ValueError(f"entity {entity} has no collider, so nothing could block it: add one, or move its Transform")

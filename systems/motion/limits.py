"""Limits of entities: how long they live, and how far they go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import esper
import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import EDGES, Lifetime, Transform, Velocity, WorldBounds
from ecsphys.components.store.many import dead_entities, despawn_many
from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.esper_world import Refusals, entity_counter, handler_calls, is_counter
from ecsphys.systems.world.row_checks import KeptRows

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics


def tell(event: str, calls: Iterable[tuple[object, ...]]) -> None:
    """Call the handlers of an event with each of some arguments. All are called, even if some raise.

    One error is raised at the end as it is, several as an ExceptionGroup, and an interrupt at once. After a handler has
    cleared the database, no other is called.
    """
    if event not in esper.event_registry:
        return
    errors: list[Exception] = []
    refusals = Refusals()
    counter = entity_counter()

    def send() -> None:
        for arguments in calls:
            turns = handler_calls(event, arguments)
            while is_counter(counter):
                try:
                    for _ in turns:
                        if not is_counter(counter):
                            break
                    break
                except Exception as error:
                    if reported := refusals.of_handlers(error, event):
                        errors.append(reported)

    call_without_holding(send)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup(f"several handlers of {event!r} raised errors", errors)


LIFETIME_ENDED = "lifetime_ended"

# A lifetime that is shorter than this part of dt is over: rounding.
_ROUNDING = 1e-6


class LifetimeSystem(Stage):
    """Counts down every ``Lifetime``, and deletes entities whose ``Lifetime`` is over.

    Add it at ``Priority.LIFETIME``: an entity still hits in its last step. Entities are marked as by
    ``esper.delete_entity``. Then the event "lifetime_ended" is sent with each, ascending, while its components still
    exist. A bad value in the column, or one instance on two entities, raises ValueError before anything changes.
    """

    phase = "lifetimes"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self._timed = KeptRows(Lifetime, are_computed=False)

    def run(self, dt: float) -> None:
        entities, rows = self._timed()
        if not rows.size:
            return
        seconds = Lifetime._columns.row_of_block("seconds")
        left = seconds[rows] - dt
        seconds[rows] = np.maximum(left, 0.0)
        over = entities[left <= _ROUNDING * dt]
        if over.size:
            dead = dead_entities()
            ended = [entity for entity in over.tolist() if entity not in dead]
            despawn_many(ended)
            tell(LIFETIME_ENDED, [(entity,) for entity in ended])


BOUNDS_REACHED = "bounds_reached"

_CLAMP, _WRAP, _BOUNCE, _DESPAWN = range(len(EDGES))

# The names of the sides in the event: the lower sides along x and y, and the upper sides.
_SIDES = (("left", "bottom"), ("right", "top"))

_Pairs = NDArray[float64]  # (2, n): x and y
_Flags = NDArray[bool_]


class WorldBoundsSystem(Stage):
    """Keeps every entity with ``WorldBounds`` and ``Transform`` in its rectangle, or deletes it.

    Add it at ``Priority.BOUNDS``, after all motion. Deleted entities are marked as by ``esper.delete_entity``. Then the
    event "bounds_reached" is sent with each entity that was outside, ascending, and the side: "left", "right", "bottom"
    or "top"; in a corner once for each side. A bad value in a column, an empty rectangle, or one instance on two
    entities raises ValueError before anything changes. A step runs no Python for each entity, except for events, unless
    entities or components were added or removed.
    """

    phase = "bounds"
    _rests_at_times = True

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self._bounded = KeptRows(WorldBounds, Transform, Velocity, are_computed=False)
        self._found: tuple[NDArray[int64], ...] = ()
        self._entities: NDArray[int64] = np.zeros(0, int64)
        # Rows of bounds, transform, velocity (−1 without).
        self._rows: NDArray[int64] = np.zeros((3, 0), int64)
        # Whether the last run has found all entities inside.
        self._all_inside = False

    def _rests(self, others_move: bool) -> bool:
        return self._all_inside and not (others_move and self._entities.size)

    def forget_world(self) -> None:
        self._all_inside = False

    def run(self, dt: float) -> None:
        self._all_inside = False
        found = self._bounded()
        if found is not self._found:
            there = found[2] >= 0
            self._entities, self._rows, self._found = found[0][there], np.stack(found[1:])[:, there], found
        bounds, transforms, _ = self._rows
        if not bounds.size:
            self._all_inside = True
            return
        block = WorldBounds._columns.float64
        margin = block[4, bounds]
        low, high = block[0:2, bounds] + margin, block[2:4, bounds] - margin
        empty = np.flatnonzero((low > high).any(axis=0))
        if empty.size:
            entity, (x, y, right, top) = int(self._entities[empty[0]]), block[:4, bounds[empty[0]]].tolist()
            raise ValueError(
                f"entity {entity}: the area inside its WorldBounds is empty: x from {x:g} to {right:g}, y from"
                f" {y:g} to {top:g},"
                f" margin {float(margin[empty[0]]):g}"
            )
        at = Transform._columns.float64[:2, transforms]
        is_below, is_above = at < low, at > high
        out = np.flatnonzero((is_below | is_above).any(axis=0))
        self._all_inside = not out.size
        if out.size:
            self._act(out, at[:, out], low[:, out], high[:, out], np.stack((is_below[:, out], is_above[:, out])))

    def _act(self, out: NDArray[int64], at: _Pairs, low: _Pairs, high: _Pairs, sides: _Flags) -> None:
        """Handle the entities that are outside; ``sides`` (2, 2, n): below and above, along x and y."""
        bounds, transforms, velocities = self._rows[:, out]
        edge = WorldBounds._columns.row_of_block("at_edge")[bounds]
        entities = self._entities[out]
        dead = dead_entities()
        deleted = [entity for entity in entities[edge == _DESPAWN].tolist() if entity not in dead]
        stay = np.flatnonzero(edge != _DESPAWN)
        if stay.size:
            elasticity = np.where(edge == _BOUNCE, WorldBounds._columns.row_of_block("restitution")[bounds], 0.0)
            now = _put_back(at, low, high, sides, elasticity, edge == _WRAP)
            self._write(transforms[stay], now[:, stay], (now - at)[:, stay], edge[stay] == _WRAP, entities[stay])
            turned = np.flatnonzero((velocities >= 0) & ((edge == _CLAMP) | (edge == _BOUNCE)))
            _turn(velocities[turned], sides[:, :, turned], elasticity[turned])
        if deleted:
            despawn_many(deleted)
        told = [(entity, flags) for entity, flags in zip(entities.tolist(), sides.T.tolist(), strict=True)]
        tell(
            BOUNDS_REACHED,
            (
                (entity, _SIDES[end][axis])
                for entity, flags in told
                for axis in (0, 1)
                for end in (0, 1)
                if flags[axis][end]
            ),
        )

    def _write(
        self, rows: NDArray[int64], now: _Pairs, shift: _Pairs, is_wrapped: _Flags, entities: NDArray[int64]
    ) -> None:
        Transform._columns.mark_written(rows)
        Transform._columns.float64[:2, rows] = now
        if not is_wrapped.any():
            return
        # A wrapped entity did not move across: bullets do not sweep this way, and it is not drawn.
        self.physics._state.starts.shift(rows[is_wrapped], shift[:, is_wrapped])
        if self.physics.fixed_step is not None:
            for entity in entities[is_wrapped].tolist():
                self.physics.fixed_step.snap(entity)


def _put_back(
    at: _Pairs, low: _Pairs, high: _Pairs, sides: _Flags, elasticity: NDArray[float64], wraps: _Flags
) -> _Pairs:
    """The new positions of entities that were outside: at the edge, reflected, or at the opposite edge."""
    is_below, is_above = sides
    edge = np.where(is_below, low, np.where(is_above, high, at))
    reflected = np.clip(edge + elasticity * (edge - at), low, high)
    width = high - low
    with np.errstate(invalid="ignore"):  # a width of 0, which is not wrapped
        wrapped = np.where(width > 0.0, low + np.mod(at - low, width), low)
    result: _Pairs = np.where(wraps & (is_below | is_above), wrapped, reflected)
    return result


def _turn(rows: NDArray[int64], sides: _Flags, elasticity: NDArray[float64]) -> None:
    """Reverse velocities into an edge, times the elasticity."""
    velocity = Velocity._columns.float64[:2, rows]
    is_below, is_above = sides
    away = elasticity * np.abs(velocity)
    velocity = np.where(is_below & (velocity < 0.0), away, velocity)
    Velocity._columns.float64[:2, rows] = np.where(is_above & (velocity > 0.0), 0.0 - away, velocity)

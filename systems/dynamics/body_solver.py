"""Runs the solver of one world's bodies, and owns the room that it works in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import int32, int64, uint8

from ecsphys.components.motion.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.motion.transform import Acceleration, Transform, Velocity
from ecsphys.components.store.change_log import collect_all
from ecsphys.engine.dynamics.bodies import BODY_COLUMNS, ROOM_COLUMNS, BodyRoom, BodyRows
from ecsphys.engine.dynamics.body_mass import measure_bodies
from ecsphys.engine.dynamics.body_state import WorldGravity, gather_bodies, scatter_bodies
from ecsphys.engine.dynamics.contact_blocks import (
    BOUNCE_FIELDS,
    EXTRA_FIELDS,
    FIELDS,
    GROUPS,
    ROW_COLUMNS,
    ContactBlocks,
    ContactPlaces,
)
from ecsphys.engine.dynamics.contact_coloring import color_contacts
from ecsphys.engine.dynamics.contact_filling import Surroundings
from ecsphys.engine.dynamics.materials import ContactChanges, MixingRules
from ecsphys.engine.dynamics.sleeping_bodies import ColliderNews, SleepSettings, fall_asleep, wake_bodies
from ecsphys.engine.dynamics.solver import SolverSettings, solve_step
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.kernels.vectors import LANES
from ecsphys.engine.motion.euler_motion import ForceBlocks
from ecsphys.systems.dynamics.bodies import MIXING_RULES

if TYPE_CHECKING:
    from ecsphys.systems.collision.step_hits import ContactBuffer
    from ecsphys.systems.dynamics.bodies import Bodies
    from ecsphys.systems.physics_state import PhysicsState

BODY_KERNELS = (measure_bodies, gather_bodies, wake_bodies, color_contacts, solve_step, scatter_bodies, fall_asleep)

# Seconds that a body has to be slow before it may sleep.
_PATIENCE = 0.5

# In lengths: how far apart colliders may be that the solver knows of, at least and at most; the overlap that is left.
_LEAST_MARGIN, _MOST_MARGIN = 0.05, 0.8
_SLOP = 0.005

# A margin is given up for a smaller one only where that is smaller by this factor.
_SHRINKING = 8.0

_NO_CHANGES = ContactChanges(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, uint8))


class BodySolver:
    """Moves the bodies of one world through a step.

    ``room``, ``rows``, ``blocks`` and ``places`` are overwritten by each step; they grow at once and shrink late.
    """

    def __init__(self, state: PhysicsState, settings: Bodies) -> None:
        load_kernels(BODY_KERNELS)
        self._state = state
        self._settings = settings
        self._capacities = {name: Capacity() for name in ("bodies", "contacts", "blocks")}
        self._rows, self._room = _body_arrays(0)
        self._places = _places(0)
        self._blocks = _blocks(0)
        self._written_to = -1
        self._tables_revision = -1

    def step(self, dt: float) -> None:
        """Move the bodies by their forces and contacts, which are those of the last step or, where the game has moved
        or changed anything since, found anew."""
        state = self._state
        table = state.body_table
        is_changed = table.measure()
        if dt == 0.0:
            points = state.hits.found.buffer.table.points
            points.totals[:] = 0.0
            return
        listed = table.listed
        count = len(table)
        self._reserve_bodies(count)
        rows = self._rows
        rows.locks[:count] = table.locks
        velocity = Velocity._columns.float64
        transform = Transform._columns.float64
        blocks = ForceBlocks(
            velocity,
            Acceleration._columns.float64,
            Gravity._columns.float64,
            Spring._columns.float64,
            Orbit._columns.float64,
            Drag._columns.float64,
        )
        gravity = WorldGravity(*state.settings.gravity)
        path_velocity = state.tables.entities.slots.path_velocity

        def gather() -> None:
            gather_bodies(listed, transform, blocks, path_velocity, gravity, dt, table.states.island, rows)

        def wake(buffer: ContactBuffer, contact_count: int) -> None:
            colliders = state.tables.colliders
            news = ColliderNews(table.body_of, colliders.slots.absence, colliders.placed.moved)
            contacts = buffer.table
            if wake_bodies(listed, blocks, transform, gravity, rows, contacts, contact_count, news, table.states, dt):
                gather()

        gather()
        buffer, contact_count = state.hits.found.buffer, state.hits.found.contact_count
        is_aside = is_changed or self._has_changed()
        if is_aside:
            # Before the contacts are found anew: what was moved may touch no longer what it held.
            state.place()
            wake(buffer, contact_count)
            buffer, contact_count = state.hits.find_aside()
        wake(buffer, contact_count)
        if not buffer.has_points:
            contact_count = 0
        settings = self._settings
        self._reserve_contacts(contact_count)
        block_count = color_contacts(
            buffer.table, contact_count, table.body_of, rows, count, _NO_CHANGES, self._room, self._places
        )
        self._reserve_blocks(block_count)
        unit = settings.length_unit
        solve_step(
            buffer.table,
            contact_count,
            rows,
            count,
            Surroundings(
                table.body_of,
                table.materials,
                MixingRules(MIXING_RULES[settings.friction_mixing], MIXING_RULES[settings.restitution_mixing]),
                _NO_CHANGES,
                settings.restitution_threshold * unit,
                1.0,
            ),
            self._room,
            self._blocks,
            self._places,
            SolverSettings(
                dt,
                settings.solver_substeps,
                settings.contact_hertz,
                settings.contact_damping_ratio,
                settings.push_out_speed * unit,
                _SLOP * unit,
            ),
            buffer.table.points.totals,
        )
        if is_aside:
            state.hits.return_impulses(contact_count)
        is_finite, fastest = scatter_bodies(listed, table.states.island, rows, transform, velocity)
        fall_asleep(
            listed,
            table.may_sleep,
            rows,
            buffer.table,
            contact_count,
            table.body_of,
            table.states,
            SleepSettings(settings.sleep_speed * unit, _PATIENCE),
            dt,
            velocity,
        )
        state.moved(is_finite)
        listed.forces[:] = 0.0
        self._note_unchanged()
        self._choose_margin(fastest * dt)

    def _has_changed(self) -> bool:
        """Whether anything came, went, or was moved by the game since the last call of ``_note_unchanged``."""
        state = self._state
        if state.tables.revision != self._tables_revision:
            return True
        collect_all()
        written = Transform._columns.writes.since(self._written_to)
        return bool(written.everything or written.rows.size)

    def _note_unchanged(self) -> None:
        collect_all()
        self._written_to = Transform._columns.writes.revision
        self._tables_revision = self._state.tables.revision

    def _choose_margin(self, distance: float) -> None:
        """Let the next contacts be found as far apart as the fastest body moves in a step."""
        unit, hits = self._settings.length_unit, self._state.hits
        wanted = min(max(2.0 * distance, _LEAST_MARGIN * unit), _MOST_MARGIN * unit)
        margin = _LEAST_MARGIN * unit
        while margin < wanted:
            margin *= 2.0
        if margin > hits.prediction or margin * _SHRINKING <= hits.prediction or not hits.keeps_points:
            hits.keep_contacts(margin)

    def _reserve_bodies(self, count: int) -> None:
        held = len(self._room.links)
        capacity = self._capacities["bodies"].choose(count, held)
        if capacity != held:
            self._rows, self._room = _body_arrays(capacity)

    def _reserve_contacts(self, count: int) -> None:
        held = len(self._places.places)
        capacity = self._capacities["contacts"].choose(count, held)
        if capacity != held:
            self._places = _places(capacity)

    def _reserve_blocks(self, count: int) -> None:
        held = len(self._blocks.kinds)
        capacity = self._capacities["blocks"].choose(count, held)
        if capacity != held:
            self._blocks = _blocks(capacity)


def _body_arrays(count: int) -> tuple[BodyRows, BodyRoom]:
    rows = BodyRows(
        aligned_zeros(count, BODY_COLUMNS),
        np.zeros((count, 2)),
        np.zeros((count, 3)),
        np.zeros((count, 2)),
        np.zeros(count, uint8),
    )
    return rows, BodyRoom(aligned_zeros(count, ROOM_COLUMNS), np.zeros(count, int64))


def _places(count: int) -> ContactPlaces:
    return ContactPlaces(np.zeros(count, int32), np.zeros(GROUPS + 1, int32), np.zeros((2, GROUPS), int64))


def _blocks(count: int) -> ContactBlocks:
    def numbers(fields: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
        return aligned_zeros(count, fields * LANES).reshape(count, fields, LANES)

    return ContactBlocks(
        np.zeros((count, ROW_COLUMNS), int32),
        np.zeros(count, uint8),
        numbers(FIELDS),
        numbers(EXTRA_FIELDS),
        numbers(BOUNCE_FIELDS),
    )

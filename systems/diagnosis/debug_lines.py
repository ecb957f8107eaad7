"""``DebugLines``: a world as segments and colours; and the outlines of placed shapes, many at once.

Shapes are grouped by their number of points, so that each group is one array. All points lie on the boundary of their
shape. They are computed relative to the position of the entity, which is added last: far from the origin of the world
an outline loses no more than the rounding of its coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import place_loose
from ecsphys.components.collision.collision_filter import Disabled
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.dynamics.joints import ANCHORED_JOINTS, WORLD, GearJoint, PrismaticJoint, RevoluteJoint
from ecsphys.components.dynamics.rigid_body import Character, RigidBody
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.column import finite_number, show, true_or_false
from ecsphys.components.store.component_table import entities_with, rows_at, rows_of
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.dynamics.bodies import AWAKE, DYNAMIC, KINEMATIC, STATIC
from ecsphys.engine.dynamics.body_following import KIND
from ecsphys.engine.math.elementary import angles_of, cos_sin_of
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.placement import PlacedShapes
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES
from ecsphys.engine.tables import entity_rows
from ecsphys.systems.arguments import checked_rows, whole_number
from ecsphys.systems.hits.hit_arrays import HitArrays
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


Floats = NDArray[float64]
Rows = NDArray[int64]
Entities = NDArray[int64]
Rgba = tuple[int, int, int, int]

DEBUG_COLORS: Final[Mapping[str, Rgba]] = MappingProxyType(
    {
        "dynamic": (255, 167, 38, 255),
        "sleeping": (144, 152, 170, 255),
        "kinematic": (171, 122, 255, 255),
        "static": (76, 187, 96, 255),
        "character": (66, 150, 255, 255),
        "collider": (0, 188, 200, 255),
        "sensor": (236, 92, 186, 255),
        "disabled": (130, 130, 130, 110),
        "box": (150, 150, 150, 130),
        "contact": (240, 64, 64, 255),
        "normal": (240, 64, 64, 255),
        "joint": (214, 178, 0, 255),
        "velocity": (60, 200, 170, 255),
    }
)
"""The default colours of debug lines: red, green, blue and alpha, from 0 to 255."""

NAMES: Final = tuple(DEBUG_COLORS)


_COLLIDER, _SENSOR, _DISABLED, _CHARACTER, _DYNAMIC, _SLEEPING, _KINEMATIC, _STATIC = map(
    NAMES.index, ("collider", "sensor", "disabled", "character", "dynamic", "sleeping", "kinematic", "static")
)


class Outlines(NamedTuple):
    """Outlines with the same number of points: the rows ``which`` (k,) of their shapes, their ``points`` (k, m, 2) in
    the world, counter-clockwise, and whether a last segment leads back to the first point."""

    which: Rows
    points: Floats
    is_closed: bool


def outlines_of(shapes: layout.ShapeArrays, segments: int) -> Iterator[Outlines]:
    """The outlines of placed shapes, group by group; a full circle has ``segments`` lines.

    The segments of chains that have no radius are open lines of two points.
    """
    forms, numbers = shapes.forms, shapes.shapes
    for form, write in ((layout.CIRCLE, _circles), (layout.BOX, _boxes), (layout.CAPSULE, _capsules)):
        which = np.flatnonzero(forms == form)
        if which.size:
            yield _placed(which, shapes, *write(numbers[which], segments))
    which = np.flatnonzero((forms == layout.FAN) | (forms == layout.WIDE_FAN))
    if which.size:
        half = angles_of(numbers[which][:, [layout.COS_HALF, layout.SIN_HALF]])
        parts = np.maximum(np.ceil(segments * half / math.pi), 1.0).astype(int64)
        for count in np.unique(parts).tolist():
            chosen = parts == count
            yield _placed(which[chosen], shapes, *_fans(numbers[which[chosen]], half[chosen], count))
    which = np.flatnonzero(forms == layout.POLYGON)
    if which.size:
        yield from _polygons(which, shapes, segments)


def outline_segments(shapes: layout.ShapeArrays, segments: int) -> tuple[Rows, Floats]:
    """All outlines as segments (n, 2, 2) from point to point, and the row (n,) of the shape that each is of."""
    outlines = list(outlines_of(shapes, segments))
    counts = [len(one.which) * _segments_in(one) for one in outlines]
    which, found = np.empty(sum(counts), int64), np.empty((sum(counts), 2, 2))
    end = 0
    for one, count in zip(outlines, counts, strict=True):
        start, end = end, end + count
        which[start:end] = np.repeat(one.which, _segments_in(one))
        rows = found[start:end].reshape(len(one.which), _segments_in(one), 2, 2)
        if one.is_closed:
            rows[:, :, 0] = one.points
            rows[:, :-1, 1], rows[:, -1, 1] = one.points[:, 1:], one.points[:, 0]
        else:
            rows[:, :, 0], rows[:, :, 1] = one.points[:, :-1], one.points[:, 1:]
    return which, found


def _segments_in(outlines: Outlines) -> int:
    return int(outlines.points.shape[1]) - (not outlines.is_closed)


def _placed(which: Rows, shapes: layout.ShapeArrays, x: Floats, y: Floats, is_closed: bool = True) -> Outlines:
    """Outlines from points in the frames of the shapes: about their centres, along their axes."""
    numbers, positions = shapes.shapes[which], shapes.positions[which]
    axis_x, axis_y = numbers[:, layout.AXIS_X, None], numbers[:, layout.AXIS_Y, None]
    points = np.empty((len(which), x.shape[1], 2))
    points[:, :, 0] = positions[:, :1] + (numbers[:, layout.CX, None] + (axis_x * x - axis_y * y))
    points[:, :, 1] = positions[:, 1:] + (numbers[:, layout.CY, None] + (axis_y * x + axis_x * y))
    return Outlines(which, points, is_closed)


@cache
def _arc(start: float, turn: float, parts: int) -> tuple[Floats, Floats]:
    """The points (parts + 1,) of an arc of the unit circle."""
    return cos_sin_of(start + turn * np.arange(parts + 1) / parts)


def _circles(numbers: Floats, segments: int) -> tuple[Floats, Floats]:
    cosines, sines = _arc(0.0, 2.0 * math.pi, segments)
    radius = numbers[:, layout.RADIUS, None]
    return radius * cosines[:-1], radius * sines[:-1]


def _boxes(numbers: Floats, _: int) -> tuple[Floats, Floats]:
    half_x, half_y = numbers[:, layout.HALF_X, None], numbers[:, layout.HALF_Y, None]
    return half_x * (-1.0, 1.0, 1.0, -1.0), half_y * (-1.0, -1.0, 1.0, 1.0)


def _capsules(numbers: Floats, segments: int) -> tuple[Floats, Floats]:
    cosines, sines = _arc(-0.5 * math.pi, math.pi, -(-segments // 2))
    half, radius = numbers[:, layout.HALF_X, None], numbers[:, layout.RADIUS, None]
    x, y = half + radius * cosines, radius * sines
    return np.hstack((x, -x)), np.hstack((y, -y))


def _fans(numbers: Floats, half: Floats, parts: int) -> tuple[Floats, Floats]:
    angles = half[:, None] * np.linspace(-1.0, 1.0, parts + 1)
    cosines, sines = cos_sin_of(angles)
    # The apex comes first.
    x, y = np.zeros((len(half), parts + 2)), np.zeros((len(half), parts + 2))
    x[:, 1:], y[:, 1:] = numbers[:, layout.RADIUS, None] * cosines, numbers[:, layout.RADIUS, None] * sines
    return x, y


def _polygons(which: Rows, shapes: layout.ShapeArrays, segments: int) -> Iterator[Outlines]:
    numbers = shapes.shapes[which]
    counts, is_round = numbers[:, layout.COUNT].astype(int64), numbers[:, layout.RADIUS] > 0.0
    for count in np.unique(counts).tolist():
        for rounded in (False, True):
            chosen = (counts == count) & (is_round == rounded)
            if not chosen.any():
                continue
            starts = numbers[chosen, layout.START].astype(int64)
            run = shapes.pool[starts[:, None] + np.arange(count)]
            x, y = run[:, :, layout.POOL_X], run[:, :, layout.POOL_Y]
            if rounded:
                x, y = _rounded(run, numbers[chosen, layout.RADIUS], segments)
            yield _placed(which[chosen], shapes, x, y, rounded or count > SEGMENT_VERTICES)


def _rounded(run: Floats, radius: Floats, segments: int) -> tuple[Floats, Floats]:
    """Polygons (k, count) of the pool, grown by their radii: an arc about each vertex, from the normal of the edge
    before it to the normal of the edge after it."""
    normals = run[:, :, [layout.POOL_NORMAL_X, layout.POOL_NORMAL_Y]]
    before = np.roll(normals, 1, axis=1)
    count = run.shape[1]
    if count == SEGMENT_VERTICES:
        # Both ends turn by half a circle. Otherwise rounding would decide its sign.
        turn = np.full(run.shape[:2], math.pi)
    else:
        cross = before[:, :, 0] * normals[:, :, 1] - before[:, :, 1] * normals[:, :, 0]
        dot = before[:, :, 0] * normals[:, :, 0] + before[:, :, 1] * normals[:, :, 1]
        turn = angles_of(np.stack((dot, cross), axis=2).reshape(-1, 2)).reshape(run.shape[:2])
        turn = np.maximum(turn, 0.0)
    parts = -(-segments // count)
    cosines, sines = cos_sin_of(turn[:, :, None] * (np.arange(parts + 1) / parts))
    normal_x, normal_y, reach = before[:, :, 0, None], before[:, :, 1, None], radius[:, None, None]
    x = run[:, :, layout.POOL_X, None] + reach * (cosines * normal_x - sines * normal_y)
    y = run[:, :, layout.POOL_Y, None] + reach * (sines * normal_x + cosines * normal_y)
    return x.reshape(len(run), -1), y.reshape(len(run), -1)


LineKind = Literal["collider", "box", "contact", "normal", "joint", "velocity"]
KINDS: Final[tuple[LineKind, ...]] = get_args(LineKind)

_FEWEST_SEGMENTS: Final = 3
_MOST_SEGMENTS: Final = 1024

# Marks of contacts are this much of the middle one of the colliders' sizes.
_MARK: Final = 0.3


class DebugLines:
    """A world as ``n`` coloured lines, for any renderer; see :meth:`Debug.lines <ecsphys.types.Debug.lines>`.

    ``len`` is the number of lines. The arrays are yours.

    Attributes
    ----------
    segments
        (n, 2, 2) float64: start and end of each line, (x, y) in the world.
    colors
        (n, 4) uint8: red, green, blue and alpha, from 0 to 255.
    entity
        (n,) int64: the entity that the line belongs to. For a contact it is ``entity_a`` of the hit, for a joint the
        entity that carries it.
    kind
        (n,) uint8: index into ``DebugLines.KINDS``.
    COLORS
        The default colours (r, g, b, a) by name; a read-only mapping of the class.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> crate = esper.create_entity(Transform(2, 1), OBBCollider(1, 1), RigidBody())
    >>> lines = physics.debug.lines()
    >>> lines.segments[0].tolist()
    [[1.0, 0.0], [3.0, 0.0]]
    """

    __slots__ = ("colors", "entity", "kind", "segments")

    KINDS: Final = KINDS
    """The names of the kinds of lines: collider, box, contact, normal, joint, velocity."""

    COLORS: Final = DEBUG_COLORS

    def __init__(
        self, segments: NDArray[float64], colors: NDArray[uint8], entity: NDArray[int64], kind: NDArray[uint8]
    ) -> None:
        self.segments, self.colors, self.entity, self.kind = segments, colors, entity, kind

    def __len__(self) -> int:
        return len(self.segments)

    def __repr__(self) -> str:
        return f"<{len(self)} debug lines>"

    def select(self, rows: slice | NDArray[Any]) -> DebugLines:
        """The lines of some rows: a slice, row numbers, or an array of bools.

        Raises TypeError if ``rows`` is neither, and IndexError for rows beyond the end.
        """
        rows = checked_rows(rows)
        return DebugLines(self.segments[rows], self.colors[rows], self.entity[rows], self.kind[rows])

    def of_kind(self, *kinds: LineKind) -> DebugLines:
        """The lines of one or more kinds; ValueError for an unknown kind.

        >>> joints = physics.debug.lines().of_kind("joint")
        """
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(f"there is no kind {show(kind)} of debug lines; the kinds are {', '.join(KINDS)}")
        return self.select(np.isin(self.kind, [KINDS.index(kind) for kind in kinds]))

    def by_color(self) -> Iterator[tuple[Rgba, NDArray[float64]]]:
        """Each colour, and the segments (k, 2, 2) that have it: for renderers that draw many lines of one colour."""
        packed = np.ascontiguousarray(self.colors).view(np.uint32)[:, 0]
        for number in np.unique(packed):
            chosen = packed == number
            red, green, blue, alpha = self.colors[int(chosen.argmax())].tolist()
            yield (red, green, blue, alpha), self.segments[chosen]


def debug_lines(
    state: PhysicsState,
    parts: dict[str, bool],
    interpolated: bool,
    segments: int,
    mark_size: float | None,
    colors: Mapping[str, Sequence[int]] | None,
) -> DebugLines:
    """The lines of the current world, of its ``parts`` by name; for the rest, result and errors see ``Debug.lines``."""
    shown = {name for name, value in parts.items() if true_or_false(name, value)}
    table, count, steps = _color_table(colors), checked_segments(segments), state.stepping.fixed_step
    if mark_size is not None and finite_number("mark_size", mark_size) < 0.0:
        raise ValueError(f"mark_size must be 0 or more, got {show(mark_size)}")
    refuse_other_world(state.world)
    state.update()
    found: list[tuple[LineKind, EntityLines, NDArray[uint8] | None]] = []
    with blocks_stay():
        poses = Transform._columns.float64
        if true_or_false("interpolated", interpolated) and steps is not None:
            poses = np.stack((steps.interpolated("x"), steps.interpolated("y"), steps.interpolated("angle")))
        if shown & {"colliders", "boxes"} or ("contacts" in shown and mark_size is None):
            colliders = shown_colliders(state, poses)
            boxes = colliders.placed.boxes
            if "colliders" in shown:
                for which, lines in (outline_segments(colliders.shapes, count), _spokes(colliders.placed)):
                    found.append(("collider", EntityLines(colliders.entity[which], lines), colliders.look[which]))
            if "boxes" in shown:
                corners = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
                sides = np.stack((corners, np.roll(corners, -1, axis=1)), axis=2).reshape(-1, 2, 2)
                found.append(("box", EntityLines(np.repeat(colliders.entity, 4), sides), None))
            if mark_size is None:
                mark_size = _mark_size(boxes)
        if "joints" in shown:
            found.append(("joint", joint_lines(poses), None))
        if "velocities" in shown:
            found.append(("velocity", _velocity_lines(poses), None))
        if "contacts" in shown:
            bars, normals = _contact_lines(contact_points(state.last_hits().hits), mark_size or 0.0)
            found += ("contact", bars, None), ("normal", normals, None)
    nothing = EntityLines(np.zeros(0, int64), np.zeros((0, 2, 2)))
    counts = [len(lines.entity) for _, lines, _ in found]
    looks = [
        np.full(n, NAMES.index(kind), uint8) if look is None else look
        for n, (kind, _, look) in zip(counts, found, strict=True)
    ]
    entity, lines = (np.concatenate(arrays) for arrays in zip(nothing, *(one for _, one, _ in found), strict=True))
    # A number for each colour: quicker to take than four.
    packed = table.view(np.uint32)[:, 0][np.concatenate([np.zeros(0, uint8), *looks])]
    kinds = np.repeat(np.array([KINDS.index(kind) for kind, _, _ in found], uint8), counts)
    return DebugLines(lines, packed.view(uint8).reshape(-1, 4), entity, kinds)


def _color_table(changed: Mapping[str, Sequence[int]] | None) -> NDArray[uint8]:
    """The colours (n, 4) of :data:`NAMES`, some of them ``changed`` to other (r, g, b) or (r, g, b, a).

    TypeError or ValueError for a mapping that is not one of names and colours.
    """
    table = np.array(list(DEBUG_COLORS.values()), uint8)
    if changed is None:
        return table
    if not isinstance(changed, Mapping):
        raise TypeError(f"colors must be a dict of names and colors, got {show(changed)}")
    for name, color in changed.items():
        if name not in DEBUG_COLORS:
            raise ValueError(f"colors has no name {show(name)}; the names are {', '.join(NAMES)}")
        if isinstance(color, str) or not isinstance(color, Sequence | np.ndarray):
            raise TypeError(f"colors[{name!r}] must be (r, g, b) or (r, g, b, a), got {show(color)}")
        numbers = [whole_number(f"colors[{name!r}]", number) for number in color]
        if len(numbers) not in (3, 4) or not all(0 <= number <= 255 for number in numbers):
            raise ValueError(f"colors[{name!r}] must be 3 or 4 numbers from 0 to 255, got {show(color)}")
        table[NAMES.index(name)] = (*numbers, 255)[:4]
    return table


def checked_segments(segments: int) -> int:
    """The number of lines of a full circle; TypeError or ValueError for a bad one."""
    count = whole_number("segments", segments)
    if not _FEWEST_SEGMENTS <= count <= _MOST_SEGMENTS:
        raise ValueError(f"segments must be from {_FEWEST_SEGMENTS} to {_MOST_SEGMENTS}, got {show(segments)}")
    return count


def _mark_size(boxes: Floats) -> float:
    return _MARK * float(np.median((boxes[:, 2:] - boxes[:, :2]).min(axis=1))) if len(boxes) else 1.0


class ShownColliders(NamedTuple):
    """The colliders of the entities that are not marked dead, a row each. ``look`` is an index into ``NAMES``."""

    entity: Entities
    look: NDArray[uint8]
    placed: PlacedShapes

    @property
    def shapes(self) -> layout.ShapeArrays:
        placed = self.placed
        return layout.ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data)


def shown_colliders(state: PhysicsState, poses: Floats) -> ShownColliders:
    """All colliders, placed by ``poses`` (3, rows): the block of Transform, or others.

    The tables of the state must be up to date.
    """
    state.place()
    slots, entities = state.tables.colliders.slots, state.tables.entities
    pose_rows, numbers = entities.rows_of(entity_rows.TRANSFORM), entities.slots.entity
    order = state.tables.colliders.order
    order = order[~_are_dead(slots.entity[order])]
    has_disabled = entities.instances[entity_rows.DISABLED].count > 0
    if poses is Transform._columns.float64 and not has_disabled:
        arrays: tuple[Any, ...] = state.tables.colliders.placed
        placed = PlacedShapes(*(array[order] for array in arrays))
        return ShownColliders(slots.entity[order], _looks_of(state, order), placed)
    owners, kinds, rows = [slots.owner[order]], [slots.kind[order]], [slots.collider_row[order]]
    if has_disabled:
        # The tables do not list the colliders of disabled entities.
        disabled = entities.having(entity_rows.DISABLED)
        disabled = disabled[(pose_rows[disabled] >= 0) & ~_are_dead(numbers[disabled])]
        for kind in range(entity_rows.SHAPE_KINDS):
            of_kind = entities.rows_of(entity_rows.FIRST_COLLIDER + kind)[disabled]
            owners.append(disabled[of_kind >= 0])
            rows.append(of_kind[of_kind >= 0])
            kinds.append(np.full(len(rows[-1]), kind, uint8))
        for line in (entity_rows.COMPOUND, entity_rows.CHAIN):
            for slot in disabled[entities.rows_of(line)[disabled] >= 0].tolist():
                kinds_of_parts, rows_of_parts = entities.instances[line][slot]._lines.T
                owners.append(np.full(len(rows_of_parts), slot, int32))
                kinds.append(kinds_of_parts.astype(uint8))
                rows.append(rows_of_parts.astype(int32))
    owner = np.concatenate(owners)
    look = np.full(len(owner), _DISABLED, uint8)
    look[: len(order)] = _looks_of(state, order)
    return ShownColliders(
        numbers[owner], look, place_loose(np.concatenate(kinds), np.concatenate(rows), poses, pose_rows[owner])
    )


def _spokes(placed: PlacedShapes) -> tuple[Rows, Floats]:
    """For each circle a segment (k, 2, 2) from its centre, which shows how it turns; and the rows (k,) of these."""
    which = np.flatnonzero(placed.forms == layout.CIRCLE)
    numbers, found = placed.shapes[which], np.empty((len(which), 2, 2))
    found[:, 0] = placed.positions[which] + numbers[:, layout.CX : layout.CY + 1]
    cosines, sines = cos_sin_of(placed.angles[which])
    found[:, 1] = found[:, 0] + numbers[:, layout.RADIUS, None] * np.column_stack((cosines, sines))
    return which, found


def _looks_of(state: PhysicsState, order: Slots) -> NDArray[uint8]:
    """The kinds of the entities of some colliders, by their slots."""
    tables, bodies = state.tables, state.body_table
    slots, entities = tables.colliders.slots, tables.entities
    owner = slots.owner[order]
    looks = np.full(len(order), _COLLIDER, uint8)
    row = bodies.rows_as_listed(owner)
    kind = np.full(len(order), -1, int32)
    kind[row >= 0] = bodies.listed.kind[row[row >= 0]]
    # Entities that came since the last step.
    rigid_row = entities.rows_of(entity_rows.RIGID_BODY)[owner]
    is_new_body = (row < 0) & (rigid_row >= 0)
    kind[is_new_body] = RigidBody._columns.int64[KIND, rigid_row[is_new_body]]
    kind[(row < 0) & (rigid_row < 0) & (entities.rows_of(entity_rows.SOLID)[owner] >= 0)] = STATIC
    looks[kind == STATIC] = _STATIC
    looks[kind == KINEMATIC] = _KINEMATIC
    is_dynamic = kind == DYNAMIC
    looks[is_dynamic] = _DYNAMIC
    if bodies.any_sleeps:
        looks[is_dynamic & (row > 0) & (bodies.states.island[np.maximum(row, 0)] != AWAKE)] = _SLEEPING
    characters = rows_of(Character).entity
    if characters.size:
        looks[np.isin(slots.entity[order], characters)] = _CHARACTER
    looks[slots.sensor[order] != 0] = _SENSOR
    return looks


VELOCITY_SECONDS = 0.1
"""A line of a velocity is the way of so many seconds."""


class EntityLines(NamedTuple):
    """Segments (n, 2, 2), and the entity (n,) of each."""

    entity: Entities
    segments: Floats


class ContactPoints(NamedTuple):
    """The points of hits (n, 2), with the normal (n, 2), the depth (n,) and ``entity_a`` (n,) of the hit of each."""

    entity: Entities
    places: Floats
    normal: Floats
    depth: Floats


def contact_points(hits: HitArrays) -> ContactPoints:
    """The contact points of hits, one row each; without hits of entities that are deleted or disabled by now."""
    points = hits.points
    there = _still_hit(hits.entity_a) & _still_hit(hits.entity_b)
    which, number = np.nonzero(~np.isnan(points[:, :, 0]) & there[:, None])
    return ContactPoints(hits.entity_a[which], points[which, number], hits.normal[which], hits.depth[which])


def _contact_lines(points: ContactPoints, size: float) -> tuple[EntityLines, EntityLines]:
    """A bar along the surface through each contact point, and a line along its normal, both of a length ``size``."""
    across = 0.5 * size * np.column_stack((-points.normal[:, 1], points.normal[:, 0]))
    bars = np.stack((points.places - across, points.places + across), axis=1)
    normals = np.stack((points.places, points.places + size * points.normal), axis=1)
    return EntityLines(points.entity, bars), EntityLines(points.entity, normals)


def joint_lines(poses: Floats) -> EntityLines:
    """For each joint a line from its first entity over both anchors to its second entity.

    A gear is a line between the anchors of the two joints that it holds. Lines without length are left out.
    """
    owners, lines, is_geared = [np.zeros(0, int64)], [np.zeros((0, 4, 2))], [np.zeros(0, bool_)]
    for cls in ANCHORED_JOINTS:
        found = rows_of(cls)
        if not len(found):
            continue
        starts, anchors_a, is_a = _ends_of(cls, found.row, "a", poses)
        ends, anchors_b, is_b = _ends_of(cls, found.row, "b", poses)
        there = is_a & is_b & ~_are_dead(found.entity)
        owners.append(found.entity[there])
        lines.append(np.stack((starts, anchors_a, anchors_b, ends), axis=1)[there])
        is_geared.append(np.full(int(there.sum()), cls in (RevoluteJoint, PrismaticJoint)))
    owner, points, geared = np.concatenate(owners), np.concatenate(lines), np.concatenate(is_geared)
    entity = np.repeat(owner, 3)
    segments = np.stack((points[:, :-1], points[:, 1:]), axis=2).reshape(-1, 2, 2)
    gears, held, anchors = rows_of(GearJoint), owner[geared], points[geared, 2]
    if len(gears) and held.size:
        order = np.argsort(held, kind="stable")
        ends_of_gears = [
            rows_at(GearJoint._columns.row_of_block(name)[gears.row], held[order], order)
            for name in ("entity_a", "entity_b")
        ]
        there = (np.minimum(*ends_of_gears) >= 0) & ~_are_dead(gears.entity)
        entity = np.concatenate((entity, gears.entity[there]))
        segments = np.concatenate((segments, np.stack([anchors[end[there]] for end in ends_of_gears], axis=1)))
    has_length = (segments[:, 0] != segments[:, 1]).any(axis=1)
    return EntityLines(entity[has_length], segments[has_length])


def _velocity_lines(poses: Floats) -> EntityLines:
    """For each entity that moves a line to where its velocity would take it in :data:`VELOCITY_SECONDS`."""
    moving = rows_of(Velocity)
    places, is_placed = _poses_of(moving.entity, poses)
    way = VELOCITY_SECONDS * Velocity._columns.float64[:2, moving.row].T
    chosen = is_placed & (way != 0.0).any(axis=1) & ~_are_dead(moving.entity)
    starts = places[chosen, :2]
    return EntityLines(moving.entity[chosen], np.stack((starts, starts + way[chosen]), axis=1))


def _poses_of(entity: Entities, poses: Floats) -> tuple[Floats, NDArray[bool_]]:
    """The poses (n, 3) of some entities, and whether they have any."""
    found = rows_of(Transform)
    if not found.entity.size:
        return np.zeros((len(entity), 3)), np.zeros(len(entity), bool_)
    rows = rows_at(entity, found.entity, found.row)
    return poses[:, rows].T, (rows >= 0) & ~_are_dead(entity)


def _ends_of(cls: type, row: NDArray[int32], side: str, poses: Floats) -> tuple[Floats, Floats, NDArray[bool_]]:
    """For one end of joints of a class, by their rows: the position (n, 2) of the entity and the anchor (n, 2), and
    whether there is such an entity; both are the anchor at ends that the world holds."""
    columns = cls._columns  # type: ignore[attr-defined]
    entity, x, y = columns.values(row, f"entity_{side}", f"x_{side}", f"y_{side}")
    found, is_placed = _poses_of(entity, poses)
    of_world = entity == WORLD
    found = np.where(of_world[:, None], 0.0, found)
    cosines, sines = cos_sin_of(found[:, 2])
    anchors = found[:, :2] + np.column_stack((cosines * x - sines * y, sines * x + cosines * y))
    return np.where(of_world[:, None], anchors, found[:, :2]), anchors, is_placed | of_world


def _still_hit(entity: Entities) -> NDArray[bool_]:
    """Whether hits with some entities are still told, as by ``HitArrays.of``."""
    disabled = entities_with(Disabled)
    told = np.isin(entity, rows_of(Transform).entity) & ~_are_dead(entity)
    return told & ~np.isin(entity, list(disabled)) if disabled else told


def _are_dead(entity: Entities) -> NDArray[bool_]:
    dead = dead_entities()
    return np.isin(entity, list(dead)) if dead else np.zeros(len(entity), bool_)

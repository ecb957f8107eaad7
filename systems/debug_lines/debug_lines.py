"""``DebugLines``: a world as segments and colours, and how they are collected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import numpy as np
from numpy import float64, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import finite_number, show, true_or_false
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.systems.arguments import checked_rows, whole_number
from ecsphys.systems.debug_lines import world_lines
from ecsphys.systems.debug_lines.outlines import outline_segments
from ecsphys.systems.world.esper_world import refuse_other_world

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

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

    COLORS: Final = world_lines.DEBUG_COLORS

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

    def by_color(self) -> Iterator[tuple[world_lines.Rgba, NDArray[float64]]]:
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
    table = color_table(colors)
    count = checked_segments(segments)
    if mark_size is not None and finite_number("mark_size", mark_size) < 0.0:
        raise ValueError(f"mark_size must be 0 or more, got {show(mark_size)}")
    refuse_other_world(state.world)
    state.update()
    with blocks_stay():
        poses = _interpolated_poses(state) if true_or_false("interpolated", interpolated) else None
        return _collect(state, shown, poses, count, mark_size, table)


def _collect(
    state: PhysicsState,
    shown: set[str],
    poses: NDArray[float64] | None,
    count: int,
    mark_size: float | None,
    table: NDArray[uint8],
) -> DebugLines:
    picture = _Picture(table)
    if shown & {"colliders", "boxes"} or ("contacts" in shown and mark_size is None):
        found = world_lines.shown_colliders(state, poses)
        if "colliders" in shown:
            for which, segments in (outline_segments(found.shapes, count), world_lines.spokes(found)):
                picture.add("collider", world_lines.EntityLines(found.entity[which], segments), found.look[which])
        if "boxes" in shown:
            picture.add("box", _box_lines(found))
        if mark_size is None:
            mark_size = _mark_size(found)
    all_poses = Transform._columns.float64 if poses is None else poses
    if "joints" in shown:
        picture.add("joint", world_lines.joint_lines(all_poses))
    if "velocities" in shown:
        picture.add("velocity", world_lines.velocity_lines(all_poses))
    if "contacts" in shown:
        bars, normals = world_lines.contact_lines(world_lines.contact_points(state.last_hits().hits), mark_size or 0.0)
        picture.add("contact", bars)
        picture.add("normal", normals)
    return picture.lines()


class _Picture:
    """Lines as they are collected."""

    def __init__(self, table: NDArray[uint8]) -> None:
        # A number for each colour: quicker to take than four.
        self._table = np.ascontiguousarray(table).view(np.uint32)[:, 0]
        nothing = np.zeros((0, 2, 2)), np.zeros((0, 4), uint8), np.zeros(0, int64), np.zeros(0, uint8)
        self._parts: list[tuple[NDArray[Any], ...]] = [nothing]

    def add(self, kind: LineKind, lines: world_lines.EntityLines, look: NDArray[uint8] | None = None) -> None:
        """Add lines of a kind, in the colours of their looks, or in the one of the kind."""
        count = len(lines.segments)
        if look is None:
            look = np.full(count, world_lines.NAMES.index(kind), uint8)
        colors = self._table[look].view(uint8).reshape(-1, 4)
        numbers = np.full(count, KINDS.index(kind), uint8)
        self._parts.append((lines.segments, colors, lines.entity, numbers))

    def lines(self) -> DebugLines:
        """All of them."""
        return DebugLines(*map(np.concatenate, zip(*self._parts, strict=True)))


def color_table(changed: Mapping[str, Sequence[int]] | None) -> NDArray[uint8]:
    """The colours (n, 4) of :data:`NAMES`, some of them ``changed`` to other (r, g, b) or (r, g, b, a).

    TypeError or ValueError for a mapping that is not one of names and colours.
    """
    table = np.array(list(world_lines.DEBUG_COLORS.values()), uint8)
    if changed is None:
        return table
    if not isinstance(changed, Mapping):
        raise TypeError(f"colors must be a dict of names and colors, got {show(changed)}")
    for name, color in changed.items():
        if name not in world_lines.DEBUG_COLORS:
            raise ValueError(f"colors has no name {show(name)}; the names are {', '.join(world_lines.NAMES)}")
        table[world_lines.NAMES.index(name)] = _rgba(name, color)
    return table


def _rgba(name: str, color: Any) -> world_lines.Rgba:
    if isinstance(color, str) or not isinstance(color, Sequence | np.ndarray):
        raise TypeError(f"colors[{name!r}] must be (r, g, b) or (r, g, b, a), got {show(color)}")
    numbers = [whole_number(f"colors[{name!r}]", number) for number in color]
    if len(numbers) not in (3, 4) or not all(0 <= number <= 255 for number in numbers):
        raise ValueError(f"colors[{name!r}] must be 3 or 4 numbers from 0 to 255, got {show(color)}")
    red, green, blue, *alpha = numbers
    return red, green, blue, *(alpha or [255])  # type: ignore[return-value]


def checked_segments(segments: int) -> int:
    """The number of lines of a full circle; TypeError or ValueError for a bad one."""
    count = whole_number("segments", segments)
    if not _FEWEST_SEGMENTS <= count <= _MOST_SEGMENTS:
        raise ValueError(f"segments must be from {_FEWEST_SEGMENTS} to {_MOST_SEGMENTS}, got {show(segments)}")
    return count


def _interpolated_poses(state: PhysicsState) -> NDArray[float64] | None:
    """The block of Transform as the fixed step draws it, (3, rows); None without a fixed step."""
    steps = state.stepping.fixed_step
    if steps is None:
        return None
    return np.stack((steps.interpolated("x"), steps.interpolated("y"), steps.interpolated("angle")))


def _mark_size(found: world_lines.ShownColliders) -> float:
    boxes = found.boxes
    return _MARK * float(np.median((boxes[:, 2:] - boxes[:, :2]).min(axis=1))) if len(boxes) else 1.0


def _box_lines(found: world_lines.ShownColliders) -> world_lines.EntityLines:
    low_x, low_y, high_x, high_y = found.boxes.T
    corners = np.stack((low_x, low_y, high_x, low_y, high_x, high_y, low_x, high_y), axis=1).reshape(-1, 4, 2)
    segments = np.stack((corners, np.roll(corners, -1, axis=1)), axis=2).reshape(-1, 2, 2)
    return world_lines.EntityLines(np.repeat(found.entity, 4), segments)

"""``physics.debug``: finds mistakes, explains missing hits, draws, measures, and shows the data of the stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.store.column_store import read_only
from ecsphys.systems.arguments import KnownAttributes, whole_number
from ecsphys.systems.profile import Profile
from ecsphys.systems.world.collider_table import ColliderArrays

if TYPE_CHECKING:
    from ecsphys.systems.diagnosis.debug_lines import DebugLines
    from ecsphys.systems.physics_state import PhysicsState


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of ``physics.debug.check()``; ``str`` makes a line of it.

    ``message``: mistake and remedy. ``entity``: the first entity that has it, or None.
    ``component``, ``field``: the names of the component class and of its field, or "". ``count``: how many entities
    have it.
    """

    message: str
    entity: int | None = None
    component: str = ""
    field: str = ""
    count: int = 1

    def __str__(self) -> str:
        where = [] if self.entity is None else [f"entity {self.entity}"]
        if self.count > 1:
            where = [f"{where[0]} and {self.count - 1:,} more"]
        if self.component:
            where.append(f"{self.component}.{self.field}" if self.field else self.component)
        return f"{', '.join(where)}: {self.message}" if where else self.message


class Debug(KnownAttributes):
    """Tools for the developer of a game; ``physics.debug`` is one.

    Attributes
    ----------
    profile
        Timings and counters of the last step; a :class:`Profile`.
    colliders
        Every collider of the world as arrays, and its box; a :class:`ColliderArrays`.
    """

    _called = "physics.debug"
    _set_by_constructor = _kept_parts = frozenset(("colliders", "profile"))

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self.profile = Profile(state)
        self.colliders = ColliderArrays(state)

    @property
    def candidate_pairs(self) -> NDArray[int32]:
        """(m, 2) int32: pairs of rows of ``colliders`` that are tested in this step.

        A broadphase of your own assigns them.
        """
        self._state.follow_database()
        return read_only(self._state.pairs.public)

    @candidate_pairs.setter
    def candidate_pairs(self, pairs: Any) -> None:
        self._state.update()
        self._state.pairs.give(pairs)

    def lines(
        self,
        *,
        colliders: bool = True,
        contacts: bool = True,
        joints: bool = True,
        velocities: bool = False,
        boxes: bool = False,
        interpolated: bool = False,
        segments: int = 24,
        mark_size: float | None = None,
        colors: Mapping[str, Sequence[int]] | None = None,
    ) -> DebugLines:
        """The world as coloured lines, to draw with any renderer: outlines, contacts, joints, and which bodies sleep.

        It shows the world as it is now, and the contacts of the last step. Entities that are marked dead have no lines,
        and contacts of disabled entities have none. Looking changes nothing.

        Parameters
        ----------
        colliders
            The outlines of all colliders, and for a circle a spoke that turns with it.
        contacts
            For each contact point of the last step's hits a bar along the surface, and a line along the normal.
        joints
            For each joint a line from one entity over both anchors to the other.
        velocities
            For each entity that moves, its way in 0.1 s.
        boxes
            The bounding boxes of the colliders.
        interpolated
            Show colliders, joints and velocities where ``physics.fixed_step`` draws their entities, between two steps.
            The first such call starts to record poses. Without a fixed step this changes nothing.
        segments
            Number of lines of a full circle, 3 to 1024. Other arcs have their part of it.
        mark_size
            Length of the lines of a contact, units. None chooses it from the sizes of the colliders.
        colors
            Other colours, (r, g, b) or (r, g, b, a) from 0 to 255, for some names of ``DebugLines.COLORS``.

        Returns
        -------
        DebugLines
            Arrays of segments, colours, entities and kinds.

        Raises
        ------
        ValueError, TypeError
            A bad argument.
        RuntimeError
            The current esper world is not the world of this physics.

        Examples
        --------
        >>> physics = ecsphys.install()
        >>> crate = esper.create_entity(Transform(), OBBCollider(1, 1), RigidBody())
        >>> lines = physics.debug.lines()
        >>> lines.segments.shape, lines.colors.shape
        ((4, 2, 2), (4, 4))
        """
        from ecsphys.systems.diagnosis.debug_lines import debug_lines

        parts = {"colliders": colliders, "contacts": contacts, "joints": joints, "velocities": velocities}
        parts["boxes"] = boxes
        return debug_lines(self._state, parts, interpolated, segments, mark_size, colors)

    def check(self) -> list[Finding]:
        """List everything in the world that is almost certainly a mistake.

        For example components that do nothing, bodies without ground, units that do not fit, and missing systems. The
        page "Troubleshooting" lists all. Call it if a game behaves strangely, and at the end of tests. It
        looks at every entity, so do not call it in every frame.

        If a game writes the ``Transform`` of a body in each frame, this is found after 20 steps.

        Returns
        -------
        list of Finding
            One for each kind of mistake, with the first entity and the count; empty if nothing is wrong.

        Raises
        ------
        RuntimeError
            The current esper world is not the world of this physics.

        Examples
        --------
        >>> physics = ecsphys.install(gravity=(0.0, -9.8))
        >>> ball = esper.create_entity(Transform(), Gravity())
        >>> for finding in physics.debug.check():
        ...     print(finding)
        entity 1, Gravity: does nothing without a Velocity: add one
        """
        # Imported when it is first asked for: no game in play needs it.
        from ecsphys.systems.diagnosis.world_checks import check_world

        return check_world(self._state)

    def why_no_hit(self, a: int, b: int) -> str:
        """Explain in one sentence why two entities did not hit each other in the last step, or say that they did.

        If one of them is a rigid body and nothing was pushed, it says why.

        Raises TypeError unless both are whole numbers, and RuntimeError in another esper world.
        """
        from ecsphys.systems.diagnosis.component_checks import explain

        return explain(self._state, whole_number("a", a), whole_number("b", b))

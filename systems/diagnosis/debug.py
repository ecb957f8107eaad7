"""``physics.debug``: finds mistakes, explains, measures, and shows what the stages exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.store.read_only import read_only
from ecsphys.systems.arguments import whole_number
from ecsphys.systems.diagnosis.finding import Finding
from ecsphys.systems.known_attributes import KnownAttributes
from ecsphys.systems.other_names import NAMES_FOR_DEBUG
from ecsphys.systems.profile import Profile
from ecsphys.systems.world.collider_arrays import ColliderArrays

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


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
    _set_by_constructor = frozenset(("colliders", "profile"))
    _other_names = NAMES_FOR_DEBUG

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

    def check(self) -> list[Finding]:
        """List what is almost certainly a mistake in the world as it is now.

        For example components that do nothing, bodies without ground, units that do not fit, and missing systems. The
        page "Troubleshooting" lists all. Call it if a game does not do what it should, and at the end of tests. It
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
        entity 1, Gravity: does nothing without a Velocity
        """
        # Imported when it is first asked for: no game in play needs it.
        from ecsphys.systems.diagnosis.world_check import check_world

        return check_world(self._state)

    def why_no_hit(self, a: int, b: int) -> str:
        """Explain in one sentence why two entities did not hit each other in the last step, or say that they did.

        If one of them is a rigid body and nothing was pushed, it says why.

        Raises TypeError unless both are whole numbers, and RuntimeError in another esper world.
        """
        from ecsphys.systems.diagnosis.why_no_hit import explain

        return explain(self._state, whole_number("a", a), whole_number("b", b))

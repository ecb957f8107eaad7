"""``MouseJoint``: pulls a point of a body to a point of the world."""

from __future__ import annotations

from typing import Any, final

from ecsphys.components.dynamics.joints.joint import AnchoredJoint, anchored
from ecsphys.components.store.column import column, show


@final
class MouseJoint(AnchoredJoint, tracked=True):
    """Pulls a point of a body to a target with a soft spring, for example to drag bodies with the mouse.

    Parameters
    ----------
    entity_a, x_a, y_a
        The body, and its point that is pulled, units, in its frame.
    entity_b, x_b, y_b
        The target: a point of the world, or a point in the frame of ``entity_b``. See :attr:`target`.
    collide_connected, break_force, break_torque
        See :class:`Joint`.
    max_force
        Its largest force, mass · units/s², >= 0; 0 lets go. None: no limit.
    frequency, damping_ratio
        The spring: swings per second, > 0, for any masses; and damping, >= 0 (with 1 it does not swing).

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> crate = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), RigidBody())
    >>> grip = MouseJoint.at(crate, 0, 0, max_force=100.0)
    >>> held = esper.create_entity(grip)
    >>> grip.target = 2, 1
    >>> for _ in range(120):
    ...     esper.process(1 / 60)
    >>> round(esper.component_for_entity(crate, Transform).x, 2)
    2.0
    """

    max_force: float | None = column(default=None, low=0.0)
    frequency: float = column(default=5.0, above=0.0)
    damping_ratio: float = column(default=0.7, low=0.0)

    @classmethod
    def at(cls, entity: int, x: float, y: float, **options: Any) -> MouseJoint:
        """Take hold of a body at a point (x, y) of the world, which is also the first target.

        For ``options`` and errors see :meth:`RevoluteJoint.at`.
        """
        return anchored(cls, entity, None, (x, y), (x, y), options, ("entity", "the world"))

    @property
    def target(self) -> tuple[float, float]:
        """The point (x, y) of the world to which the body is pulled."""
        return self.x_b, self.y_b

    @target.setter
    def target(self, point: tuple[float, float]) -> None:
        try:
            x, y = point
        except (TypeError, ValueError):
            raise TypeError(f"MouseJoint.target must be two numbers (x, y), got {show(point)}") from None
        self.x_b, self.y_b = x, y

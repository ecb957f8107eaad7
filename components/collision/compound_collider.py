"""``CompoundCollider``: several colliders on one entity, of any classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, final

import numpy as np
from numpy import int32
from numpy.typing import NDArray

from ecsphys.components.argument_names import names_arguments
from ecsphys.components.collision.colliders import SHAPE_CLASSES, Collider
from ecsphys.components.collision.outline_parts import outline_parts
from ecsphys.components.collision.polygon_collider import PolygonCollider, VerticesLike
from ecsphys.components.store.final import FinalBase

_KINDS = {cls: kind for kind, cls in enumerate(SHAPE_CLASSES)}


@names_arguments
@final
class CompoundCollider(FinalBase):
    """Several colliders on one entity, of the same or of different classes. Each is a part with a number: its index.

    Each part has its own offset and angle in the entity's frame, and its own hits: a hit has the class and number of
    the part. Parts of one entity never hit each other. The entity may have other colliders in addition.

    The list of parts is fixed. To change it, replace the component: its hits end with the reason "removed" and start
    again. The parts' fields may change: ``compound.parts[0].radius = 2.0``. ``copy.deepcopy`` copies the parts too.

    Parameters
    ----------
    parts
        One collider or more.
    sensor
        True makes all parts sensors. The attribute is True if all parts are sensors; you may also set single parts.

    Raises
    ------
    ValueError
        If there are no parts, or one instance is given twice.
    TypeError
        If a part is not a collider, or ``sensor`` is not a bool.

    Examples
    --------
    >>> hammer = CompoundCollider([OBBCollider(1.0, 0.1), CircleCollider(0.4, offset_x=1.0)])
    >>> len(hammer)
    2
    """

    __slots__ = ("_lines", "_parts")
    __match_args__ = ("parts",)

    def __init__(self, parts: Iterable[Collider], sensor: bool = False) -> None:
        if not isinstance(sensor, bool):
            raise TypeError(f"CompoundCollider.sensor must be True or False, got {sensor!r}")
        try:
            given: tuple[Any, ...] = tuple(parts)
        except TypeError:
            raise TypeError(f"CompoundCollider.parts must be colliders in a list, got {parts!r}") from None
        if not given:
            raise ValueError("CompoundCollider.parts must have at least one collider, got none")
        numbers: dict[int, int] = {}
        for number, part in enumerate(given):
            if type(part) not in _KINDS:
                raise TypeError(f"CompoundCollider.parts[{number}] must be a collider, got {part!r}")
            if (first := numbers.setdefault(id(part), number)) != number:
                raise ValueError(
                    f"CompoundCollider.parts[{number}] is the same instance as parts[{first}], {part!r}: "
                    f"make another with copy.copy"
                )
        self._parts: tuple[Collider, ...] = given
        # For code that indexes thousands of compounds: class and row of each part, which never change.
        lines = [(_KINDS[type(part)], part._row) for part in given]
        self._lines: NDArray[int32] = np.array(lines, int32)
        if sensor:
            self.sensor = True

    @classmethod
    def from_outline(cls, points: VerticesLike, radius: float = 0.0, sensor: bool = False) -> CompoundCollider:
        """A filled outline, concave or not, as few convex :class:`PolygonCollider` parts, rounded by ``radius``.

        ``points``: 3 or more points (x, y) in the entity's frame, in either winding, or an array (n, 2). Raises
        ValueError if neighboring points are equal, or if the outline touches or crosses itself, and TypeError unless
        the points are numbers.

        >>> arrow = CompoundCollider.from_outline([(0, 0), (2, -1), (1, 0), (2, 1)])
        >>> len(arrow)
        2
        """
        outlines = outline_parts("CompoundCollider.points", points)
        return cls([PolygonCollider(outline, radius) for outline in outlines], sensor)

    @property
    def parts(self) -> tuple[Collider, ...]:
        """The colliders, in the order of their numbers."""
        return self._parts

    @property
    def sensor(self) -> bool:
        """Whether all parts are sensors. Assign a bool to set all parts."""
        return all(part.sensor for part in self._parts)

    @sensor.setter
    def sensor(self, value: bool) -> None:
        for part in self._parts:
            part.sensor = value

    def __len__(self) -> int:
        return len(self._parts)

    def __repr__(self) -> str:
        return f"CompoundCollider({list(self._parts)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CompoundCollider):
            return NotImplemented
        return self._parts == other._parts

    __hash__ = None  # type: ignore[assignment]  # its parts may change

    def __reduce__(self) -> tuple[type[CompoundCollider], tuple[list[Collider]]]:
        return CompoundCollider, (list(self._parts),)

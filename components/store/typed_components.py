"""Bases of the built-in components, for type checkers: the dtype of a column by the name of its field.

At run time they are ``Component``. A field of one name has one dtype in all built-in components, so that one list for
each dtype is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from numpy import float64, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.components.store.component import Component

Uint8Field = Literal["sensor"]
Uint32Field = Literal["layers", "mask"]
Int64Field = Literal[
    "at_edge", "camera", "can_sleep", "collide_connected", "dominance", "entity", "entity_a", "entity_b", "group",
    "has_limits", "kind", "lock_rotation", "lock_x", "lock_y", "number", "owner", "row_count", "segments", "splash",
    "steering", "stop", "style", "target",
]  # fmt: skip
Float64Field = Literal[
    "amplitude", "angle", "angular_damping_ratio", "angular_frequency", "axis_x", "axis_y", "break_force",
    "break_torque", "damping_ratio", "dead_zone_x", "dead_zone_y", "density", "direction", "drag", "due", "elapsed",
    "far_width", "frequency", "friction", "gravity_scale", "half_height", "half_width", "height", "inertia",
    "length", "lifetime", "lifetime_spread", "linear_damping_ratio", "linear_frequency", "lower", "margin", "mass",
    "max_force", "max_length", "max_torque", "max_x", "max_y", "min_length", "min_x", "min_y", "motor_speed",
    "near_width", "offset_x", "offset_y", "period", "radius", "rate", "ratio", "rest", "restitution",
    "rolling_resistance", "row_height", "screen_x", "screen_y", "segment_length", "speed", "speed_x", "speed_y",
    "spread", "tangent_speed", "target_x", "target_y", "turn_limit", "upper", "view_height", "view_width", "vx",
    "vx_spread", "vy", "vy_spread", "wavelength", "width", "world_height", "world_width", "world_x", "world_y", "x",
    "x_a", "x_b", "y", "y_a", "y_b",
]  # fmt: skip

if TYPE_CHECKING:

    class FloatComponent(Component):
        """A component whose fields are all float."""

        @classmethod
        def column(cls, name: str, writable: bool = True) -> NDArray[float64]:
            raise NotImplementedError

    class MixedComponent(Component):
        """A component with fields of several types."""

        @overload
        @classmethod
        def column(cls, name: Uint8Field, writable: bool = True) -> NDArray[uint8]: ...
        @overload
        @classmethod
        def column(cls, name: Uint32Field, writable: bool = True) -> NDArray[uint32]: ...
        @overload
        @classmethod
        def column(cls, name: Int64Field, writable: bool = True) -> NDArray[int64]: ...
        @overload
        @classmethod
        def column(cls, name: Float64Field, writable: bool = True) -> NDArray[float64]: ...
        @overload
        @classmethod
        def column(cls, name: str, writable: bool = True) -> NDArray[Any]: ...
        @classmethod
        def column(cls, name: str, writable: bool = True) -> NDArray[Any]:
            raise NotImplementedError

else:
    FloatComponent = MixedComponent = Component

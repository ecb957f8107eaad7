"""The settings of a physics as plain values: a recording has them, and each later change of a setting."""

from __future__ import annotations

from typing import Any, Final

from ecsphys.systems.physics import Physics
from ecsphys.systems.settings import Settings

Values = dict[str, Any]

# The number of threads changes no result.
_SETTINGS: Final = tuple(
    name for name, member in vars(Settings).items() if getattr(member, "fset", None) and name != "threads"
)
_FIXED_STEP: Final = ("hz", "max_steps", "time_scale", "paused")


def settings_of(physics: Physics) -> Values:
    """All settings on which results depend, by name."""
    fixed = physics.fixed_step
    values = {name: getattr(physics.settings, name) for name in _SETTINGS}
    if fixed is not None:
        values |= {f"fixed_step.{name}": getattr(fixed, name) for name in _FIXED_STEP}
        values["fixed_step.asked"] = fixed.take_state()[1]
    return values


def put_settings(physics: Physics, values: Values) -> None:
    """Set the values of :func:`settings_of`. Raises the errors of the settings."""
    fixed = physics.fixed_step
    for name, value in values.items():
        owner, _, field = name.rpartition(".")
        if owner == "" and field in _SETTINGS:
            setattr(physics.settings, field, value)
        elif owner == "fixed_step" and fixed is not None and field in _FIXED_STEP:
            setattr(fixed, field, value)
        elif name == "fixed_step.asked" and fixed is not None:
            for _ in range(value - fixed.take_state()[1]):
                fixed.step_once()
        else:
            raise ValueError(f"this version of ecsphys has no setting {name!r}")

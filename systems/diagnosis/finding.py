"""``Finding``: one thing in a world that cannot be meant."""

from __future__ import annotations

from dataclasses import dataclass


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


def found(entities: list[int], message: str, component: str = "", field: str = "") -> list[Finding]:
    """One finding for all of some entities, none without any."""
    return [Finding(message, entities[0], component, field, len(entities))] if entities else []

"""Differences while the library is built."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

IS_BUILDING: Final = os.environ.get("ECSPHYS_ENGINE") == "build"
"""Whether numba compiles the engine, in a process that does nothing else."""

if TYPE_CHECKING or IS_BUILDING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter

    class NamedTuple(tuple):
        """As ``typing.NamedTuple``, which numba needs while the library is built.

        The engine has 180 of them, and typing takes 30 times as long to make one: together a fifth of
        ``import ecsphys``.
        """

        _fields: ClassVar[tuple[str, ...]] = ()
        _field_defaults: ClassVar[dict[str, Any]] = {}

        def __init_subclass__(cls):
            names = tuple(vars(cls).get("__annotations__", ()))
            if names:
                cls._fields = cls.__match_args__ = names
                cls._field_defaults = {name: vars(cls)[name] for name in names if name in vars(cls)}
                for k, name in enumerate(names):
                    setattr(cls, name, _tuplegetter(k, None))

        def __new__(cls, *values, **named):
            fields = cls._fields
            if named or len(values) != len(fields):
                given = {**dict(zip(fields, values, strict=False)), **named}
                if len(given) != len(values) + len(named) or given.keys() | cls._field_defaults.keys() != set(fields):
                    raise TypeError(f"{cls.__name__} takes {fields}, got {len(values)} values and {tuple(named)}")
                values = map({**cls._field_defaults, **given}.__getitem__, fields)
            return tuple.__new__(cls, values)

        def _replace(self, **named):
            return type(self)(**{**self._asdict(), **named})

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"


ENGINE_FOLDER: Final = Path(__file__).parents[1]


def source_stamp() -> str:
    """Hash over all sources of the engine, in Python and C."""
    root = str(ENGINE_FOLDER)
    # By os, as every import in a clone does it: pathlib takes twice as long. In the same order on every system.
    paths = [
        f"{folder[len(root) :]}/{name}".replace(os.sep, "/")
        for folder, _, names in os.walk(root)
        for name in names
        if name.endswith((".py", ".c", ".h"))
    ]
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.encode())
        with open(root + path, "rb", buffering=0) as file:
            # Git may write lines with other ends on Windows.
            digest.update(file.read().replace(b"\r\n", b"\n"))
    return digest.hexdigest()

"""The code of functions, and of all that they call, as one module of LLVM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm


def linked(libraries: Sequence[Any]) -> str:
    """The text of a module with the code of these, in the same order for the same sources."""
    found = list(dict.fromkeys(libraries))
    known = set(found)
    for library in found:
        new = [one for one in dict.fromkeys(library._linking_libraries) if one not in known]
        known.update(new)
        found += new
    modules = [library._final_module for library in found]
    # In pairs, as to link into a large module takes long.
    while len(modules) > 1:
        for k in range(0, len(modules) - 1, 2):
            modules[k].link_in(modules[k + 1])
        modules = modules[::2]
    return str(modules[0]) if modules else str(llvm.parse_assembly(""))

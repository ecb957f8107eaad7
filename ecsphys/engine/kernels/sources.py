"""The sources of the engine: whether a library was made of them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

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

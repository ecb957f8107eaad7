"""The sources of the engine: whether a library was made of them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

ENGINE_FOLDER: Final = Path(__file__).parents[1]


def source_stamp() -> str:
    """Hash over all sources of the engine, in Python and C."""
    digest = hashlib.sha256()
    for path in sorted([*ENGINE_FOLDER.rglob("*.py"), *ENGINE_FOLDER.rglob("*.[ch]")]):
        digest.update(path.relative_to(ENGINE_FOLDER).as_posix().encode())
        # Git may write lines with other ends on Windows.
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()

"""The file of a recording: a mark, and blocks. Each checksum continues the checksum of the block before.

A file that was cut short, for example by a crash, has whole blocks and perhaps part of one. It is still valid; any
other change counts as damage. All numbers are little-endian; there is no pickle.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import Any, BinaryIO, Final

MARK: Final = b"ecsplay\n"
FORMAT: Final = 2

HEAD, SNAPSHOT, SETTINGS, INPUT, RESULT, END = range(1, 7)
"""The kinds of blocks: the head in JSON; the world's bytes; settings in JSON; dt and inputs of a step, written before
it; its outcome; and the number of steps, if the recording was closed."""

_FILE: Final = Struct("<8sI")
# The kind, the length, and a check of both: a wrong length is told from an end that is missing.
_BLOCK: Final = Struct("<BIH")
_SUM: Final = Struct("<I")


class BlockWriter:
    """Appends blocks to a new file, each in one write of the operating system: a crash of the game loses none.

    Raises OSError if the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self._sum = 0
        self._start = _FILE.pack(MARK, FORMAT)  # goes with the first block
        self.size = 0

    @property
    def is_closed(self) -> bool:
        return self._file.closed

    def write(self, kind: int, content: bytes) -> None:
        self._sum = zlib.crc32(content, self._sum)
        data = self._start + _head_of(kind, len(content)) + content + _SUM.pack(self._sum)
        self._start = b""
        self.size += self._write(data)

    def close(self) -> None:
        self._file.close()

    def _write(self, data: bytes) -> int:
        left = memoryview(data)
        while left:
            left = left[self._file.write(left) :]
        return len(data)


def blocks_of(path: Path) -> Iterator[tuple[int, bytes]]:
    """Kind and content of each whole block, in order.

    Raises ValueError if the file is not a recording, has another format, or is damaged. A part of a block at the end is
    ignored.
    """
    with path.open("rb") as file:
        start = file.read(_FILE.size)
        if not start.startswith(MARK[: len(start)]) or not start:
            raise ValueError(f"{path} is not a recording of ecsphys")
        if len(start) < _FILE.size:
            return
        _, number = _FILE.unpack(start)
        if number != FORMAT:
            raise ValueError(f"{path} has the format {number}; this version of ecsphys reads format {FORMAT}")
        yield from _checked_blocks(file, path)


def _checked_blocks(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    expected = 0
    while len(head := file.read(_BLOCK.size)) == _BLOCK.size:
        kind, length, _ = _BLOCK.unpack(head)
        if head != _head_of(kind, length):
            if not any(head) and _is_blank(file):
                return  # room that the file system had given, and a machine that stopped
            raise ValueError(f"{path} is damaged at byte {file.tell() - _BLOCK.size}")
        content = file.read(length)
        end = file.read(_SUM.size)
        if len(end) < _SUM.size:
            return
        expected = zlib.crc32(content, expected)
        if end != _SUM.pack(expected):
            raise ValueError(f"{path} is damaged before byte {file.tell()}: a checksum does not match")
        yield kind, content


def _head_of(kind: int, length: int) -> bytes:
    numbers = _BLOCK.pack(kind, length, 0)
    return numbers[:-2] + (zlib.crc32(numbers[:-2]) & 0xFFFF).to_bytes(2, "little")


def _is_blank(file: Any) -> bool:
    return not any(any(part) for part in iter(lambda: file.read(1 << 16), b""))

"""What the files of libraries say of themselves: ELF of Linux, Mach-O of macOS, PE of Windows.

Only as much is read as the tests pin: the processor, the names a library has for others, and those it wants of others.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple


class LibraryFile(NamedTuple):
    """A library.

    Attributes
    ----------
    kind
        "ELF", "Mach-O" or "PE".
    processor
        "x86_64" or "aarch64".
    exported, undefined
        Names that others find in it, and those that it wants of others.
    libraries
        The libraries that it loads.
    needs
        The oldest system it runs on: names of versions of ELF, the system's version of Mach-O.
    is_signed
        Whether it has a signature, which macOS wants of code for its own processors.
    """

    kind: str
    processor: str
    exported: frozenset[str]
    undefined: frozenset[str]
    libraries: tuple[str, ...]
    needs: tuple[str, ...] = ()
    is_signed: bool = False


def read_library(data: bytes) -> LibraryFile:
    """Read a file of any of the three kinds; ValueError for another."""
    if data[:4] == b"\x7fELF":
        return _read_elf(data)
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return _read_mach(data)
    if data[:2] == b"MZ":
        return _read_pe(data)
    raise ValueError(f"no library begins with {data[:4]!r}")


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()


def _read_elf(data: bytes) -> LibraryFile:
    machine = {62: "x86_64", 183: "aarch64"}[struct.unpack_from("<H", data, 18)[0]]
    start, size, count = struct.unpack_from("<40xQ10xHH", data)
    # Of each section: its type, offset, size, link and the size of its entries.
    sections = [struct.unpack_from("<4xI16xQQI12xQ", data, start + k * size) for k in range(count)]
    exported: set[str] = set()
    undefined: set[str] = set()
    libraries: list[str] = []
    needs: list[str] = []
    for kind, offset, length, link, entry in sections:
        strings = sections[link][1] if link < count else 0
        if kind == 11:  # dynamic symbols
            for place in range(offset + entry, offset + length, entry):
                name, info, _, section = struct.unpack_from("<IBBH", data, place)
                if info >> 4:  # not local
                    (exported if section else undefined).add(_text(data, strings + name))
        elif kind == 6:  # dynamic entries
            for place in range(offset, offset + length, 16):
                tag, value = struct.unpack_from("<qQ", data, place)
                if tag == 1:
                    libraries.append(_text(data, strings + value))
        elif kind == 0x6FFFFFFE:  # versions it needs
            needs += _elf_versions(data, offset, strings)
    return LibraryFile("ELF", machine, frozenset(exported), frozenset(undefined), tuple(libraries), tuple(needs))


def _elf_versions(data: bytes, place: int, strings: int) -> Iterator[str]:
    while True:
        count, auxiliary, next_file = struct.unpack_from("<2xH4xII", data, place)
        version = place + auxiliary
        for _ in range(count):
            name, next_version = struct.unpack_from("<8xII", data, version)
            yield _text(data, strings + name)
            version += next_version
        if not next_file:
            return
        place += next_file


def _read_mach(data: bytes) -> LibraryFile:
    processor, count = struct.unpack_from("<I8xI", data, 4)
    exported: set[str] = set()
    undefined: set[str] = set()
    libraries: list[str] = []
    needs: list[str] = []
    is_signed = False
    place = 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, place)
        if command == 0x2:  # symbols
            symbols, many, strings = struct.unpack_from("<III", data, place + 8)
            for k in range(many):
                name, kind = struct.unpack_from("<IB", data, symbols + 16 * k)
                if kind == 1:  # external, in no section
                    undefined.add(_text(data, strings + name).removeprefix("_"))
        elif command == 0x80000022:  # what the loader reads
            trie, length = struct.unpack_from("<40xII", data, place)
            exported = {name.removeprefix("_") for name in _mach_exports(data[trie : trie + length], 0, "")}
        elif command == 0xC:  # a library
            libraries.append(_text(data, place + struct.unpack_from("<I", data, place + 8)[0]))
        elif command in (0x24, 0x32):  # the oldest macOS, old and new form
            (version,) = struct.unpack_from("<I", data, place + (8 if command == 0x24 else 12))
            needs.append(f"{version >> 16}.{version >> 8 & 0xFF}")
        elif command == 0x1D:
            is_signed = True
        place += size
    name = {0x01000007: "x86_64", 0x0100000C: "aarch64"}[processor]
    return LibraryFile(
        "Mach-O", name, frozenset(exported), frozenset(undefined), tuple(libraries), tuple(needs), is_signed
    )


def _mach_exports(trie: bytes, place: int, begin: str) -> Iterator[str]:
    """The names that end at a node of the trie, or below it."""
    length, place = _packed(trie, place)
    if length:
        yield begin
    place += length
    count, place = trie[place], place + 1
    for _ in range(count):
        more = _text(trie, place)
        node, place = _packed(trie, place + len(more) + 1)
        yield from _mach_exports(trie, node, begin + more)


def _packed(data: bytes, place: int) -> tuple[int, int]:
    """A number in bytes of seven bits each, the lowest first, and the place after it."""
    number, shift = 0, 0
    while True:
        number |= (data[place] & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if data[place - 1] < 0x80:
            return number, place


def _read_pe(data: bytes) -> LibraryFile:
    (header,) = struct.unpack_from("<I", data, 0x3C)
    machine, section_count, optional = struct.unpack_from("<HH12xH", data, header + 4)
    first = header + 24
    # The directory begins at 112 bytes: (address, size) of exports, then of imports.
    exports, _, imports, _ = struct.unpack_from("<IIII", data, first + 112)
    sections = [struct.unpack_from("<8xIIII", data, first + optional + 40 * k) for k in range(section_count)]

    def at(address: int) -> int:
        """Where in the file an address is."""
        for virtual_size, start, size, offset in sections:
            if start <= address < start + max(virtual_size, size):
                return int(address - start + offset)
        raise ValueError(f"{address:#x} is in no section")

    exported = set()
    if exports:
        count, names = struct.unpack_from("<I4xI", data, at(exports) + 24)
        exported = {_text(data, at(one)) for one in struct.unpack_from(f"<{count}I", data, at(names))}
    undefined: set[str] = set()
    libraries: list[str] = []
    place = at(imports) if imports else len(data) - 20
    while imports and any(entry := struct.unpack_from("<IIIII", data, place)):
        libraries.append(_text(data, at(entry[3])))
        undefined.update(_pe_names(data, at(entry[0] or entry[4]), at))
        place += 20
    name = {0x8664: "x86_64", 0xAA64: "aarch64"}[machine]
    return LibraryFile("PE", name, frozenset(exported), frozenset(undefined), tuple(libraries))


def _pe_names(data: bytes, place: int, at: Any) -> Iterator[str]:
    while True:
        (address,) = struct.unpack_from("<Q", data, place)
        if not address:
            return
        yield _text(data, at(address) + 2)
        place += 8

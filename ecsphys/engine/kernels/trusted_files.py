"""Files whose content runs as code: read only where nobody else can have written them, written so that none is misled.

Trusted is what belongs to this user or to root and what no other user can write, along the whole path: in a folder that
others can write, they may exchange what lies in it. Two exceptions spare ordinary systems:

* A group may write if it is root's, or if it has one member, the owner (many Linux systems give each user such a group
  and make every folder writable by it).
* What lies in ``sources``, a folder with code that Python has imported, may be owned by its owner and be as open as
  the folder itself: those who can write there can run code in this process anyway.

Windows tells Python neither owners nor rights in this form. There, the user's profile is trusted, which others cannot
write unless the user lets them, and ``sources``.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

_ROOT = 0
_UNUSED_AFTER = 3600.0  # seconds after which no process can still be writing a file
_PART = ".part"

# Not everywhere: Windows has neither links to beware of nor named pipes to wait at, but translates line ends.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class DistrustError(OSError):
    """Another user may have written it; the text says why."""


def check_folder(folder: Path, sources: Path) -> None:
    """Raise :class:`DistrustError` where another user could put files into ``folder``, as far as it exists."""
    if not hasattr(os, "geteuid"):
        _check_on_windows(folder, sources)
        return
    itself = (folder.absolute(), folder.resolve())
    for path in _along(itself, sources):
        try:
            link, state = path.lstat(), path.stat()
        except FileNotFoundError:
            continue
        _check_owner(path, link, sources)
        _check_owner(path, state, sources)
        # In a sticky folder, such as /tmp, nobody else can exchange what is ours.
        if path in itself or not state.st_mode & stat.S_ISVTX:
            _check_mode(path, state, sources)


def read_trusted(path: Path, sources: Path) -> bytes:
    """The content of a file; an ``OSError`` where there is none, a :class:`DistrustError` where others can write it."""
    # It is opened once, and what is looked at is what was opened: nothing can be exchanged in between.
    with open(os.open(path, os.O_RDONLY | _NO_LINK | _NO_WAIT | _BINARY), "rb") as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise DistrustError(f"{path} is not a file")
        if hasattr(os, "geteuid"):
            _check_owner(path, state, sources)
            _check_mode(path, state, sources)
        return file.read()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that others can read at most: they see what was there before or all of it, never a part."""
    # Neither a file nor a link that waits under the name is opened, and nobody can know the name beforehand.
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}{_PART}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY, 0o644)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, which nobody else can write, whatever the umask."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(mode=0o755, exist_ok=True)


def remove_leftovers(folder: Path, ending: str) -> None:
    """Remove what processes that were killed left of files of this ``ending``."""
    with contextlib.suppress(OSError):
        for entry in folder.iterdir():
            if entry.name.endswith(_PART) and f"{ending}." in entry.name:
                with contextlib.suppress(OSError):
                    if time.time() - entry.lstat().st_mtime > _UNUSED_AFTER:
                        entry.unlink()


def _along(folders: tuple[Path, ...], sources: Path) -> Iterator[Path]:
    """Folders and all above them, up to one that Python has imported code from."""
    for folder in folders:
        for path in (folder, *folder.parents):
            if path in (sources, sources.resolve()):
                break
            yield path


def _check_owner(path: Path, state: os.stat_result, sources: Path) -> None:
    trusted = {_ROOT, os.geteuid()}
    if _is_in(path, sources):
        trusted.add(sources.stat().st_uid)
    if state.st_uid not in trusted:
        raise DistrustError(f"{path} belongs to another user (uid {state.st_uid})")


def _check_mode(path: Path, state: os.stat_result, sources: Path) -> None:
    open_to = state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if not open_to:
        return
    if _is_in(path, sources):
        like = sources.stat()
        open_to &= ~(like.st_mode & stat.S_IWOTH)
        if like.st_gid == state.st_gid:
            open_to &= ~(like.st_mode & stat.S_IWGRP)
    if open_to & stat.S_IWGRP and not _names_more(path) and _is_group_of_one(state.st_gid, state.st_uid):
        open_to &= ~stat.S_IWGRP
    if open_to:
        raise DistrustError(f"other users can write {path} (mode {stat.S_IMODE(state.st_mode):o})")


def _is_in(path: Path, sources: Path) -> bool:
    return path.is_relative_to(sources) or path.is_relative_to(sources.resolve())


def _names_more(path: Path) -> bool:
    """Whether an access list names more users than owner and group; the group's bits then stand for all of them."""
    with contextlib.suppress(OSError, AttributeError):
        return "system.posix_acl_access" in os.listxattr(path)
    return False


@lru_cache
def _is_group_of_one(group: int, owner: int) -> bool:
    """Whether nobody but its owner and root is in a group."""
    if group == _ROOT:
        return True
    try:
        import grp
        import pwd

        name = pwd.getpwuid(owner).pw_name
        members = {*grp.getgrgid(group).gr_mem, *(user.pw_name for user in pwd.getpwall() if user.pw_gid == group)}
    except (ImportError, KeyError):
        return False
    return members == {name}


def _check_on_windows(folder: Path, sources: Path) -> None:
    if not any(folder.resolve().is_relative_to(trusted.resolve()) for trusted in (Path.home(), sources)):
        raise DistrustError(f"{folder} is outside the user's profile, where other users may write")

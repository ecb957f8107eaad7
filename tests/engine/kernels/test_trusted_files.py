"""Files that run as code: what another user can have written is not read, and no link of theirs is written through."""

from __future__ import annotations

import os
import secrets
import stat
import time
from pathlib import Path

import pytest

from ecsphys.engine.kernels import trusted_files
from ecsphys.engine.kernels.trusted_files import (
    DistrustError,
    check_folder,
    make_folder,
    read_trusted,
    remove_leftovers,
    write_whole,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are Unix's")

STRANGER = 54321


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "cache" / "kernels"
    make_folder(made)
    return made


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    made = tmp_path / "sources"
    make_folder(made)
    return made


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ``path`` another user's: by root in fact, by others so that it seems to this process."""
    if os.geteuid() == 0:
        os.chown(path, STRANGER, -1, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: STRANGER)


def test_what_was_written_is_read_and_no_other_user_can_write_it_whatever_the_umask(
    tmp_path: Path, sources: Path
) -> None:
    before = os.umask(0)
    try:
        folder = tmp_path / "new" / "folder"
        make_folder(folder)
        write_whole(folder / "a.kernel", b"code")
    finally:
        os.umask(before)
    check_folder(folder, sources)
    assert read_trusted(folder / "a.kernel", sources) == b"code"
    for path in (folder / "a.kernel", folder, folder.parent):
        assert not path.stat().st_mode & 0o022


@pytest.mark.parametrize("mode", [0o757, 0o777, 0o1777])
def test_a_folder_that_others_can_write_is_refused(folder: Path, sources: Path, mode: int) -> None:
    folder.chmod(mode)
    with pytest.raises(DistrustError, match=f"other users can write {folder}"):
        check_folder(folder, sources)


def test_a_folder_in_one_that_others_can_write_is_refused_unless_that_is_sticky(folder: Path, sources: Path) -> None:
    folder.parent.chmod(0o777)
    with pytest.raises(DistrustError, match="mode 777"):
        check_folder(folder, sources)
    folder.parent.chmod(0o1777)
    check_folder(folder, sources)


def test_a_folder_that_is_not_there_yet_is_judged_by_those_above_it(folder: Path, sources: Path) -> None:
    check_folder(folder / "not" / "yet", sources)
    folder.parent.chmod(0o777)
    with pytest.raises(DistrustError):
        check_folder(folder / "not" / "yet", sources)


@pytest.mark.parametrize("which", ["kernels", "cache"])
def test_a_folder_of_another_user_is_refused(
    folder: Path, sources: Path, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_away(folder if which == "kernels" else folder.parent, monkeypatch)
    with pytest.raises(DistrustError, match=r"another user|uid"):
        check_folder(folder, sources)


def test_a_link_leads_to_a_folder_only_where_that_is_trusted_too(folder: Path, sources: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    check_folder(link, sources)
    folder.parent.chmod(0o777)
    with pytest.raises(DistrustError):
        check_folder(link, sources)


def test_a_link_of_another_user_is_refused(
    folder: Path, sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to(folder)
    give_away(link, monkeypatch)
    with pytest.raises(DistrustError):
        check_folder(link, sources)


@pytest.mark.parametrize("mode", [0o646, 0o666])
def test_a_file_that_others_can_write_is_not_read(folder: Path, sources: Path, mode: int) -> None:
    path = folder / "a.kernel"
    write_whole(path, b"code")
    path.chmod(mode)
    with pytest.raises(DistrustError, match="other users can write"):
        read_trusted(path, sources)


def test_a_file_of_another_user_is_not_read(folder: Path, sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "a.kernel"
    write_whole(path, b"code")
    give_away(path, monkeypatch)
    with pytest.raises(DistrustError, match="another user"):
        read_trusted(path, sources)


def test_only_files_are_read_and_nothing_waits_for_a_pipe(folder: Path, sources: Path, tmp_path: Path) -> None:
    write_whole(tmp_path / "elsewhere", b"code")
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(folder / "pipe")
    for name in ("link", "pipe", "missing", ""):
        with pytest.raises(OSError, match=r".+"):
            read_trusted(folder / name, sources)


def test_a_group_may_write_if_its_one_member_is_the_owner_or_it_is_roots(
    folder: Path, sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "a.kernel"
    write_whole(path, b"code")
    for shared in (path, folder, folder.parent):
        shared.chmod(0o775)
    monkeypatch.setattr(trusted_files, "_is_group_of_one", lambda group, owner: True)
    check_folder(folder, sources)
    assert read_trusted(path, sources) == b"code"
    monkeypatch.setattr(trusted_files, "_is_group_of_one", lambda group, owner: False)
    with pytest.raises(DistrustError):
        check_folder(folder, sources)
    with pytest.raises(DistrustError):
        read_trusted(path, sources)


def test_beside_the_sources_all_may_be_as_open_as_the_sources_but_not_more(tmp_path: Path, sources: Path) -> None:
    folder = sources / "__pycache__"
    make_folder(folder)
    write_whole(folder / "a.kernel", b"code")
    tmp_path.chmod(0o777)  # as open as it may be: the sources run from there anyway
    check_folder(folder, sources)
    for path in (folder, folder / "a.kernel"):
        path.chmod(0o777)
    with pytest.raises(DistrustError):
        check_folder(folder, sources)
    with pytest.raises(DistrustError):
        read_trusted(folder / "a.kernel", sources)
    sources.chmod(0o777)
    check_folder(folder, sources)
    assert read_trusted(folder / "a.kernel", sources) == b"code"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_beside_the_sources_all_may_belong_to_the_owner_of_the_sources(sources: Path) -> None:
    folder = sources / "__pycache__"
    make_folder(folder)
    write_whole(folder / "a.kernel", b"code")
    for path in (sources, folder, folder / "a.kernel"):
        os.chown(path, STRANGER, STRANGER)
    check_folder(folder, sources)
    assert read_trusted(folder / "a.kernel", sources) == b"code"
    os.chown(folder / "a.kernel", STRANGER + 1, -1)
    with pytest.raises(DistrustError):
        read_trusted(folder / "a.kernel", sources)


def test_writing_follows_no_link_that_waits_under_the_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr(secrets, "token_hex", lambda size: "guessed")
    (folder / "a.kernel.guessed.part").symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_whole(folder / "a.kernel", b"code")
    assert victim.read_bytes() == b"precious"


def test_what_replaces_a_link_is_a_file(folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (folder / "a.kernel").symlink_to(victim)
    write_whole(folder / "a.kernel", b"code")
    assert victim.read_bytes() == b"precious"
    assert stat.S_ISREG((folder / "a.kernel").lstat().st_mode)


def test_a_write_that_fails_leaves_nothing(folder: Path) -> None:
    (folder / "a.kernel").mkdir()
    with pytest.raises(OSError, match=r".+"):
        write_whole(folder / "a.kernel", b"code")
    assert [path.name for path in folder.iterdir()] == ["a.kernel"]


def test_only_old_leftovers_are_removed(folder: Path) -> None:
    names = ("a.kernel.0123.part", "b.kernel.7.part", "c.kernel", "other.part")
    for name in names:
        (folder / name).touch()
    remove_leftovers(folder, ".kernel")
    assert {path.name for path in folder.iterdir()} == set(names)
    old = time.time() - 7200
    for name in names:
        os.utime(folder / name, (old, old))
    remove_leftovers(folder, ".kernel")
    assert {path.name for path in folder.iterdir()} == {"c.kernel", "other.part"}


def test_on_windows_the_users_profile_and_the_sources_are_trusted(
    folder: Path, sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "geteuid")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    check_folder(tmp_path / "home" / "cache", sources)
    check_folder(sources / "__pycache__", sources)
    with pytest.raises(DistrustError, match="profile"):
        check_folder(folder, sources)

"""The cache of kernels on disk: its keys follow the sources, and nothing fails where it cannot be used.

The tests run a copy of the modules that compile beside tiny ones, in processes of their own.
"""

from __future__ import annotations

import compileall
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from compiled_code import compiled
from small_engine import CALLEE, OTHER, RUN, make_engine, result, run, run_afresh, start

pytestmark = compiled


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    return make_engine(tmp_path)


def homes(folder: Path) -> dict[str, str]:
    """Settings that put the user's cache into a folder, on any system."""
    return dict.fromkeys(("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE"), str(folder))


def kept(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*step_twice*"))


def test_a_second_process_finds_the_machine_code_of_the_first(engine: Path) -> None:
    first, said_first = run_afresh(engine)
    second, said_second = run_afresh(engine)
    assert first == second == 12.0
    assert "compiling step_twice" in said_first
    assert said_second == ""


def test_a_kernel_compiled_by_its_first_call_serves_those_that_load_it_beforehand(engine: Path) -> None:
    run(engine)
    code = (
        f"from ecsphys.engine.kernels.compilation import all_kernels, load_kernels; load_kernels(all_kernels()); {RUN}"
    )
    assert run(engine, code) == (12.0, "")
    assert len(kept(engine)) == 1


def test_an_edited_callee_in_another_file_takes_effect(engine: Path) -> None:
    assert run(engine)[0] == 12.0
    (engine / "callee.py").write_text(CALLEE.replace("x + 1.0", "x * 3.0"))
    result, said = run(engine)
    assert result == 90.0
    assert "compiling" in said


def test_an_edit_of_a_module_that_a_kernel_does_not_import_leaves_its_machine_code(engine: Path) -> None:
    run(engine)
    (engine / "other.py").write_text(OTHER)
    (engine / "threads" / "crew.py").write_text("")
    assert run(engine) == (12.0, "")


def test_edits_do_not_pile_up_in_the_cache(engine: Path) -> None:
    run(engine)
    before = kept(engine)
    (engine / "callee.py").write_text(CALLEE.replace("x + 1.0", "x * 3.0"))
    run(engine)
    assert kept(engine) == before
    assert len(before) == 1


def test_numbas_own_setting_moves_the_cache(engine: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "elsewhere"
    run(engine, NUMBA_CACHE_DIR=str(chosen))
    assert kept(chosen)
    assert not kept(engine)
    run(engine)
    # An empty folder that can be written is a fresh start, whatever lies beside the sources.
    assert "compiling" in run(engine, NUMBA_CACHE_DIR=str(tmp_path / "fresh"))[1]


def test_a_folder_that_cannot_be_written_hands_over_to_the_users(engine: Path, tmp_path: Path) -> None:
    # A regular file where a folder should be refuses everybody, root included.
    (engine / "__pycache__").touch()
    first, _ = run(engine, **homes(tmp_path / "home"))
    second, said = run(engine, **homes(tmp_path / "home"))
    assert first == second == 12.0
    assert kept(tmp_path / "home")
    assert said == ""


def test_code_compiled_by_the_installer_serves_users_who_cannot_write_there(engine: Path, tmp_path: Path) -> None:
    run(engine)
    # Frozen, an application never writes beside its code: as if that were read-only, for root too.
    frozen = f"import sys; sys.frozen = True; {RUN}"
    assert run(engine, frozen, **homes(tmp_path / "home")) == (12.0, "")
    assert not kept(tmp_path / "home")


def test_a_frozen_application_leaves_its_own_folder_alone(engine: Path, tmp_path: Path) -> None:
    run(engine, f"import sys; sys.frozen = True; {RUN}", **homes(tmp_path / "home"))
    assert kept(tmp_path / "home")
    assert not kept(engine)


def test_without_any_writable_folder_kernels_are_compiled_anew_and_nothing_fails(engine: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    (engine / "__pycache__").touch()
    for _ in range(2):
        result, said = run(engine, NUMBA_CACHE_DIR=str(blocked / "numba"), **homes(blocked / "home"))
        assert result == 12.0
        assert "no folder to keep it can be written" in said


def test_a_damaged_entry_is_compiled_anew_and_put_right(engine: Path) -> None:
    run(engine)
    (entry,) = kept(engine)
    whole = entry.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for damaged in (b"", whole[:middle], flipped):
        entry.write_bytes(damaged)
        result, said = run(engine)
        assert result == 12.0
        assert "compiling step_twice" in said
    assert run(engine) == (12.0, "")


def test_an_entry_that_can_be_neither_read_nor_replaced_is_done_without(engine: Path) -> None:
    run(engine)
    (entry,) = kept(engine)
    entry.unlink()
    entry.mkdir()
    result, said = run(engine)
    assert result == 12.0
    assert "cannot be kept" in said


def test_processes_that_compile_at_once_agree_and_leave_one_whole_entry(engine: Path) -> None:
    processes = [start(engine.parent.parent) for _ in range(3)]
    assert {result(process)[0] for process in processes} == {12.0}
    assert len(kept(engine)) == 1
    assert run(engine) == (12.0, "")


def test_a_folder_that_vanishes_before_the_code_is_kept_comes_back(engine: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    code = (
        "import shutil; from ecsphys.engine.kernels.kernel_cache import cache_folder; shutil.rmtree(cache_folder()); "
        + RUN
    )
    assert run(engine, code, NUMBA_CACHE_DIR=str(chosen))[0] == 12.0
    assert kept(chosen)


@pytest.mark.skipif(sys.platform == "win32", reason="the limit that stands for a full disk is Unix's")
def test_a_full_disk_is_said_once_and_leaves_nothing_behind(engine: Path) -> None:
    (engine / "other.py").write_text(OTHER)
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        f"from ecsphys.engine.other import step_once; step_once(1.0); {RUN}"
    )
    result, said = run(engine, code)
    assert result == 12.0
    assert said.count("cannot be kept") == 1
    assert not kept(engine)


def test_sources_in_a_zip_file_work_and_an_edit_takes_effect(engine: Path, tmp_path: Path) -> None:
    archive = tmp_path / "game.zip"

    def pack() -> None:
        with zipfile.ZipFile(archive, "w") as packed:
            for path in engine.parent.rglob("*.py"):
                packed.write(path, path.relative_to(engine.parent.parent))

    def run_packed() -> tuple[float, str]:
        return result(start(archive, **homes(tmp_path / "home")))

    pack()
    assert run_packed()[0] == 12.0
    assert run_packed() == (12.0, "")
    (engine / "callee.py").write_text(CALLEE.replace("x + 1.0", "x * 3.0"))
    pack()
    assert run_packed()[0] == 90.0


def test_bytecode_without_sources_works_and_an_edit_takes_effect(engine: Path, tmp_path: Path) -> None:
    def strip() -> Path:
        stripped = tmp_path / "stripped"
        shutil.rmtree(stripped, ignore_errors=True)
        shutil.copytree(engine.parent, stripped / "ecsphys")
        compileall.compile_dir(stripped, quiet=2, legacy=True)
        for path in stripped.rglob("*.py"):
            path.unlink()
        return stripped

    def run_stripped(path: Path) -> tuple[float, str]:
        return result(start(path, **homes(tmp_path / "home"), NUMBA_CACHE_DIR=str(tmp_path / "chosen")))

    assert run_stripped(strip())[0] == 12.0
    assert run_stripped(strip()) == (12.0, "")
    (engine / "callee.py").write_text(CALLEE.replace("x + 1.0", "x * 3.0"))
    assert run_stripped(strip())[0] == 90.0


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_as_before_after_compiling(engine: Path, enabled: bool) -> None:
    setting = "enable" if enabled else "disable"
    code = f"import gc; gc.{setting}(); {RUN}; assert gc.isenabled() is {enabled}"
    assert "compiling" in run(engine, code)[1]


def test_a_run_with_another_setting_of_numba_changes_nothing_for_those_without(engine: Path) -> None:
    run(engine)
    assert "compiling" in run(engine, NUMBA_OPT="0")[1]
    assert run(engine) == (12.0, "")
    assert len(kept(engine)) == 2


def test_code_of_another_setting_or_version_is_not_found(engine: Path) -> None:
    code = (
        RUN
        + """
import os
import llvmlite, numba, numpy
from numba.core import config
from ecsphys.engine.kernels.compilation import kept_in
assert kept_in(step_twice)
for name, value in [
    ("OPT", 0), ("OPT", 2), ("BOUNDSCHECK", 0), ("BOUNDSCHECK", 1), ("LOOP_VECTORIZE", 0), ("SLP_VECTORIZE", 1),
    ("CPU_NAME", "generic"), ("CPU_FEATURES", "-avx2"), ("DEBUGINFO_DEFAULT", 1), ("USING_SVML", not config.USING_SVML),
    ("DEBUG_NRT", 1), ("LLVM_REFPRUNE_FLAGS", ""),
]:
    before = getattr(config, name)
    if before == value:
        continue  # the environment has chosen it
    setattr(config, name, value)
    assert kept_in(step_twice) is None, name
    setattr(config, name, before)
for name, counts in [("A_SETTING_TO_COME", True), ("ENABLE_AVX", True), ("NUM_THREADS", False), ("CACHE_DIR", False)]:
    os.environ[f"NUMBA_{name}"] = "1"
    assert (kept_in(step_twice) is None) == counts, name
    del os.environ[f"NUMBA_{name}"]
for library in (llvmlite, numba, numpy):
    version, library.__version__ = library.__version__, "0.1"
    assert kept_in(step_twice) is None, library
    library.__version__ = version
assert kept_in(step_twice)
"""
    )
    assert run(engine, code)[0] == 12.0


def test_modules_of_one_name_in_different_folders_have_entries_of_their_own(engine: Path) -> None:
    for folder, factor in (("near", 2.0), ("far", 3.0)):
        (engine / folder).mkdir()
        (engine / folder / "__init__.py").touch()
        (engine / folder / "scale.py").write_text(
            "from ecsphys.engine.kernels.compilation import kernel\n\n"
            f'@kernel("f8(f8)")\ndef scale(x: float) -> float:\n    return {factor} * x\n'
        )
    code = """
from ecsphys.engine.kernels.compilation import all_kernels, load_kernels, name_of
assert [*map(name_of, all_kernels())] == ["caller.step_twice", "far.scale.scale", "near.scale.scale"]
load_kernels(all_kernels())
print(all_kernels()[1](10.0) + all_kernels()[2](1.0))
"""
    assert run(engine, code)[0] == 32.0
    assert run(engine, code) == (32.0, "")
    assert len([*engine.rglob("*scale.scale*")]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="modes are Unix's")
def test_a_folder_that_others_can_write_is_said_once_and_done_without(engine: Path, tmp_path: Path) -> None:
    (engine / "other.py").write_text(OTHER)
    shared = tmp_path / "shared"
    run(engine, NUMBA_CACHE_DIR=str(shared))
    assert kept(shared)
    shared.chmod(0o777)
    code = f"from ecsphys.engine.other import step_once; step_once(1.0); {RUN}"
    result, said = run(engine, code, NUMBA_CACHE_DIR=str(shared))
    assert result == 12.0
    assert said.count(f"other users can write {shared}") == 1
    assert "compiling step_twice" in said
    # Kept is what was compiled where nobody else can write.
    assert len(kept(shared)) == 1
    assert "compiling" not in run(engine, code, NUMBA_CACHE_DIR=str(shared))[1]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are Unix's")
def test_entries_that_others_can_write_are_compiled_anew_and_put_right_which_is_said_once(engine: Path) -> None:
    (engine / "other.py").write_text(OTHER)
    code = f"from ecsphys.engine.other import step_once; step_once(1.0); {RUN}"
    run(engine, code)
    for entry in engine.rglob("*.kernel"):
        entry.chmod(0o666)
    said = run(engine, code)[1]
    assert said.count("other users can write") == 1
    assert said.count("compiling") == 2
    assert run(engine, code) == (12.0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="only administrators make links there")
def test_links_in_the_folder_lead_no_write_and_no_read_outside(engine: Path, tmp_path: Path) -> None:
    run(engine)
    (entry,) = kept(engine)
    outside = tmp_path / "outside"
    entry.rename(outside)
    entry.symlink_to(outside)
    before = outside.read_bytes()
    # The name of a file that is still being written was once the process's number.
    code = f"import os; os.symlink({str(outside)!r}, {str(entry)!r} + f'.{{os.getpid()}}.part'); {RUN}"
    assert "compiling step_twice" in run(engine, code)[1]
    assert outside.read_bytes() == before
    assert not entry.is_symlink()
    assert run(engine) == (12.0, "")


def test_what_is_loaded_from_the_disk_needs_no_compiler(engine: Path) -> None:
    run_afresh(engine)
    code = f"{RUN}\nimport sys; assert 'numba.np.arraymath' not in sys.modules"
    assert run_afresh(engine, code) == (12.0, "")


def test_of_scalars_no_machine_code_is_made(engine: Path) -> None:
    counting = (
        "from numba.core import codegen\n"
        "made = []\n"
        "finalize = codegen.JITCodeLibrary._finalize_specific\n"
        "codegen.JITCodeLibrary._finalize_specific = lambda self: (made.append(self.name), finalize(self))\n"
        "from ecsphys.engine.caller import step_twice\n"
        "result = step_twice(10.0)\n"
        "print(sum('step' in name for name in made) if 'step_twice' in made and result == 12.0 else -1)"
    )
    assert run(engine, counting)[0] == 1.0


def test_numba_is_as_before_when_a_kernel_has_been_compiled(engine: Path) -> None:
    code = (
        "from numba.core.targetconfig import TargetConfig\n"
        "from numba.core.typing.context import BaseContext\n"
        "before = TargetConfig.values, BaseContext._resolve_user_function_type\n"
        "from ecsphys.engine.caller import step_twice\n"
        "result = step_twice(10.0)\n"
        "print(result if before == (TargetConfig.values, BaseContext._resolve_user_function_type) else -1)"
    )
    result, said = run(engine, code)
    assert "compiling" in said
    assert result == 12.0

"""The README keeps its promises: its example runs, its commands stand as printed, its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from fresh_python import python

import ecsphys

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[str] = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)

DEMO_COMMAND = "python3 -m venv .venv && .venv/bin/pip install -e '.[demo]' && .venv/bin/ecsphys-demo"
TEST_COMMAND = "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest"


def run(code: str, folder: Path) -> str:
    done = python("-c", code, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_prints_exactly_one_hit(tmp_path: Path) -> None:
    printed = run(BLOCKS[0], tmp_path).splitlines()
    assert len(printed) == 1
    assert printed[0].startswith("1 2 (")


def test_every_other_block_runs_when_pasted_alone(tmp_path: Path) -> None:
    code = f"""
for number, block in enumerate({BLOCKS[1:]!r}):
    esper.switch_world(f"block {{number}}")
    exec(block, {{}})
"""
    run(f"import esper\n{code}", tmp_path)


def test_the_install_line_for_a_game_is_a_plain_one() -> None:
    assert README.splitlines().count("pip install ./ecsphys") == 1


def test_every_page_of_the_manual_is_linked() -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    unlinked = {page for page in pages if f"]({page})" not in README}
    assert not {page for page in unlinked if not page.startswith("docs/reference/")} - {"docs/index.md"}


def test_both_commands_stand_on_lines_of_their_own() -> None:
    lines = README.splitlines()
    assert lines.count(DEMO_COMMAND) == 1
    assert lines.count(TEST_COMMAND) == 1


def test_every_local_link_leads_to_a_file() -> None:
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)", README) if "://" not in target]
    assert targets
    assert not [target for target in targets if not (ROOT / target).exists()]


def test_the_tables_name_every_component_and_system() -> None:
    missing = [
        name
        for name in ecsphys.__all__
        if isinstance(getattr(ecsphys, name), type)
        and name.endswith(("Collider", "Trajectory", "System", "Filter", "Transform", "Velocity", "Gravity", "Drag"))
        and name not in README
    ]
    assert not missing

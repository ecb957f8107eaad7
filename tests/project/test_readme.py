"""The README keeps its promises: its example runs, its commands stand as printed, its links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from fresh_python import python

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[str] = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)

DEMO_COMMAND = "python3 -m venv .venv && .venv/bin/pip install -e '.[demo]' && .venv/bin/ecsphys-demo"
TEST_COMMAND = "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest"


def run(code: str, folder: Path) -> str:
    done = python("-c", code, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    assert len(BLOCKS) == 1
    (said,) = re.findall(r"^```text\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert run(BLOCKS[0], tmp_path) == said


def test_the_example_has_at_most_twelve_lines_of_code() -> None:
    assert len([line for line in BLOCKS[0].splitlines() if line]) <= 12


def test_the_first_picture_is_a_film_that_fits_a_page() -> None:
    image = pytest.importorskip("PIL.Image")
    path = ROOT / re.findall(r"!\[[^]]*\]\(([^)]+)\)", README)[0]
    with image.open(path) as film:
        seconds = 0.0
        for number in range(film.n_frames):
            film.seek(number)
            film.load()
            seconds += film.info["duration"] / 1000.0
        assert film.width == 640
        assert film.n_frames / seconds == pytest.approx(15.0, rel=0.02)
    assert 8.0 <= seconds <= 12.0
    assert path.stat().st_size <= 3_000_000


def test_the_page_has_at_most_130_lines() -> None:
    assert len(README.splitlines()) <= 130


def test_the_install_line_for_a_game_is_a_plain_one() -> None:
    assert README.splitlines().count("pip install ./ecsphys") == 1


def test_every_page_of_the_manual_is_within_two_links() -> None:
    assert "](docs/index.md)" in README
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")} - {"index.md"}
    assert not {page for page in pages if f"]({page})" not in index}


def test_both_commands_stand_on_lines_of_their_own() -> None:
    lines = README.splitlines()
    assert lines.count(DEMO_COMMAND) == 1
    assert lines.count(TEST_COMMAND) == 1


def test_every_local_link_leads_to_a_file() -> None:
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)", README) if "://" not in target]
    assert targets
    assert not [target for target in targets if not (ROOT / target).exists()]


def test_the_addresses_of_the_package_are_files_of_the_repository() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        urls = tomllib.load(file)["project"]["urls"]
    repository = urls.pop("Homepage")
    assert urls.pop("Issues") == f"{repository}/issues"
    for address in urls.values():
        assert (ROOT / address.removeprefix(f"{repository}/blob/main/")).is_file(), address

"""docs/demo.md names every scene, every key and every option of the demo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ecsphys.demo.__main__ import main
from ecsphys.demo.keys import COMMANDS, label_of
from ecsphys.demo.scenes import SCENES, open_scene

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "demo.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the manual is not here: the tests of a wheel")


def rows_below(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, without its first two lines."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def keys_of(text: str) -> set[str]:
    """The keys that a text names: words of one capital letter or sign, and longer names."""
    return set(re.findall(r"Shift\+\w+|Alt\+\w+|F\d+|\b[A-Z]\b|Space|Tab|Esc|Backspace|[,.↑↓←→](?=[` ,]|$)", text))


def test_the_table_has_every_scene_in_the_order_of_the_menu() -> None:
    assert [row[0].strip("`") for row in rows_below("Scenes")] == list(SCENES)
    assert all(all(row) for row in rows_below("Scenes"))
    assert f" {len(SCENES)} scenes." in PAGE.read_text(encoding="utf-8")
    assert f"[{len(SCENES)} scenes](docs/demo.md)" in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def test_every_key_of_the_list_that_h_shows_is_in_the_table() -> None:
    known = keys_of("  ".join(" ".join(row) for row in rows_below("Keys and mouse in every scene")))
    assert {label_of(name) for command in COMMANDS for name in command.names} <= known
    assert len(known) > 25


def test_a_scene_with_keys_of_its_own_names_them() -> None:
    scenes = {row[0].strip("`"): keys_of(row[2]) for row in rows_below("Scenes")}
    general = {name for command in COMMANDS for name in command.names}
    for name in SCENES:
        live = open_scene(name)
        own = {key.name for key in live.layout.keys if key.text}
        live.close()
        assert own - general <= scenes[name], name


def test_every_option_of_the_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}
    assert len(options) == 9
    assert options <= set(re.findall(r"--[a-z]+", PAGE.read_text(encoding="utf-8")))

"""Drawing only looks: a picture more or less must not change a recording."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from picture import off_screen

from ecsphys import Component
from ecsphys.demo.debug_layers import LAYERS
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import SCENES
from ecsphys.replay import replay


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    with off_screen(320, 200) as window:
        found = Player(window, seed=0, wait=True)
        yield found
        found.live.close()


@pytest.mark.parametrize("name", SCENES)
def test_no_picture_takes_arrays_to_write_with_all_layers_and_without(
    player: Player, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.open(name)
    player.step()
    written: list[str] = []
    read: Any = Component.column.__func__  # type: ignore[attr-defined]

    def column(cls: type[Component], field: str, *, writable: bool = True) -> Any:
        if writable:
            written.append(f"{cls.__name__}.{field}")
        return read(cls, field, writable=writable)

    monkeypatch.setattr(Component, "column", classmethod(column))
    player.draw()
    for layer, _, _ in LAYERS:
        player.toggle(layer)
    player.draw()
    for layer, _, _ in LAYERS:
        player.toggle(layer)
    assert not written


def test_what_is_played_with_pictures_replays_without(tmp_path: Path) -> None:
    path = str(tmp_path / "tumbler.replay")
    with off_screen(320, 200) as window:
        player = Player(window, seed=7, wait=True, record_to=path)
        player.open("tumbler")
        for _ in range(25):
            player.step()
            player.draw()
        player._end_recording()
        player.live.close()
    assert replay(path) is None

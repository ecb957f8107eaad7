"""Scenes by what people call them: a name or a title, in any case, with or without an article."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from ecsphys.demo.scenes.scene import Scene

_ARTICLE = re.compile(r"^(a|an|the) ")
_JOINED = re.compile(r"['’,]")
"""Signs within a word or a number."""
_NO_WORD = re.compile(r"[\W_]+")


def find_scene(scenes: Mapping[str, Scene], text: str) -> str | None:
    """The scene's name for a text; None if no scene is called so."""
    return _called(scenes).get(_plain(text))


def nearest_scene(scenes: Mapping[str, Scene], text: str) -> str | None:
    """The name of the scene that was probably meant; None if none is near."""
    called = _called(scenes)
    near = difflib.get_close_matches(_plain(text), called, n=1, cutoff=0.6)
    return called[near[0]] if near else None


def _called(scenes: Mapping[str, Scene]) -> dict[str, str]:
    """Names by names and titles. Where both are the same, the name counts."""
    titles = {_plain(scene.title): name for name, scene in scenes.items()}
    return titles | {_plain(name): name for name in scenes}


def _plain(text: str) -> str:
    words = _NO_WORD.sub(" ", _JOINED.sub("", text.casefold())).strip()
    return _ARTICLE.sub("", words)

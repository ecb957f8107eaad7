"""A scene's own captions: each at its place in the world, none over another, none cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ecsphys.demo import palette
from ecsphys.demo.hud.measures import SMALL, text_scale
from ecsphys.demo.hud.texts import Texts, box_around
from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.scene import Box, Caption

if TYPE_CHECKING:
    from pyglet.text import Label

_FIRST, _SECOND = 13.0, 30.0
"""How far the baselines of both lines are below a caption's corner, in units."""
_PAD = 4.0
_STEPS = 40


@dataclass
class _Placed:
    caption: Caption
    text: Label
    detail: Label | None

    @property
    def labels(self) -> list[Label]:
        return [self.text] if self.detail is None else [self.text, self.detail]


class Captions:
    """The captions of a scene in a picture of one size; the second line goes where there is no room for it.

    ``follows`` is whether the camera moves through the scene: what it has left behind has no caption then.
    """

    def __init__(self, captions: Sequence[Caption], size: tuple[int, int], follows: bool = False) -> None:
        self._follows = follows
        self.texts = Texts(text_scale(size))
        self._placed = [self._make(caption) for caption in captions]
        self._shown: tuple[Camera, Box] | None = None
        self._boxes: dict[int, Box] = {}

    @property
    def plates(self) -> list[Box]:
        """Boxes behind the captions, in pixels."""
        return list(self._boxes.values())

    def _make(self, caption: Caption) -> _Placed:
        if not caption.text:
            return _Placed(caption, self.texts.add(caption.detail, 0.0, 0.0, SMALL), None)
        text = self.texts.add(caption.text, 0.0, 0.0, SMALL, palette.TEXT)
        return _Placed(caption, text, self.texts.add(caption.detail, 0.0, 0.0, SMALL) if caption.detail else None)

    def place(self, camera: Camera, free: Box, is_fitted: bool) -> None:
        """Put them where the camera sees their places.

        In the picture as the scene has it they are moved into ``free`` and out of each other's way.
        """
        if self._shown == (camera, free):
            return
        self._shown = camera, free
        self._boxes = {}
        for number, placed in enumerate(self._placed):
            place = camera.to_pixel(placed.caption.x, placed.caption.y)
            _show(placed, with_detail=not is_fitted and self._has_room(placed, camera))
            self._put(placed, *place)
            if is_fitted and not (self._follows and not _is_inside((*place, *place), free)):
                self._make_room(placed, free)
            elif not _is_inside(_box(placed), free):
                _hide(placed)
            if (box := _box(placed)) is not None:
                self._boxes[number] = box
        if is_fitted:
            self._add_details(free, camera)

    def _put(self, placed: _Placed, left: float, top: float) -> None:
        scale = self.texts.scale
        for label, below in zip(placed.labels, (_FIRST, _SECOND), strict=False):
            label.position = (round(left), round(top - scale * below), 0.0)

    def _make_room(self, placed: _Placed, free: Box) -> None:
        """Move a first line where it is whole and alone."""
        box = _box(placed)
        assert box is not None
        left, top = placed.text.x, placed.text.y + self.texts.scale * _FIRST
        left += min(0.0, free[2] - box[2]) + max(0.0, free[0] - box[0])
        top += min(0.0, free[3] - box[3]) + max(0.0, free[1] - box[1])
        for step in range(_STEPS):
            self._put(placed, left, top - step * 4.0 * self.texts.scale)
            box = _box(placed)
            if _is_inside(box, free) and not self._is_taken(box):
                return
        self._put(placed, left, top)

    def _has_room(self, placed: _Placed, camera: Camera) -> bool:
        """Whether both lines fit into what the scene leaves for them."""
        room = placed.caption.room
        return room is None or self.texts.scale * (_SECOND + _PAD) < camera.scale * room

    def _add_details(self, free: Box, camera: Camera) -> None:
        """Show the second lines for which there is room."""
        for number in self._boxes:
            placed = self._placed[number]
            if placed.detail is not None and self._has_room(placed, camera):
                _show(placed, with_detail=True)
                box = _box(placed)
                if box is None or not _is_inside(box, free) or self._is_taken(box, number):
                    _show(placed, with_detail=False)
                else:
                    self._boxes[number] = box

    def _is_taken(self, box: Box | None, own: int = -1) -> bool:
        """Whether another caption than the ``own`` is in a box."""
        return box is not None and any(_overlap(box, other) for number, other in self._boxes.items() if number != own)


def _show(placed: _Placed, with_detail: bool) -> None:
    placed.text.visible = True
    if placed.detail is not None:
        placed.detail.visible = with_detail


def _hide(placed: _Placed) -> None:
    for label in placed.labels:
        label.visible = False


def _box(placed: _Placed) -> Box | None:
    return box_around(placed.labels, _PAD)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _is_inside(box: Box | None, free: Box) -> bool:
    return box is not None and free[0] <= box[0] and free[1] <= box[1] and box[2] <= free[2] and box[3] <= free[3]

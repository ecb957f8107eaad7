"""The file of a recording: cut short at any byte it is read up to its last whole step, and any damage is an error."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import esper
import pytest
from test_replay import record_small_world, small_world
from whole_world import DT

from ecsphys.replay import Recorder, Recording, replay
from ecsphys.replay.recording import HEAD, SNAPSHOT, BlockWriter

STEPS = 24


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A whole file, with settings that change and a world taken anew."""
    path = tmp_path_factory.mktemp("recordings") / "a.replay"
    esper.switch_world("recordings")
    record_small_world(path, STEPS)
    esper.switch_world("default")
    esper.delete_world("recordings")
    return path.read_bytes()


def test_a_file_that_was_cut_short_replays_up_to_its_last_whole_step(recorded: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    counts: list[int] = []
    start = recorded.index(b'"value"')  # of the world, which is the first of the file
    for size in [
        *range(0, start, 211),
        *range(start + 3000, len(recorded), 61),
        *range(len(recorded) - 40, len(recorded)),
    ]:
        path.write_bytes(recorded[:size])
        try:
            recording = Recording(path)
        except ValueError:
            assert not counts  # in the head
            continue
        assert not recording.is_whole
        counts.append(recording.step_count)
    assert counts == sorted(counts)
    assert (min(counts), counts[-1]) == (0, STEPS)
    path.write_bytes(recorded[: len(recorded) // 2] + bytes(5000))
    with pytest.raises(ValueError, match="damaged"):
        Recording(path)
    path.write_bytes(recorded[:-60])
    assert replay(path) is None


def test_room_that_was_never_written_is_no_damage(recorded: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    end = len(recorded) - 11 - len(str(STEPS))  # without the block that closes it
    path.write_bytes(recorded[:end] + bytes(4096))
    recording = Recording(path)
    assert (recording.step_count, recording.is_whole) == (STEPS, False)


def test_any_changed_byte_is_an_error_that_names_the_file(recorded: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    for place in range(0, len(recorded), 97):
        damaged = bytearray(recorded)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"damaged|not a recording|has the format") as raised:
            Recording(path)
        assert str(path) in str(raised.value)


def test_a_file_of_another_format_is_an_error_that_names_the_version_that_reads_it(
    recorded: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a.replay"
    path.write_bytes(recorded[:8] + (2).to_bytes(4, "little") + recorded[12:])
    with pytest.raises(ValueError, match=r"has the format 2; .* reads format 4: replay it with the version that"):
        Recording(path)


def test_blocks_left_out_or_in_another_order_are_damage(recorded: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    places = [12]
    while places[-1] < len(recorded):
        places.append(places[-1] + 7 + int.from_bytes(recorded[places[-1] + 1 : places[-1] + 5], "little") + 4)
    blocks = [recorded[start:end] for start, end in pairwise(places)]
    for wrong in (
        [*blocks[:9], *blocks[10:]],
        [*blocks[:9], blocks[10], blocks[9], *blocks[11:]],
        [*blocks, blocks[5]],
    ):
        path.write_bytes(recorded[:12] + b"".join(wrong))
        with pytest.raises(ValueError, match="damaged"):
            Recording(path)


@pytest.mark.parametrize("head", [b"", b"{}", b"[]", b'{"function": "", "arguments": {}, "world": {}}', b"\xff"])
def test_a_head_that_is_another_is_an_error(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "a.replay"
    writer = BlockWriter(path)
    writer.write(HEAD, head)
    writer.write(SNAPSHOT, b"")
    writer.file.close()
    with pytest.raises(ValueError, match="is malformed"):
        Recording(path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no device that is always full")
def test_a_full_disk_is_an_error_of_the_recorder_before_the_step(tmp_path: Path) -> None:
    path = tmp_path / "a.replay"
    physics, _ = small_world()
    with pytest.raises(OSError, match="No space left"):
        Recorder("/dev/full", physics)
    recorder = Recorder(path, physics)
    recorder.step(DT)
    recorder.close()
    recorder.close()
    with pytest.raises(RuntimeError, match="the recording is closed"):
        recorder.step(DT)
    assert physics.snapshot().clock == pytest.approx(DT)
    assert recorder.size == path.stat().st_size

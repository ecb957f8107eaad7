"""Two peers play air hockey over UDP, each in its own world. Late and lost inputs are guessed, and corrected later.

`python examples/rollback.py [FRAMES]` plays both ends of the line in one process, then compares their digests.
"""

import asyncio
import random
import struct
import sys
from functools import partial

import esper

import ecsphys
from ecsphys import AABBCollider, CircleCollider, RigidBody, Solid, Transform, Velocity

AHEAD = 8  # a peer that is this many frames ahead of the inputs that it knows waits
LATE = 6  # a packet is up to this many frames late
LOST = 0.2  # the share of packets that get lost
VELOCITIES = ((0, 0), (6, 0), (-6, 0), (0, 6), (0, -6))  # an input is an index of this tuple


class Peer(asyncio.DatagramProtocol):
    line: asyncio.DatagramTransport
    other: tuple[str, int]

    def __init__(self, number: int, frames: int) -> None:
        self.number = number  # 0 or 1
        self.frames = frames
        self.random = random.Random(number)
        self.frame = 0  # the next frame to play
        self.known = 0  # the first frame for which the other player's input is missing
        self.inputs: dict[tuple[int, int], int] = {}  # by (player, frame)
        self.guesses: dict[int, int] = {}  # the other's inputs that this peer guessed, by frame
        self.waiting: list[tuple[int, bytes]] = []  # packets that are late, with the frame in which they arrive
        self.rolled_back = 0  # frames that were played again
        self.farthest_back = 0

        # Both peers live in one process, so each has an esper world of its own.
        self.world = f"peer {number}"
        esper.switch_world(self.world)
        self.physics = ecsphys.install()
        for x in (-7, 7):
            esper.create_entity(Transform(x, 0), AABBCollider(1, 6), Solid())
        for y in (-5, 5):
            esper.create_entity(Transform(0, y), AABBCollider(8, 1), Solid())
        self.velocities = [self.add_disc(-4), self.add_disc(4)]  # of the two players
        self.add_disc(0)  # the puck
        self.ring = [self.physics.snapshot() for _ in range(AHEAD + 1)]

    def add_disc(self, x: float) -> Velocity:
        velocity = Velocity()
        esper.create_entity(Transform(x, 0), velocity, CircleCollider(0.6), RigidBody(restitution=0.9))
        return velocity

    def datagram_received(self, data: bytes, address: object) -> None:
        """Take a packet of the other peer. As in a bad network, some packets get lost and others are late."""
        if self.random.random() >= LOST:
            self.waiting.append((self.frame + self.random.randint(0, LATE), data))

    def play(self) -> None:
        """Play one frame, unless the other peer is too far behind."""
        esper.switch_world(self.world)
        self.receive()
        self.correct()
        if self.frame < min(self.frames, self.known + AHEAD):
            self.inputs[self.number, self.frame] = self.choose_input()
            self.step()
        self.send()

    def choose_input(self) -> int:
        """Return the input of this frame. It changes three times a second."""
        if self.frame % 20 == 0:
            return self.random.randrange(len(VELOCITIES))
        return self.inputs[self.number, self.frame - 1]

    def send(self) -> None:
        # Each packet has the inputs of many frames, so the next packet makes up for a lost one.
        first = max(0, self.frame - 3 * AHEAD)
        own = bytes(self.inputs[self.number, frame] for frame in range(first, self.frame))
        self.line.sendto(struct.pack("<I", first) + own, self.other)

    def receive(self) -> None:
        """Take the other's inputs from all packets that are due."""
        must_wait = self.frame >= self.known + AHEAD
        packets, self.waiting = self.waiting, []
        for due, data in packets:
            if due > self.frame and not must_wait:
                self.waiting.append((due, data))
                continue
            (first,) = struct.unpack_from("<I", data)
            for frame, pressed in enumerate(data[4:], start=first):
                self.inputs[1 - self.number, frame] = pressed
        while (1 - self.number, self.known) in self.inputs:
            self.known += 1

    def correct(self) -> None:
        """If a guess was wrong, go back to its frame and play again from there."""
        wrong = [f for f, guess in self.guesses.items() if self.inputs.get((1 - self.number, f), guess) != guess]
        self.guesses = {f: guess for f, guess in self.guesses.items() if f >= self.known}
        if not wrong:
            return
        now = self.frame
        self.frame = min(wrong)
        self.rolled_back += now - self.frame
        self.farthest_back = max(self.farthest_back, now - self.frame)
        self.physics.restore(self.ring[self.frame % len(self.ring)])
        while self.frame < now:
            self.step()

    def step(self) -> None:
        """Take a snapshot, then play a frame."""
        self.physics.snapshot(into=self.ring[self.frame % len(self.ring)])
        for player, velocity in enumerate(self.velocities):  # restore brings the same instances back
            pressed = self.inputs.get((player, self.frame))
            if pressed is None:
                # Guess that the other player still does the same.
                pressed = self.inputs.get((player, self.known - 1), 0)
                self.guesses[self.frame] = pressed
            velocity.x, velocity.y = VELOCITIES[pressed]
        esper.process(1 / 60)
        self.frame += 1


async def match(frames: int = 10_000) -> list[Peer]:
    """Let two peers play a number of frames, until both know all inputs."""
    loop = asyncio.get_running_loop()
    peers: list[Peer] = []
    for number in range(2):
        line, peer = await loop.create_datagram_endpoint(partial(Peer, number, frames), ("127.0.0.1", 0))
        peer.line = line
        peers.append(peer)
    peers[0].other = peers[1].line.get_extra_info("sockname")
    peers[1].other = peers[0].line.get_extra_info("sockname")
    while any(peer.known < frames or peer.frame < frames for peer in peers):
        for peer in peers:
            peer.play()
        await asyncio.sleep(0)  # packets arrive meanwhile
    for peer in peers:
        peer.line.close()
    return peers


if __name__ == "__main__":
    for peer in asyncio.run(match(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)):
        esper.switch_world(peer.world)
        digest = f"{peer.physics.digest():016x}"
        print(f"{peer.world}: {peer.frame} frames, {peer.rolled_back} played again, digest {digest}")

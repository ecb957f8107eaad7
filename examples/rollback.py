"""Two peers play air hockey over UDP, each in a world of its own: late and lost inputs are guessed, and put right.

`python rollback.py [FRAMES]` plays both ends of the line in one process, and compares their digests in the end.
"""

import asyncio
import random
import struct
import sys
from functools import partial

import esper

import ecsphys
from ecsphys import AABBCollider, CircleCollider, RigidBody, Solid, Transform, Velocity

BACK, LATE, LOST = 8, 6, 0.2  # frames that a peer may be ahead; frames by which packets are late; share that gets lost
WAYS = (0, 0), (6, 0), (-6, 0), (0, 6), (0, -6)  # how a player may move, in units a second


class Peer(asyncio.DatagramProtocol):
    line: asyncio.DatagramTransport
    other: tuple[str, int]

    def __init__(self, number: int, frames: int) -> None:
        self.number, self.frames, self.world = number, frames, f"peer {number}"
        self.random = random.Random(number)
        self.frame = self.rolled_back = self.farthest_back = 0
        self.known = 0  # frames of which the other's input has come
        self.inputs: dict[tuple[int, int], int] = {}  # what each player does in each frame: a number of WAYS
        self.guesses, self.waiting = dict[int, int](), list[tuple[int, bytes]]()
        esper.switch_world(self.world)
        self.physics = ecsphys.install()
        for x, y in (7, 0), (-7, 0), (0, 5), (0, -5):
            esper.create_entity(Transform(x, y), AABBCollider(1 if x else 8, 1 if y else 6), Solid())
        for x in (-4, 4, 0):  # the players, and the puck
            esper.create_entity(Transform(x, 0), Velocity(), CircleCollider(0.6), RigidBody(restitution=0.9))
        self.moves = [velocity for _, velocity in sorted(esper.get_component(Velocity), key=lambda one: one[0])][:2]
        self.ring = [self.physics.snapshot() for _ in range(BACK + 1)]

    def datagram_received(self, data: bytes, address: object) -> None:
        if self.random.random() >= LOST:
            self.waiting.append((self.frame + self.random.randint(0, LATE), data))

    def play(self) -> None:
        """One frame, unless the other is too far behind."""
        esper.switch_world(self.world)
        self.hear()
        if self.frame < min(self.frames, self.known + BACK):
            before = self.inputs.get((self.number, self.frame - 1), 0)
            self.inputs[self.number, self.frame] = self.random.randrange(5) if self.frame % 20 == 0 else before
            self.step()
        # The last frames in each packet: what was lost comes with the next.
        last = range(max(0, self.frame - 3 * BACK), self.frame)
        told = struct.pack("<I", last.start) + bytes(self.inputs[self.number, frame] for frame in last)
        self.line.sendto(told, self.other)

    def hear(self) -> None:
        """Take the inputs that have come; where one is not what was guessed, go back to it, and play on from there."""
        ready = [data for due, data in self.waiting if due <= self.frame or self.frame >= self.known + BACK]
        self.waiting = [one for one in self.waiting if one[1] not in ready]
        for data in ready:
            (first,) = struct.unpack_from("<I", data)
            for frame in range(max(first, self.known), first + len(data) - 4):
                self.inputs[1 - self.number, frame] = data[4 + frame - first]
        while (1 - self.number, self.known) in self.inputs:
            self.known += 1
        wrong = [f for f, guess in self.guesses.items() if self.inputs.get((1 - self.number, f), guess) != guess]
        self.guesses = {f: guess for f, guess in self.guesses.items() if f >= self.known}
        if wrong:
            now, self.frame = self.frame, min(wrong)
            self.rolled_back += now - self.frame
            self.farthest_back = max(self.farthest_back, now - self.frame)
            self.physics.restore(self.ring[self.frame % len(self.ring)])
            while self.frame < now:
                self.step()

    def step(self) -> None:
        self.physics.snapshot(into=self.ring[self.frame % len(self.ring)])
        for number, velocity in enumerate(self.moves):  # a restore brings the very same components back
            way = self.inputs.get((number, self.frame))
            if way is None:  # it goes on doing what it did last
                way = self.guesses[self.frame] = self.inputs.get((number, self.known - 1), 0)
            velocity.x, velocity.y = WAYS[way]
        esper.process(1 / 60)
        self.frame += 1


async def match(frames: int = 10_000) -> list[Peer]:
    """Two peers that have played so many frames, of which both know all inputs."""
    loop = asyncio.get_running_loop()
    peers: list[Peer] = []
    for number in range(2):
        line, peer = await loop.create_datagram_endpoint(partial(Peer, number, frames), ("127.0.0.1", 0))
        peer.line = line
        peers.append(peer)
    for peer in peers:
        peer.other = peers[1 - peer.number].line.get_extra_info("sockname")
    while any(peer.known < frames or peer.frame < frames for peer in peers):
        for peer in peers:
            peer.play()
        await asyncio.sleep(0)
    for peer in peers:
        peer.line.close()
    return peers


if __name__ == "__main__":
    for peer in asyncio.run(match(int(sys.argv[1]) if sys.argv[1:] else 10_000)):
        esper.switch_world(peer.world)
        again = f"{peer.rolled_back} again, {peer.farthest_back} back at most"
        print(f"{peer.world}: {peer.frame} frames, {again}, digest {peer.physics.digest():016x}")

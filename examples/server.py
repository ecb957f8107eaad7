"""A game server without a window: fixed steps in asyncio. Players steer discs over TCP and receive the state as JSON.

Start it with `python examples/server.py [PORT]`. Connect with `nc localhost 8765`, and write directions in lines, such
as "1 0" or "-1 0.5". Ctrl-C: quit.
"""

import asyncio
import json
import sys

import esper

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Drag, RigidBody, Solid, Transform, Velocity

PORT = 8765
STEPS = 60  # a second
SENDS = 20  # a second
SIZE = 10.0  # half of the arena's width
SPEED = 8.0


class Server:
    def __init__(self) -> None:
        # The server may wake up at any time. The physics then makes all steps of 1/60 s that are due.
        self.physics = ecsphys.install(fixed_step=STEPS)
        self.players: dict[int, asyncio.StreamWriter] = {}  # by entity

        # Four walls, 2 units thick, around the arena.
        for x in (-SIZE - 1, SIZE + 1):
            esper.create_entity(Transform(x, 0), AABBCollider(1, SIZE + 1), Solid())
        for y in (-SIZE - 1, SIZE + 1):
            esper.create_entity(Transform(0, y), AABBCollider(SIZE + 1, 1), Solid())
        # Three pucks to push around.
        for x in (-3.0, 0.0, 3.0):
            self.add_disc(x, 0.0)

    def add_disc(self, x: float, y: float) -> int:
        body = RigidBody(restitution=0.9)
        return esper.create_entity(Transform(x, y), Velocity(), Drag(linear=0.8), CircleCollider(0.5), body)

    async def on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one player until it leaves."""
        entity = self.add_disc(0.0, -6.0)
        self.players[entity] = writer
        print(f"player {entity} came")
        try:
            while line := await reader.readline():
                self.obey(entity, line, writer)
        except ConnectionError:
            pass  # the connection broke
        finally:
            print(f"player {entity} left")
            del self.players[entity]
            esper.delete_entity(entity)
            writer.close()

    def obey(self, entity: int, line: bytes, writer: asyncio.StreamWriter) -> None:
        """Steer a player's disc, or answer that the line is wrong."""
        try:
            x, y = (float(word) for word in line.split())
        except ValueError:
            writer.write(b'{"error": "write two numbers, such as 1 0"}\n')
            return
        # Never trust a client: nobody is faster than the others. Not-a-number becomes -1 here.
        x = max(-1.0, min(x, 1.0))
        y = max(-1.0, min(y, 1.0))
        self.physics.bodies.set_velocity(entity, (SPEED * x, SPEED * y))

    def state(self) -> bytes:
        """Return the world as a line of JSON."""
        discs = {}
        for entity, (place, _) in esper.get_components(Transform, RigidBody):
            discs[entity] = (round(place.x, 3), round(place.y, 3))
        return json.dumps({"hits": len(self.physics.hits), "discs": discs}).encode() + b"\n"

    async def run(self, port: int = PORT) -> None:
        """Serve on a port of this machine until the task is cancelled."""
        loop = asyncio.get_running_loop()
        async with await asyncio.start_server(self.on_connection, "localhost", port):
            print(f"serving on port {port}")
            last = loop.time()
            while True:
                await asyncio.sleep(1 / SENDS)
                now = loop.time()
                esper.process(now - last)
                last = now
                state = self.state()
                for writer in self.players.values():
                    writer.write(state)


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else PORT
    try:
        asyncio.run(Server().run(port))
    except KeyboardInterrupt:
        print("bye")

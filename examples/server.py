"""A game server without a window: fixed steps in asyncio; players steer discs over TCP, all get the state as JSON.

Start it with `python server.py [PORT]`, connect with `nc localhost 8765`, and write directions in lines, as "1 0" or
"-1 0.5". Ctrl-C: quit.
"""

import asyncio
import json
import sys

import esper

import ecsphys
from ecsphys import AABBCollider, CircleCollider, Drag, RigidBody, Solid, Transform, Velocity

PORT, HZ, SENDS, SIZE = 8765, 60, 20, 10.0  # steps and states in a second; half of the arena's width


class Server:
    def __init__(self) -> None:
        self.physics = ecsphys.install(fixed_step=HZ)
        for x, y in (SIZE + 1, 0), (-SIZE - 1, 0), (0, SIZE + 1), (0, -SIZE - 1):
            esper.create_entity(Transform(x, y), AABBCollider(1 + SIZE * (x == 0), 1 + SIZE * (y == 0)), Solid())
        for n in range(3):  # pucks to push around
            esper.create_entity(*body(3.0 * n - 3.0, 0.0))
        self.players: dict[int, asyncio.StreamWriter] = {}

    async def on_connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One player, from the first line to the last."""
        entity = esper.create_entity(*body(0.0, -6.0))
        self.players[entity] = writer
        print(f"player {entity} came")
        try:
            while line := await reader.readline():
                try:
                    x, y = (max(-1.0, min(float(word), 1.0)) for word in line.split())
                except ValueError:
                    writer.write(b'{"error": "write two numbers, as 1 0"}\n')
                else:
                    self.physics.bodies.set_velocity(entity, (8 * x, 8 * y))
        except ConnectionError:
            pass
        finally:
            print(f"player {entity} left")
            del self.players[entity]
            esper.delete_entity(entity)
            writer.close()

    def state(self) -> bytes:
        discs = {
            entity: (round(place.x, 3), round(place.y, 3))
            for entity, (place, _) in esper.get_components(Transform, RigidBody)
        }
        return json.dumps({"hits": len(self.physics.hits), "discs": discs}).encode() + b"\n"

    async def run(self, port: int = PORT) -> None:
        """Serve on a port of this machine; the physics catches up with the clock in steps of 1/60 s."""
        loop = asyncio.get_running_loop()
        async with await asyncio.start_server(self.on_connection, "localhost", port):
            print(f"serving on port {port}")
            last = loop.time()
            while True:
                await asyncio.sleep(1 / SENDS)
                now = loop.time()
                esper.process(now - last)
                last = now
                for writer in self.players.values():
                    writer.write(self.state())


def body(x: float, y: float) -> tuple[object, ...]:
    return Transform(x, y), Velocity(), Drag(linear=0.8), CircleCollider(0.5), RigidBody(restitution=0.9)


if __name__ == "__main__":
    try:
        asyncio.run(Server().run(int(sys.argv[1]) if sys.argv[1:] else PORT))
    except KeyboardInterrupt:
        print("bye")

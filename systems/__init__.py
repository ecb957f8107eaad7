"""Systems: what happens to the components.

``physics`` is the state of a world, which stages share; ``stage``, ``priorities`` and ``install`` are how these come
into a step. The folders, from what others are built on:

* ``world``: the entities of a world as arrays;
* ``stepping``: fixed steps, and timing;
* ``motion``: what moves entities;
* ``bullets``: what flies too fast to be seen at the end of a step;
* ``detection``: broadphase, narrowphase, hits and their events;
* ``queries``: questions about what is where;
* ``characters``: who walks among solids;
* ``scenery``: light, particles, scrolling.
"""

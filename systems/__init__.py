"""Systems: what happens to the components.

``physics`` is what a game sees of a world's physics, ``physics_state`` what its stages share; ``stage``,
``priorities`` and ``install`` are how these come into a step. The folders, from what others are built on:

* ``world``: the entities of a world as arrays;
* ``fixed_step``: steps of a fixed length, interpolation, timing;
* ``motion``: trajectories, stepped motion, hierarchy, control;
* ``ccd``: continuous collision detection for bullets;
* ``collision``: broadphase, narrowphase, hits and their events;
* ``spatial_query``: points, boxes, shapes, rays, casts;
* ``character_controller``: walking and sliding among solids;
* ``effects``: particles, light, scrolling.
"""

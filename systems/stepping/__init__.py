"""How steps are run: by esper, by ``physics.step``, of many worlds, and where nothing happens."""

"""Random small scenes, played the same in ecsphys, Box2D and pymunk, and held to what must hold in any engine."""

"""A landscape at dusk behind scenes of bodies: sky, sun, chains of hills, and dark ground with lit grass."""

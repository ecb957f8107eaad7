"""Light, particles and scrolling."""

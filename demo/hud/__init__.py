"""The text and switches over a scene: its title, captions, sliders and switches, numbers, and the list of all keys."""

"""Makes the events of a scene visible: sparks, dust, rings, a short shake, and joints coloured by their load."""

"""What happens in a scene, made visible: sparks, dust, blasts, a short shake, and joints coloured by their load."""

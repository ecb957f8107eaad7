"""Steps of a fixed length, and the time they take."""

"""The closest points of two placed shapes."""

"""Components of joints, which hold two bodies together."""

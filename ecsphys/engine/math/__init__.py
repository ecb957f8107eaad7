"""Unit vectors, cosine and sine, exact sums and products, and how far rounding can go."""

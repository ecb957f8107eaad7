"""Components of characters and of the ground under them."""

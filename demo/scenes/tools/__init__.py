"""What the player's hands do in a world with rigid bodies: hold, shoot, blast, drop."""

"""The player's tools in a world with rigid bodies: hold, shoot, blast, drop."""

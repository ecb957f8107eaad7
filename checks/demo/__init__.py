"""Every scene of the demo, played by a user who does everything, and most of it wrong."""

"""The patterns of bodies by their material: grain, boards, bricks, rivets, and faces for toys."""

"""What bodies look like by what they are made of: grain, boards, stones, rivets, faces."""

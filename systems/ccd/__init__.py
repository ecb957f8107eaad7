"""What flies too fast to be seen at the end of a step."""

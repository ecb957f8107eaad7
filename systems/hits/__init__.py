"""Hits: objects for handlers, arrays for bulk use, and their delivery at the end of a step."""

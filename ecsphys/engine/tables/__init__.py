"""Tables of entities and rows: merges, joins, the check of values."""

"""Component classes as columns: rows, blocks, tables of entities, creation in bulk."""

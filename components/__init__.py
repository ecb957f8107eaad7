"""Components: plain fields, kept in arrays. ``ecsphys`` and ``ecsphys.effects`` have their public names."""

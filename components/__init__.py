"""Components: plain fields, kept in arrays. Their public names are those of ``ecsphys`` and ``ecsphys.effects``."""

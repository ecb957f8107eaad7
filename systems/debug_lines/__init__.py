"""The world as line segments and colours, for any renderer."""

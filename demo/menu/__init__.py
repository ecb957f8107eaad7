"""The menu: pages of cards with pictures, one card for each scene. The pictures of the first page move."""

from ecsphys.demo.menu.menu import Menu

__all__ = ["Menu"]

"""The digest of each scene, on every machine. ``python -m checks golden`` writes this file."""

from __future__ import annotations

from typing import Final

GOLDEN_DIGESTS: Final = {
    "pile": "a0e5759f1ef9fa01d7a88059f5b1e9ce",
    "materials": "141da80ae0f346dc690cb4ab0ad6305a",
    "sleep": "cfb26a0a9f59619c77a9288017ce10b4",
    "crowd": "30d42057ccb64425e609b978c7f295cf",
    "rain": "174130f0876fc1f28ca625184b4c65f1",
    "joints": "e728a8f8632206690123afe0f741b992",
    "chains": "dd1a8673c476edbad76b1e3f71ed9d2c",
    "trajectories": "edd622705faad6f03f4fa89b55b75619",
    "semi_implicit_forces": "22efa13345e9e280b93a25e5e178ef54",
    "explicit_forces": "887f6204a504134213c770365f5e5e78",
    "verlet_forces": "1773649c3a5fdbf7fc0b4ce35ffcbbed",
    "parents": "2af56f5eaffa8660c18b80be36a58a21",
    "shapes": "57471ce01896146a535070f39bda54b8",
    "hits": "b3226d186d644a5d5d4b0bb8796deecc",
    "bullets": "a863d94163990c9ad1ac16c01fc8d040",
    "queries": "056491ed61dff24e8363a2a46a9fd234",
    "walk": "3c267aa3594fe7a703527060e6348553",
    "crowd_of_characters": "12f085ddd6dac41af2078cb5318c8614",
    "snapshots": "b88dcdcd13983602236bc5927a200e6d",
    "particles": "792f8a528f35079a9b21f33152afff18",
    "light": "07a31297714f08dd7bcd9a688d7d15c4",
    "scrolling": "ee29c025ced35dce92e936566562015b",
}

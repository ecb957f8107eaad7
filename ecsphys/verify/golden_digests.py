"""The digest of each scene, on every machine. ``python -m checks golden`` writes this file."""

from __future__ import annotations

from typing import Final

GOLDEN_DIGESTS: Final = {
    "pile": "96c2e7fa1e7c9036b2014f2222eaa6d2",
    "materials": "81f2b435296358014464f5a86834e5c8",
    "sleep": "da6c456a8194f2c83f6d133ece77f0ba",
    "crowd": "77107968374d72a9ce450e04428e9b08",
    "rain": "1d897640299b13b37c3f4cc38d0cb08c",
    "joints": "e728a8f8632206690123afe0f741b992",
    "chains": "aeffe32fc10fe8a9f3d3c511db5507d3",
    "trajectories": "010edd95e9f1b63f355f8bdb9cd49325",
    "semi_implicit_forces": "57ca651f5eff40d46a621287ece83b86",
    "explicit_forces": "3aaed6cd7efc6aa3da059094fe56a0ef",
    "verlet_forces": "2e4bd0efd3f401ac65bfaacab15a3fca",
    "parents": "b515bc7eb1bfc96fc4576b7a100717e4",
    "shapes": "57471ce01896146a535070f39bda54b8",
    "hits": "92e3751d38d64e455afd8e23cb39eabc",
    "bullets": "c6261bebff93b68913b75889f8427004",
    "queries": "056491ed61dff24e8363a2a46a9fd234",
    "walk": "29f031f1b7ba21a95c391984b2b0b6d3",
    "crowd_of_characters": "5b77c212c5546c924db68d5587428013",
    "snapshots": "f0ec2cd9b675a451d6db605d2e3b1963",
    "particles": "792f8a528f35079a9b21f33152afff18",
    "light": "1884c8441077d5c82c1eb56507c874dc",
    "scrolling": "ee29c025ced35dce92e936566562015b",
}

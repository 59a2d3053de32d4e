"""Which code makes the pages: what browsers and caches keep of one release is nothing to the next."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

import arena
import league
import sandbox

PACKAGES = (arena, league, sandbox)


@cache
def fingerprint() -> str:
    """A hash of our own files, code, templates, catalogues and static files alike; the same in all processes."""
    digest = blake2b(digest_size=8)
    for package in PACKAGES:
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(folder)}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()

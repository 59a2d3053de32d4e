"""The sandbox image, made here and from no registry: the interpreter that runs this, the libraries that it loads, the
standard library, numpy, the game, and the runner. No shell, no setuid file, nothing else.

Its tag is a hash of all that goes in, so that a changed game is never played with an old image.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import io
import marshal
import os
import re
import subprocess
import sysconfig
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import docker
from docker.errors import APIError

from sandbox import numerics
from sandbox.confine import THIRD_PARTY
from sandbox.interpreter import SOURCES, interpreter

REPOSITORY = "candidate-arena-sandbox"
FORMAT = b"1"
"""Part of the hash: to be raised with changes of what this module makes of the same files."""
HOME = PurePosixPath("/opt/arena")
"""Where the packages arena and sandbox are inside."""
NUMPY = PurePosixPath("/opt/packages/numpy")
OLD_S = 3600.0
UNCHECKED_HASH = (0b01).to_bytes(4, "little")
"""Flags of a pyc file (PEP 552)."""

# Of the standard library: what serves no bot, or needs libraries that a bot can't have.
LEFT_OUT = {
    *THIRD_PARTY, "__pycache__", "config", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "test", "tests", "tkinter",
    "turtledemo", "unittest", "venv", "distutils", "curses", "dbm", "sqlite3", "wsgiref", "xmlrpc",
}  # fmt: skip
LEFT_OUT_EXTENSIONS = re.compile(
    r"(_curses|_curses_panel|_dbm|_gdbm|_sqlite3|_ssl|_test\w*|_tkinter|_xx\w*|nis|ossaudiodev|readline|xx\w*)\."
)
NUMPY_LEFT_OUT = {"_pyinstaller", "distutils", "f2py", "testing"}
RUNNER_MODULES = (
    "__init__", "carried", "clock", "confine", "errors", "landlock", "limits", "namespaces", "numerics", "runner",
    "seccomp", "syscalls",
)  # fmt: skip
LOADED = re.compile(r"^\s+(?:\S+ => )?(/\S+) \(0x", re.MULTILINE)


class File(NamedTuple):
    inside: PurePosixPath
    content: bytes
    executable: bool = False


def ensure(client: docker.DockerClient) -> str:
    """The name of the image for the code as it is now; builds it if the engine has none, once for all workers.

    Raises:
        OSError: a part of it can't be read.
        docker.errors.DockerException: the engine refuses.
    """
    files = list(contents())
    name = f"{REPOSITORY}:{fingerprint(files)}"
    with _lock():
        if not client.api.images(name=name):
            _import(client, name, files)
            _remove_old(client, name)
    return name


def contents() -> Iterator[File]:
    """All that goes in, in no order."""
    binary = Path(interpreter())
    extensions = []
    yield _file(binary, executable=True)
    for folder in {Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("platstdlib"))}:
        for path in _walk(folder):
            if path.suffix == ".py" or path.name.endswith(tuple(EXTENSION_SUFFIXES)):
                yield _file(path)
            if path.suffix == ".so":
                extensions.append(path)
    numpy = list(_numpy())
    yield from (file for _, file in numpy)
    extensions += [path for path, _ in numpy if ".so" in path.suffixes]
    beside = numerics.home().parent
    for path in _libraries([binary, *extensions]):
        if not path.resolve().is_relative_to(beside):
            yield _file(path, executable=True)
    if (cache := Path("/etc/ld.so.cache")).exists():
        yield _file(cache)
    yield from _sources()


def _sources() -> Iterator[File]:
    """The game, without what is for authors at home alone, and the runner."""
    game = [path for path in sorted((SOURCES / "arena").rglob("*.py")) if path.parent.name != "training"]
    for path in (*game, *(SOURCES / "sandbox" / f"{module}.py" for module in RUNNER_MODULES)):
        yield File(HOME / path.relative_to(SOURCES), path.read_bytes())


def _numpy() -> Iterator[tuple[Path, File]]:
    """The files of numpy, with its shared libraries beside it, where it looks for them."""
    folder = numerics.home()
    beside = numerics.libraries(folder)
    taken = (path for path in _walk(folder) if path.relative_to(folder).parts[0] not in NUMPY_LEFT_OUT)
    for path in (*taken, *(_walk(beside) if beside.exists() else ())):
        if path.suffix == ".py" or ".so" in path.suffixes:
            yield path, File(NUMPY.parent / path.relative_to(folder.parent), path.read_bytes())


def fingerprint(files: list[File]) -> str:
    """A hash of paths, contents and this module's format."""
    whole = hashlib.sha256(FORMAT)
    for file in sorted(files, key=lambda file: file.inside):
        whole.update(f"{file.inside}\0{file.executable}\0".encode())
        whole.update(hashlib.sha256(file.content).digest())
    return whole.hexdigest()[:20]


def _file(path: Path, executable: bool = False) -> File:
    return File(PurePosixPath(path), path.read_bytes(), executable)


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in LEFT_OUT or path.name.startswith("config-") or LEFT_OUT_EXTENSIONS.match(path.name):
            continue
        if path.is_dir():
            yield from _walk(path)
        elif path.is_file():
            yield path


def _libraries(binaries: list[Path]) -> list[Path]:
    """The shared libraries that these load, by the paths under which the loader finds them."""
    listed = subprocess.run(  # noqa: S603 - paths of our own interpreter
        ["ldd", *binaries],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    return sorted({Path(path) for path in LOADED.findall(listed.stdout)})


def _import(client: docker.DockerClient, name: str, files: list[File]) -> None:
    with tempfile.TemporaryFile() as archive:
        with tarfile.open(fileobj=archive, mode="w") as tar:
            _pack(tar, files)
        archive.seek(0)
        repository, tag = name.split(":")
        client.api.import_image_from_data(archive.read(), repository=repository, tag=tag)


def _pack(tar: tarfile.TarFile, files: list[File]) -> None:
    folders: set[PurePosixPath] = {PurePosixPath("/")}
    for folder in ("/proc", "/sys", "/dev", "/etc", "/bot", "/run/arena"):
        _add_folders(tar, PurePosixPath(folder), folders)
    for file in files:
        _add_folders(tar, file.inside.parent, folders)
        _add(tar, file)
        if file.inside.suffix == ".py" and (compiled := _compile(file)):
            _add_folders(tar, compiled.inside.parent, folders)
            _add(tar, compiled)


def _add(tar: tarfile.TarFile, file: File) -> None:
    entry = tarfile.TarInfo(str(file.inside).lstrip("/"))
    entry.size = len(file.content)
    entry.mode = 0o555 if file.executable else 0o444
    tar.addfile(entry, io.BytesIO(file.content))


def _add_folders(tar: tarfile.TarFile, folder: PurePosixPath, known: set[PurePosixPath]) -> None:
    if folder in known:
        return
    _add_folders(tar, folder.parent, known)
    known.add(folder)
    entry = tarfile.TarInfo(str(folder).lstrip("/"))
    entry.type, entry.mode = tarfile.DIRTYPE, 0o555
    tar.addfile(entry)


def _compile(file: File) -> File | None:
    """The bytecode, marked so that nobody compares it with its source again; none if it does not compile."""
    try:
        code = compile(file.content, str(file.inside), "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    head = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(file.content)
    return File(PurePosixPath(importlib.util.cache_from_source(str(file.inside))), head + marshal.dumps(code))


@contextmanager
def _lock() -> Iterator[None]:
    """One builder at a time among the workers of this user on this machine."""
    path = Path(tempfile.gettempdir()) / f"{REPOSITORY}-{os.getuid()}.lock"
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_old(client: docker.DockerClient, current: str) -> None:
    """Removes earlier images that no container uses, but not fresh ones: another version's worker may need them."""
    used = {container["ImageID"] for container in client.api.containers(all=True)}
    for image in client.api.images(name=REPOSITORY):
        names = image["RepoTags"] or []
        if current not in names and image["Id"] not in used and image["Created"] < time.time() - OLD_S:
            try:
                client.api.remove_image(image["Id"])
            except APIError:
                continue

"""What the layout promises: docs/architecture.md says why."""

import re
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[1]


def tracked(*patterns: str) -> list[Path]:
    """Files that git knows; none where the tree is no checkout."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no git checkout")
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def external_imports(graph: grimp.ImportGraph, modules: set[str]) -> set[str]:
    """Top-level packages, not ours and not the standard library's, that those modules import."""
    ours = {"arena", "sandbox", "league"}
    imported = {name.split(".")[0] for module in modules for name in graph.find_modules_directly_imported_by(module)}
    return imported - ours - sys.stdlib_module_names


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("arena", "sandbox", "league", include_external_packages=True, cache_dir=None)


def test_the_folder_platform_is_no_package_and_holds_one() -> None:
    folder = ROOT / "platform"
    assert not (folder / "__init__.py").exists(), "it would shadow the standard library's platform"
    assert [path.parent.name for path in folder.glob("*/__init__.py")] == ["league"]


def test_the_standard_librarys_platform_is_found_from_the_root() -> None:
    found = subprocess.run(
        [sys.executable, "-c", "import platform; print(platform.__file__, platform.system())"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert not found.startswith(str(ROOT / "platform"))
    assert found.split()[-1] == "Linux"


def test_no_folder_of_tests_shadows_the_package_that_it_tests() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_the_imports_keep_the_layers() -> None:
    checked = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_engine_needs_the_standard_library_alone(graph: grimp.ImportGraph) -> None:
    apart = {"arena.cli", "arena.rating", "arena.training"}
    apart |= {module for package in apart for module in graph.find_descendants(package)}
    engine = {"arena"} | graph.find_descendants("arena")
    assert external_imports(graph, engine - apart) == set()
    imported = {module for each in engine - apart for module in graph.find_modules_directly_imported_by(each)}
    assert not imported & apart


def test_what_runs_beside_a_bot_needs_the_standard_library_alone(graph: grimp.ImportGraph) -> None:
    inside = {"sandbox.runner"} | graph.find_upstream_modules("sandbox.runner")
    ours = {module for module in inside if module.split(".")[0] in {"arena", "sandbox", "league"}}
    assert external_imports(graph, ours) == set()
    assert not [module for module in ours if module.startswith("league")]


def test_locks_hash_what_they_name_and_name_no_hosts() -> None:
    for lock in ("requirements.lock", "requirements-test.lock"):
        text = (ROOT / lock).read_text()
        assert "://" not in text, lock
        for entry in re.split(r"\n(?=\S)", text):
            assert not re.match(r"[\w.-]+(\[[\w,-]+\])?==", entry) or "--hash=sha256:" in entry, (lock, entry)


def test_the_locks_agree() -> None:
    def versions(lock: str) -> set[str]:
        return set(re.findall(r"^[\w.-]+==\S+", (ROOT / lock).read_text(), re.MULTILINE))

    assert versions("requirements.lock") <= versions("requirements-test.lock")


def test_no_file_names_a_folder_of_ones_own_machine() -> None:
    own = re.compile(r"(?<![\w./-])/(?:work|home|Users)/\w")
    named = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in tracked("*.py", "*.md", "*.toml", "*.html", "*.sh", "*.yml", "Makefile", "Procfile", ".ci/run")
        if (found := own.search(path.read_text())) and path != Path(__file__)
    ]
    assert named == []

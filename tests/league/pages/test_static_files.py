from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[3] / "platform/league/static"
FOLDERS = sorted(path for path in (STATIC / "vendor").iterdir() if path.is_dir())
STYLES = sorted((STATIC / "css").glob("*.css"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_vendored_names_its_version_and_keeps_its_licence(folder: Path) -> None:
    assert re.fullmatch(r"[a-z0-9-]+-\d+\.\d+\.\d+", folder.name)
    assert (folder / "LICENSE").stat().st_size > 500


def test_vendored_files_are_those_of_the_manifest() -> None:
    vendor = STATIC / "vendor"
    listed = dict(line.split("  ")[::-1] for line in (vendor / "SHA256SUMS").read_text().splitlines())
    files = [path for path in vendor.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
    assert listed == {str(path.relative_to(vendor)): sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_styles_use_only_tokens_that_exist_and_files_that_are_there(style: Path) -> None:
    text = "\n".join(each.read_text() for each in STYLES)
    defined = set(re.findall(r"(--[a-z0-9-]+):", text))
    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", style.read_text()))
    assert used <= defined
    for address in re.findall(r'url\("([^"]+)"\)', style.read_text()):
        assert (style.parent / address).resolve().is_file()


@pytest.mark.parametrize("style", [each for each in STYLES if each.name != "tokens.css"], ids=lambda style: style.name)
def test_colours_are_named_by_tokens_alone(style: Path) -> None:
    assert not re.findall(r"#[0-9a-f]{3,8}\b(?![^{]*\{)", re.sub(r"mask-image[^;]+;", "", style.read_text()))

"""Documents whose Python blocks are run in their order in one namespace: sessions as doctests, the others as files."""

import doctest
import re
from pathlib import Path
from typing import Any, NamedTuple

DOCS = Path(__file__).resolve().parents[2] / "docs"


class Block(NamedTuple):
    line: int
    code: str


class Outcome(NamedTuple):
    failures: str
    """What doctest has to say; empty if all is well."""
    examples: int


def blocks(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(text[: each.start(1)].count("\n"), each[1]) for each in found]


def run(document: Path) -> Outcome:
    namespace: dict[str, Any] = {"__name__": "document", "__file__": str(document)}
    sessions = doctest.DocTestParser()
    runner = doctest.DocTestRunner()
    found: list[str] = []
    for block in blocks(document):
        if block.code.startswith(">>>"):
            session = sessions.get_doctest(block.code, namespace, document.name, str(document), block.line)
            runner.run(session, out=found.append, clear_globs=False)
            namespace.update(session.globs)
        else:
            exec(compile(block.code, f"{document.name}, line {block.line}", "exec"), namespace)
    return Outcome("".join(found), runner.summarize(verbose=False).attempted)

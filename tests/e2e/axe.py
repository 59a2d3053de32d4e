"""axe-core on a page: WCAG 2.2 AA and good practice; the colours in the dark too, the targets on a phone too."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

VENDOR = Path(__file__).parent / "vendor"
AXE = (VENDOR / "axe-core-4.14.1/axe.min.js").read_text() + ";undefined"
"""Its script, which gives back nothing: as an object it would be copied whole out of the page."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
IN_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that come out differently in the dark."""
REPEATED = [
    ".crosstable tr:nth-child(n+7)",
    ".crosstable td:nth-child(n+8)",
    ".board-table tbody tr:nth-child(n+10)",
    ".games-table tbody tr:nth-child(n+5)",
    ".match-rows tbody tr:nth-child(n+15)",
    ".move-list > li:nth-child(n+15)",
    ".api .operation:nth-of-type(n+3)",
]
"""Rows and cells that are like those before them, and would take axe-core most of its time."""
RUN = """async ([repeated, wanted]) => {
  const context = { exclude: repeated.map((selector) => [selector]) };
  const found = await axe.run(context, { runOnly: wanted, resultTypes: ["violations"] });
  return found.violations.flatMap((rule) => rule.nodes.map((node) =>
    `${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary.replace(/\\s+/g, " ")})`));
}"""


def violations(page: Page, wanted: list[str], of: str = "tag") -> list[str]:
    """What axe-core, which is in the page already, has against it, by rules or by tags of rules."""
    found: list[str] = page.evaluate(RUN, [REPEATED, {"type": of, "values": wanted}])
    return found

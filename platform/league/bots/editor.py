"""What the editor of the submit page says, in the reader's language: CodeMirror has its phrases in English alone."""

from django.utils.translation import pgettext


def phrases() -> dict[str, str]:
    """CodeMirror's own phrases and what to say in their place."""
    return {
        "Find": pgettext("editor", "Find"),
        "next": pgettext("editor", "next"),
        "previous": pgettext("editor", "previous"),
        "all": pgettext("editor", "all"),
        "match case": pgettext("editor", "match case"),
        "regexp": pgettext("editor", "regexp"),
        "by word": pgettext("editor", "by word"),
        "Replace": pgettext("editor", "Replace"),
        "replace": pgettext("editor", "replace"),
        "replace all": pgettext("editor", "replace all"),
        "close": pgettext("editor", "close"),
        "current match": pgettext("editor", "current match"),
        "on line": pgettext("editor", "on line"),
        "replaced match on line $": pgettext("editor", "replaced match on line $"),
        "replaced $ matches": pgettext("editor", "replaced $ matches"),
        "Go to line": pgettext("editor", "Go to line"),
        "go": pgettext("editor", "go"),
        "Control character": pgettext("editor", "Control character"),
        "Selection deleted": pgettext("editor", "Selection deleted"),
    }

"""Python sources without what doesn't matter to Python: the same code in other clothes has the same fingerprint."""

import io
import tokenize
from hashlib import sha256

from league.bots.models import Source, Version
from league.organisers.models import Fingerprint

BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING}
SHAPE = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
"""What matters, but not how it is written."""
BATCH = 50


def fingerprint(content: bytes) -> str:
    """A hash of the file's tokens; empty where it is no Python, or nothing but comments."""
    told = sha256()
    words = 0
    try:
        for token in tokenize.tokenize(io.BytesIO(content).readline):
            if token.type not in BLANK:
                text = "" if token.type in SHAPE else token.string
                told.update(f"{token.type} {len(text)} {text}\n".encode("utf-8", "surrogatepass"))
                words += token.type not in SHAPE
    except (SyntaxError, ValueError, tokenize.TokenError):
        return ""
    return told.hexdigest() if words > 1 else ""  # the end is a token


def take_missing() -> int:
    """Take those of all .py sources that have none yet; how many those were. Only a worker does this."""
    missing = Version.objects.filter(fingerprint=None, source__isnull=False, filename__iendswith=".py")
    taken = 0
    while batch := list(missing.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        sources = Source.objects.filter(version__in=batch)
        found = [Fingerprint(version_id=each.pk, sha256=fingerprint(bytes(each.content))) for each in sources]
        if not found:
            break
        Fingerprint.objects.bulk_create(found, ignore_conflicts=True)
        taken += len(found)
    return taken

"""Text from bots and faults, made fit to be stored and shown."""

import unicodedata

JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"


def storable(text: str, most: int) -> str:
    """That text with NUL and lone surrogates, which databases refuse, made visible; at most `most` characters."""
    text = text.encode("utf-8", "backslashreplace").decode().replace("\0", "\N{SYMBOL FOR NULL}")
    if len(text) <= most:
        return text
    left_out = f"\n[... {len(text) - most:,} characters left out ...]\n"
    kept = max(0, most - len(left_out))
    return text[: kept - kept // 2] + left_out + text[len(text) - kept // 2 :]


def line(text: str, most: int) -> str:
    """That text as one printable line of at most `most` characters."""
    shown = "".join(each if each.isprintable() else " " for each in text.encode("utf-8", "replace").decode())
    shown = " ".join(shown.split())
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def visible(text: str) -> str:
    """That text with what can't be seen, or would rule how the rest is seen, in marks of its own; lines stay."""
    return "".join(map(_mark, text.replace("\r\n", "\n")))


def _mark(char: str) -> str:
    if char in "\n\t" or char in JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp"):
        return char
    code = ord(char)
    if code < 32:
        return chr(0x2400 + code)
    return "\N{SYMBOL FOR DELETE}" if code == 127 else f"⟨U+{code:04X}⟩"

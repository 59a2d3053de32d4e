"""Text from bots and faults, made fit to be stored."""


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

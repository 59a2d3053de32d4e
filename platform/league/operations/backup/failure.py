class Refused(Exception):  # noqa: N818
    """A backup is not made, or not put back; the text says why and what to do."""

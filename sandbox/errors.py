"""The three ways in which the sandbox fails; a bot's own failures are `arena.outcome.Forfeit`."""

from __future__ import annotations


class SandboxFault(Exception):  # noqa: N818 - the word of the match laws
    """The platform's fault: nobody loses by it, the match is played again."""


class NoSandbox(Exception):  # noqa: N818
    """This machine can't confine a bot; the text says why and what to do."""


class BadUpload(Exception):  # noqa: N818
    """An upload that is no bot; the text tells its author what is wrong and what to do."""

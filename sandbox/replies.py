"""Reads what a bot's process sends: every byte of it is untrusted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import DecodeError, Meta, Struct, ValidationError
from msgspec.json import Decoder, Encoder

from arena import wire
from arena.outcome import Forfeit, Termination

MAX_CARDS = 64
SHORT_CHARS = 64

Word = Annotated[str, Meta(max_length=SHORT_CHARS)]
Method = Literal["play", "choose_pile", "match_start", "game_start", "game_end", "match_end"]

# The fields are in the order in which the runner writes them, by name.


class Error(Struct, forbid_unknown_fields=True):
    kind: Literal["exception", "memory", "exit"]
    message: Annotated[str, Meta(max_length=wire.MESSAGE_CHARS)]
    traceback: Annotated[str, Meta(max_length=wire.TRACEBACK_CHARS)]


class Loaded(Struct, forbid_unknown_fields=True):
    defines: Annotated[list[Method], Meta(max_length=6)]
    id: int


class Cards(Struct, forbid_unknown_fields=True):
    cards: Annotated[list[Word], Meta(max_length=MAX_CARDS)]
    id: int


class Pile(Struct, forbid_unknown_fields=True):
    id: int
    pile: Word


class Done(Struct, forbid_unknown_fields=True):
    id: int


class Failed(Struct, forbid_unknown_fields=True):
    id: int
    error: Error


_decoders: dict[str, Decoder[Any]] = {
    "load": Decoder(Loaded),
    wire.PLAY: Decoder(Cards),
    wire.CHOOSE_PILE: Decoder(Pile),
    **{hook: Decoder(Done) for hook in wire.HOOKS},
}
_fields = {"load": "defines", wire.PLAY: "cards", wire.CHOOSE_PILE: "pile"}
_failed = Decoder(Failed)
_encode = Encoder().encode


def read(line: bytes, operation: str, number: int) -> Any:
    """The value in the reply to that request: names, card texts, a pile, or nothing to a hook.

    A reply is one line in the one form that the runner writes: this leaves no room for duplicate keys, `NaN`, `1.0`
    for 1, spaces, or anything else that two readers might understand differently.

    Raises:
        Forfeit: it is an error, can't be read, or answers something else.
    """
    body = line[:-1]
    try:
        reply = _decoders[operation].decode(body)
    except (DecodeError, ValidationError, UnicodeDecodeError) as mismatch:
        raise _failure(body, number, mismatch) from None
    if reply.id != number:
        raise protocol(f"an answer to message {reply.id}, expected one to message {number}")
    if _encode(reply) != body:
        raise protocol(f"an answer that is not in the runner's own form: {shown(body)}")
    field = _fields.get(operation)
    return getattr(reply, field) if field else None


def _failure(body: bytes, number: int, mismatch: Exception) -> Forfeit:
    """The forfeit for a line that is no answer to the question: an error reply, or else a protocol error."""
    try:
        failed = _failed.decode(body)
    except (DecodeError, ValidationError, UnicodeDecodeError):
        return protocol(f"an answer that can't be read: {mismatch}; got {shown(body)}")
    if failed.id != number:
        return protocol(f"an answer to message {failed.id}, expected one to message {number}")
    termination = Termination.MEMORY if failed.error.kind == "memory" else Termination.CRASH
    return Forfeit(termination, one_line(failed.error.message), failed.error.traceback.replace("\0", "\\0"))


def protocol(reason: str) -> Forfeit:
    return Forfeit(Termination.PROTOCOL, reason)


def shown(data: bytes) -> str:
    """The start of some bytes, readable and harmless."""
    return repr(data[:60])[1:] + (f" and {len(data) - 60} bytes more" if len(data) > 60 else "")


def one_line(words: str) -> str:
    """The text without anything that a terminal or a page could take for more than text."""
    return "".join(char if char.isprintable() else " " for char in words).strip() or "(no message)"

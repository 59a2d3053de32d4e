"""Reads all of its process's memory, looking for the seed and for cards that it may not see.

It knows the seed when it sees it, by its hash; a number of its own shows that it would have. The kernel tells which
pages are there: what can't be written to a pipe is not.
"""

import ctypes
import gc
import json
import os
import re
import struct
import sys
from hashlib import sha256
from pathlib import Path

from attempts import libc

PAGE, BLOCK, STRIDE = 4096, 1 << 16, 1 << 18
MOST = 1 << 28
WHEN = 8
"""The decision at which it looks again: by then there has been something to see."""
WANTED = json.loads((Path(__file__).parent / "canary.json").read_text())["seed"]
OWN = int.from_bytes(os.urandom(7), "little") | 1 << 55
OWN_HASH = sha256(str(OWN).encode()).hexdigest()
OWN_CARDS = [49, 3, 27, 18, 40]
"""In this order it has been told of no such cards."""

INT, BYTES = struct.pack("<q", id(int)), struct.pack("<q", id(bytes))
SMALL = id(1) - id(0)
HIGH = {re.escape(struct.pack("<q", id(each))[2:]) for each in range(52)}
NUMBER = re.compile(rb"\d{10,20}|0x[0-9a-f]{9,16}")
LIST = re.compile(rb"\d{1,2}(?:, ?\d{1,2}){3,}")
NAMES = re.compile(rb"[2-9TJQKA][CDHS](?:[\", ]{1,4}[2-9TJQKA][CDHS]){3,}")
POINTERS = re.compile(rb"(?:..(?:" + b"|".join(HIGH) + rb")){4,}", re.DOTALL)
reader, writer = os.pipe()


def block(address, size):
    """The bytes at that address; none if they are not there."""
    sent = libc.write(writer, ctypes.c_void_p(address), ctypes.c_size_t(size))
    return os.read(reader, sent) if sent > 0 else b""


def memory():
    """All memory around objects and the stack, a stride each; where nothing is there, zeros."""
    stack = ctypes.c_void_p.in_dll(ctypes.CDLL(None), "__libc_stack_end").value
    gc.unfreeze()
    objects = gc.get_objects()
    waiting = {id(each) // STRIDE for each in (*objects, *map(type, objects), 0, b"", "", OWN, WANTED)}
    waiting |= {stack // STRIDE + away for away in range(-8, 2)}
    seen, total = set(), 0
    while waiting and total < MOST:
        place = waiting.pop()
        seen.add(place)
        data = stride(place * STRIDE)
        if any(data):
            total += len(data)
            waiting |= {place - 1, place + 1} - seen
            yield data


def stride(start):
    found = b""
    for address in range(start, start + STRIDE, BLOCK):
        whole = block(address, BLOCK)
        if len(whole) < BLOCK:  # it ends somewhere in it
            whole = b"".join(block(page, PAGE) or bytes(PAGE) for page in range(address, address + BLOCK, PAGE))
        found += whole
    return found


def numbers(data):
    """Integers in those bytes: as text and as Python's objects."""
    for found in NUMBER.findall(data):
        yield int(found, 0) if found.startswith(b"0x") else int(found)
    at = data.find(INT)
    while at >= 0:
        (size,) = struct.unpack_from("<q", data, at + 8) if at + 16 <= len(data) else (0,)
        if 2 <= size <= 3 and at + 16 + 4 * size <= len(data):
            digits = struct.unpack_from(f"<{size}I", data, at + 16)
            yield sum(digit << 30 * place for place, digit in enumerate(digits))
        at = data.find(INT, at + 8)


def cards(data):
    """Runs of four numbers of cards or more: as text, as bytes, as pointers to Python's small numbers."""
    for found in LIST.findall(data):
        yield [int(each) for each in found.split(b",")]
    for found in NAMES.findall(data):
        yield [each.decode() for each in re.findall(rb"[2-9TJQKA][CDHS]", found)]
    at = data.find(BYTES)
    while at >= 0:
        (size,) = struct.unpack_from("<q", data, at + 8) if at + 24 <= len(data) else (0,)
        if 4 <= size <= 52 and at + 24 + size <= len(data):
            yield list(data[at + 24 : at + 24 + size])
        at = data.find(BYTES, at + 8)
    for run in POINTERS.findall(data):
        yield [(pointer - id(0)) // SMALL for pointer in struct.unpack(f"<{len(run) // 8}q", run)]


class Bot:
    decisions = 0

    def __init__(self):
        self.look()

    def play(self, observation):
        self.decisions += 1
        if self.decisions == WHEN:
            self.look()
        return observation.hand[:1] if not observation.lobby else []

    def look(self):
        kept = list(OWN_CARDS), bytes(OWN_CARDS[::-1])
        hashes, hands, total = set(), set(), 0
        for data in memory():
            total += len(data)
            hashes |= {sha256(str(number).encode()).hexdigest() for number in numbers(data)}
            hands |= {tuple(hand[:13]) for hand in cards(data) if len(set(hand)) == len(hand) and in_deck(hand)}
        print(total >> 20, "MiB; own number found:", OWN_HASH in hashes)
        print("own cards found:", [tuple(hand) in hands for hand in kept])
        print("seed WORKED" if WANTED in hashes else "seed not found")
        print("cards:", json.dumps(sorted(hands, key=str)))
        print("given:", sys.argv, sys.orig_argv, dict(os.environ))


def in_deck(hand):
    return all(isinstance(each, str) or 0 <= each < 52 for each in hand)

"""Prints and raises what would run in a browser, move the cursor of a terminal or break a line of a log."""

EVIL = "<script>alert(1)</script> \x1b[2J\x1b]0;title\x07 \u202egnp.exe\u202c \0 \r\n2026-01-01 ERROR forged \ud800"


class Bot:
    def play(self, observation):
        print(EVIL)
        raise ValueError(EVIL * 20_000)

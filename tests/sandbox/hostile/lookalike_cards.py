"""Names cards with letters that look like the right ones."""

WAY = "fullwidth"


class Bot:
    def play(self, observation):
        text = observation.hand[0].text
        return [{
            "fullwidth": "".join(chr(ord(letter) + 0xFEE0) for letter in text),
            "cyrillic": text[0] + {"C": "\u0421", "D": "D\u200b", "H": "\u041d", "S": "\u0405"}[text[1]],
            "combining": text + "\u0301",
            "surrogate": text[0] + "\ud800",
            "nul": text + "\0",
            "right to left": "\u202e" + text[::-1],
            "line": text + "\u2028",
            "paragraph": "\u2029" + text,
            "next line": text + "\x85",
            "long": text * 5_000,
        }[WAY]]  # fmt: skip

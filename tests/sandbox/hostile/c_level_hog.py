"""Stays inside one call of C that never comes back, where no Python code can be interrupted."""

WAY = "pow"


class Bot:
    def play(self, observation):
        if WAY == "pow":
            return [str(7 ** (10**9))]
        if WAY == "sum":
            return [str(sum(range(10**12)))]
        import re

        return [str(re.match(r"(a+)+$", "a" * 64 + "b"))]

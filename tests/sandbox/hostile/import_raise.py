"""Fails at import, deep in its own code, with a message made to confuse."""


def load_weights():
    raise ValueError("no weights\x1b[31m <script>alert(1)</script>\nsecond line " + "x" * 100_000)


load_weights()

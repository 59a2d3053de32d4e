"""Wants helpers, as programs do that use all cores."""

import multiprocessing

from attempts import Honest, attempt


class Bot(Honest):
    def __init__(self):
        for method in ("fork", "spawn", "forkserver"):
            context = multiprocessing.get_context(method)
            attempt(f"process by {method}", context.Process(target=print).start)
            attempt(f"queue by {method}", context.Queue)
            attempt(f"pool by {method}", lambda context=context: context.Pool(2))

"""Dies by a signal of its own, which must not look like an orderly end."""

import os
import signal

WAY = "abort"


class Bot:
    def play(self, observation):
        if WAY == "abort":
            os.abort()
        if WAY == "killed":
            try:
                os.kill(os.getpid(), signal.SIGKILL)
            except PermissionError:
                os._exit(137)
        os.kill(os.getpid(), WAY if isinstance(WAY, int) else getattr(signal, WAY))
        return []

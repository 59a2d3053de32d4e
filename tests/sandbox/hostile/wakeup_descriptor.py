"""Has the interpreter itself write to the match's pipe, whenever a signal comes."""

import faulthandler
import os
import signal

from attempts import attempt


class Bot:
    def play(self, observation):
        attempt("dump later", lambda: faulthandler.dump_traceback_later(0.01, file=4))
        os.set_blocking(4, False)
        signal.signal(signal.SIGUSR1, lambda *_: None)
        signal.set_wakeup_fd(4, warn_on_full_buffer=False)
        for _ in range(100):
            os.kill(os.getpid(), signal.SIGUSR1)
        return []

"""`python -m arena.cli`: the command `arena` where no script is installed."""

import sys

from arena.cli import main

sys.exit(main())

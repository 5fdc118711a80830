"""``python -m houjuu`` is the command ``houjuu``."""

import sys

from houjuu.cli import main

if __name__ == "__main__":
    sys.exit(main())

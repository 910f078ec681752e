"""``python -m turnproof``: the command, with the same arguments and exit code."""

import subprocess
import sys

from turnproof._program import program

if __name__ == "__main__":
    sys.exit(subprocess.call([program(), *sys.argv[1:]]))

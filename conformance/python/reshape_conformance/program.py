"""The program that this package brings: where it is, and its console script."""

import os
import pathlib
import shutil
import sys

NOT_STARTED = 3
_OWN = pathlib.Path(__file__).parent / "bin" / "reshape-conformance"


def path():
    """Of the program in this package, else of the one that the path of commands has; None: there is none."""
    return str(_OWN) if _OWN.is_file() else shutil.which("reshape-conformance")


def environment():
    """A function of `python:` is then run by this Python, which has what it imports."""
    return {**os.environ, "RESHAPE_PYTHON": os.environ.get("RESHAPE_PYTHON") or sys.executable}


def main():
    try:
        # In place of this process, so that signals and exit codes are the program's.
        os.execve(_OWN, ["reshape-conformance", *sys.argv[1:]], environment())
    except OSError as why:
        print(f"reshape-conformance: {_OWN} cannot be run: {why.strerror}", file=sys.stderr)
        return NOT_STARTED

"""The program that this package brings: where it is, and its console script."""

import os
import pathlib
import shutil
import sys

NOT_STARTED = 3


def path():
    """Of the program in this package, else of the one that the path of commands has; None: there is none."""
    own = pathlib.Path(__file__).parent / "bin" / "reshape-conformance"
    return str(own) if own.is_file() else shutil.which("reshape-conformance")


def environment():
    """A function of `python:` is then run by this Python, which has what it imports."""
    return {**os.environ, "RESHAPE_PYTHON": os.environ.get("RESHAPE_PYTHON") or sys.executable}


def main():
    own = pathlib.Path(__file__).parent / "bin" / "reshape-conformance"
    try:
        # In place of this process, so that signals and exit codes are the program's.
        os.execve(own, ["reshape-conformance", *sys.argv[1:]], environment())
    except OSError as why:
        print(f"reshape-conformance: {own} cannot be run: {why.strerror}", file=sys.stderr)
        return NOT_STARTED

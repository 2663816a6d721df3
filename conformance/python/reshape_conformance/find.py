"""Finds the function that a target names: module:function, or path/to/file.py:function."""

import importlib
import importlib.util
import os
import pathlib
import sys

from .declaration import declaration_of


class NotFound(Exception):
    """One sentence that says why there is nothing to be asked."""


def _load_file(path):
    file = pathlib.Path(path)
    if not file.is_file():
        raise NotFound(f"there is no file {path}")
    # As if it had been started: what lies beside it can be imported.
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def _load_module(name):
    sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        # A module that is there and misses another one has a sentence of its own.
        if missing.name and (name == missing.name or name.startswith(missing.name + ".")):
            raise NotFound(f"there is no module {name!r}, neither here nor on Python's path") from None
        raise


def _load(place):
    try:
        return _load_file(place) if place.endswith(".py") or os.sep in place else _load_module(place)
    except NotFound:
        raise
    except (Exception, SystemExit) as why:
        raise NotFound(f"{place} cannot be imported: {type(why).__name__}: {why}") from why


def find(target):
    """The function, which is decorated. Raises NotFound."""
    place, _, name = target.rpartition(":")
    if not place or not name:
        raise NotFound(f"{target!r} is not module:function, and not file.py:function")
    function = _load(place)
    for part in name.split("."):
        if not hasattr(function, part):
            raise NotFound(f"{place} has no {name!r}")
        function = getattr(function, part)
    if declaration_of(function) is None:
        raise NotFound(f"{target} is not decorated with @reshape_conformance.implementation(...)")
    return function

"""What the author of a Reshape says of it, by a decorator."""

import dataclasses
import inspect

from .child import BITS

PATTERN_TYPES = ("i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8")
# What NumPy raises where it refuses a shape.
REFUSALS = (ValueError, TypeError, OverflowError)
_MAY_BE_TAKEN = ("data", "pattern", "special_zero", "request")
_ATTRIBUTE = "__reshape_conformance__"


@dataclasses.dataclass(frozen=True)
class Declaration:
    name: str
    version: str
    dialects: tuple
    element_types: tuple
    pattern_types: tuple
    refusals: tuple
    max_rank: int
    max_bytes: int
    takes: tuple  # of data, pattern, special_zero and request: what the function is called with


def _words(value, what):
    words = tuple(value.replace(",", " ").split()) if isinstance(value, str) else tuple(value)
    if not words or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{what} are names, in a list or parted by blanks, and not {value!r}")
    return words


def _types(value, what, known):
    types = _words(value, what)
    for type_ in types:
        if type_ not in known:
            raise ValueError(f"{what} know no {type_!r}, only {' '.join(known)}")
    return types


def _taken(function):
    parameters = inspect.signature(function).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return _MAY_BE_TAKEN
    # What has a default and is none of ours is the function's own business.
    names = tuple(one.name for one in parameters
                  if one.name in _MAY_BE_TAKEN or one.default is one.empty)
    for name in names:
        if name not in _MAY_BE_TAKEN:
            raise ValueError(f"{function.__qualname__} takes {name!r}, and is called with "
                             f"{', '.join(_MAY_BE_TAKEN)} by name, as many of them as it takes")
    return names


def implementation(*, dialects, element_types, pattern_types=PATTERN_TYPES, name=None, version="0",
                   refusals=REFUSALS, max_rank=0, max_bytes=1 << 24):
    """Declares a function to be a Reshape. It is called by name with as many of these as it takes: `data`, a
    NumPy array; `pattern`, a NumPy array of the pattern's type and shape; `special_zero`: True where a 0 of
    the pattern copies, None where there is no flag; and `request`, a Request with all of it. It returns the
    output, or raises one of `refusals` where the document refuses; any other exception is a failure.

    Element types that NumPy has not come as the unsigned integers of their bits, 4-bit ones with a byte each.
    """
    words = _words(dialects, "dialects")
    types = _types(element_types, "element_types", tuple(BITS))
    of_patterns = _types(pattern_types, "pattern_types", PATTERN_TYPES)
    classes = refusals if isinstance(refusals, (tuple, list)) else (refusals,)
    for one in classes:
        if not (isinstance(one, type) and issubclass(one, Exception)):
            raise ValueError(f"refusals are classes of exceptions, and {one!r} is none")

    def declare(function):
        declared = Declaration(name or function.__name__, str(version), words, types, of_patterns,
                               tuple(classes), max_rank, max_bytes, _taken(function))
        setattr(function, _ATTRIBUTE, declared)
        return function

    return declare


def declaration_of(function):
    """What implementation() was told of it, or None."""
    return getattr(function, _ATTRIBUTE, None)

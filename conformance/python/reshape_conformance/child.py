"""The child's side of CHILD_PROTOCOL.md, for implementations that are reached from Python.

    serve(reshape, name="mine", version="1.0", dialects=["numpy-reshape"], element_types=["f32"])

`reshape` is called with a Request and returns the output's shape and its data as bytes. Needs nothing but
the standard library.
"""

import base64
import json
import math
import os
import sys

BITS = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16, "f8e4m3": 8, "f8e5m2": 8, "boolean": 8,
        "i64": 64, "i32": 32, "i16": 16, "i8": 8, "i4": 4,
        "u64": 64, "u32": 32, "u16": 16, "u8": 8, "u4": 4}


class Rejected(Exception):
    """The document refuses this request."""


class Unsupported(Exception):
    """This request lies outside of what serve() was told."""


class Request:
    """One question. `data` is None where the shape alone is asked, else the elements in row-major order:
    4-bit elements two in a byte, the earlier one in the low half."""

    def __init__(self, question):
        self.line = question["request"]
        self.dialect = question["dialect"]
        self.type = question["type"]
        self.shape = question["shape"]
        self.pattern_type = question["pattern_type"]
        self.pattern = question["pattern"]
        self.pattern_shape = question["pattern_shape"]
        self.special_zero = question["special_zero"]
        data = question.get("data")
        self.data = None if data is None else base64.b64decode(data)

    @property
    def volume(self):
        return math.prod(self.shape)

    def elements(self):
        """The data with a byte for each 4-bit element; of other types as it is."""
        if BITS[self.type] != 4:
            return self.data
        halves = bytearray()
        for byte in self.data:
            halves += bytes((byte & 15, byte >> 4))
        return bytes(halves[: self.volume])

    def pack(self, elements):
        """What elements() took apart, put together again. The upper half of a byte counts for nothing: there a
        signed element repeats its sign."""
        if BITS[self.type] != 4:
            return elements
        even = bytes(elements) + b"\0" * (len(elements) % 2)
        return bytes(low & 15 | (high & 15) << 4 for low, high in zip(even[::2], even[1::2]))


def take_standard_output():
    """The stream that answers go to. From here on whatever else this process prints, by a library's C code
    as well, goes to standard error, so that it cannot come between the answers."""
    sys.stdout.flush()
    answers_to = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers_to


# Of a message, in characters: longer ones are cut by the reader, and a line may be longer than it takes.
_LONGEST = 4096


def _told(text):
    """A text as JSON of UTF-8 can hold it: half of a surrogate pair is escaped, as Python shows it. The name
    of a file that is no UTF-8 has such halves."""
    text = str(text)
    cut = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
    return cut.encode("utf-8", "backslashreplace").decode("utf-8")


def _answer(reshape, request):
    try:
        shape, data = reshape(request)
    except Rejected as refusal:
        return {"rejected": {"message": _told(refusal)}}
    except Unsupported as refusal:
        return {"unsupported": {"message": _told(refusal)}}
    produced = {"shape": [int(size) for size in shape]}
    if request.data is not None:
        produced["data"] = base64.b64encode(data).decode("ascii")
    return {"produced": produced}


def serve(reshape, *, name, version, dialects, element_types, pattern_types=("i64",), max_rank=0,
          max_bytes=0, answers=("shapes", "data"), answers_to=None):
    """Answers until the input ends. `answers_to` is what take_standard_output() gave to a caller that had
    reason to call it before."""
    if answers_to is None:
        answers_to = take_standard_output()

    def say(words):
        answers_to.write(json.dumps(words, separators=(",", ":")) + "\n")
        answers_to.flush()

    say({"protocol": 1, "name": name, "version": str(version), "dialects": list(dialects),
         "element_types": list(element_types), "pattern_types": list(pattern_types),
         "max_rank": max_rank, "max_bytes": max_bytes, "answers": list(answers)})
    for line in sys.stdin.buffer:
        question = json.loads(line)
        say({"id": question["id"], **_answer(reshape, Request(question))})

"""numpy.reshape in plain Python behind the SDK, right or wrong in the one way that its argument names."""

import os
import sys
import time

from reshape_conformance.child import Rejected, Unsupported, serve

WRONG = sys.argv[1] if len(sys.argv) > 1 else ""
NARROW = WRONG.startswith("narrow")  # in few types, which is not wrong by itself
TYPES = ["i8"] if NARROW else ["f32", "u8", "boolean"]
PATTERN_TYPE = "i32" if NARROW else "i64"


def product(sizes):
    count = 1
    for size in sizes:
        count *= size
    return count


def shape_of(request):
    known = product(value for value in request.pattern if value != -1)
    if request.pattern.count(-1) > 1 or any(value < -1 for value in request.pattern):
        raise Rejected("only one size can be inferred")
    if -1 in request.pattern and (known == 0 or request.volume % known != 0):
        raise Rejected("nothing can be inferred")
    shape = [request.volume // known if value == -1 else value for value in request.pattern]
    if max(shape, default=0) >= 1 << 63:
        raise Rejected("no size is that large")
    if product(shape) != request.volume and WRONG != "accepts-all":
        if WRONG == "not-today":
            raise Unsupported("the volume differs")
        raise Rejected("the volume differs")
    return shape


def reshape(request):
    if WRONG == "crashes":
        os.abort()
    if WRONG == "hangs":
        time.sleep(600)
    if WRONG == "prints":
        print("Reshaping", request.line)
    if WRONG == "no-u8" and request.type == "u8":
        raise Unsupported("bytes are not done yet")
    if request.pattern_type != PATTERN_TYPE:
        raise Rejected("sizes are integers")
    shape = shape_of(request)
    if WRONG in ("one-more", "narrow-one-more") and len(shape) > 1:
        shape = [*shape[:-1], shape[-1] + 1]
    data = request.data
    if WRONG in ("backwards", f"{request.type}-backwards") and data is not None:
        data = data[::-1]
    return shape, data


serve(reshape, name="plain", version="1", dialects=["numpy-reshape"],
      answers=["data"] if WRONG == "data-only" else ["shapes", "data"],
      pattern_types=[PATTERN_TYPE],
      element_types=[*TYPES, *(["bf16"] if WRONG == "bf16-backwards" else [])])

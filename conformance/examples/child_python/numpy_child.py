"""The smallest conforming child: numpy.reshape, asked as the document numpy-reshape says.

    reshape-conformance run -i 'child:python3 numpy_child.py'
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))  # not needed with the wheel

import numpy
from reshape_conformance.child import BITS, Rejected, serve

# Reshape moves elements and reads none, so that any type of their width will do.
WORDS = {4: numpy.uint8, 8: numpy.uint8, 16: numpy.uint16, 32: numpy.uint32, 64: numpy.uint64}
RANKS = 64 if int(numpy.__version__.split(".")[0]) > 1 else 32
INTEGERS = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]


def reshape(request):
    if request.pattern_type not in INTEGERS:
        raise Rejected(f"the sizes are {request.pattern_type} and no integers")
    data = numpy.frombuffer(request.elements(), WORDS[BITS[request.type]]).reshape(request.shape)
    try:
        output = numpy.reshape(data, request.pattern)
    except (ValueError, TypeError, OverflowError) as why:
        raise Rejected(str(why)) from why
    return output.shape, request.pack(output.tobytes())


serve(reshape, name="numpy", version=numpy.__version__, dialects=["numpy-reshape"],
      element_types=["f64", "f32", "f16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "boolean"],
      pattern_types=INTEGERS, max_rank=RANKS, max_bytes=1 << 24, answers=["data"])

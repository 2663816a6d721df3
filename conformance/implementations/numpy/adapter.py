"""numpy.reshape as it is: the example's child with nothing refused but by NumPy itself.

    adapter.py [BYTES]     the most that the data may take; without it all that can be said
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import numpy
from reshape_conformance.arrays import MOST_DIMENSIONS
from reshape_conformance.arrays import NUMPY as TYPES
from reshape_conformance.child import Rejected, Unsupported, serve


def reshape(request):
    type_ = TYPES[request.type]
    if request.pattern_type not in TYPES:
        raise Rejected(f"NumPy has no type {request.pattern_type}")
    try:
        if request.data is None:
            # All elements in one place: as large as can be said, and it takes no memory.
            data = numpy.broadcast_to(numpy.zeros((), type_), request.shape)
        else:
            data = numpy.frombuffer(request.data, type_).reshape(request.shape)
    except (ValueError, MemoryError) as why:
        raise Unsupported(f"the data cannot be made: {why}") from why
    pattern = numpy.array(request.pattern, TYPES[request.pattern_type])
    try:
        output = numpy.reshape(data, pattern.reshape(request.pattern_shape))
    except (ValueError, TypeError, OverflowError, MemoryError) as why:
        raise Rejected(str(why)) from why
    return output.shape, None if request.data is None else output.tobytes()


serve(reshape, name="numpy", version=numpy.__version__, dialects=["numpy-reshape"],
      element_types=TYPES, max_rank=MOST_DIMENSIONS, max_bytes=int(sys.argv[1]) if len(sys.argv) > 1 else 2**62,
      pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"])

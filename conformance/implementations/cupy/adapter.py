"""cupy.reshape on a GPU: of dense data, and of data whose axes lie in the reverse order.

    adapter.py dense | strided
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import cupy
import numpy
from reshape_conformance.arrays import NUMPY as TYPES
from reshape_conformance.child import Rejected, Unsupported, serve

REFUSALS = (ValueError, TypeError, OverflowError, MemoryError, ZeroDivisionError, IndexError)
ORDER = {"dense": "C", "strided": "F"}[sys.argv[1]]


def reshape(request):
    type_ = TYPES[request.type]
    if request.pattern_type not in TYPES:
        raise Rejected(f"NumPy has no type {request.pattern_type}")
    try:
        # Shaped and ordered by NumPy, so that nothing here is made by what is under test.
        data = numpy.frombuffer(request.data, type_).reshape(request.shape)
        data = cupy.asarray(numpy.array(data, order=ORDER), order=ORDER)
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {why}") from why
    pattern = numpy.array(request.pattern, TYPES[request.pattern_type]).reshape(request.pattern_shape)
    try:
        output = cupy.reshape(data, pattern.tolist())
    except REFUSALS as why:
        raise Rejected(str(why) or type(why).__name__) from why
    try:
        return output.shape, cupy.asnumpy(output, order="C").tobytes()
    except ValueError:
        # A shape that NumPy has no array of, which is told whatever lies behind it.
        return output.shape, b""


serve(reshape, name=f"cupy {sys.argv[1]}", version=cupy.__version__, dialects=["numpy-reshape"],
      element_types=TYPES, max_rank=32, max_bytes=2**30, answers=["data"],
      pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"])

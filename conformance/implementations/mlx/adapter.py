"""mlx.core.reshape on the CPU: of dense data, of data whose axes lie in the reverse order, or compiled together with the
transposition of what it reads.

    adapter.py eager | strided | compiled
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import mlx.core as mx
import numpy
from reshape_conformance.child import Rejected, Unsupported, serve

TYPES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32",
         "i16": "int16", "i8": "int8", "u64": "uint64", "u32": "uint32", "u16": "uint16", "u8": "uint8",
         "boolean": "bool_"}
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
REFUSALS = (ValueError, TypeError, OverflowError, IndexError, RuntimeError)
WAY = sys.argv[1]
mx.set_default_device(mx.cpu)


def first_line(why):
    return next(iter(str(why).splitlines()), type(why).__name__)


def pattern_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    return [kind(value) for value in request.pattern]


def strides_of(shape, first_is_innermost):
    """Elements from one entry of an axis to the next."""
    strides, stride = [0] * len(shape), 1
    for axis in range(len(shape)) if first_is_innermost else reversed(range(len(shape))):
        strides[axis], stride = stride, stride * max(shape[axis], 1)
    return strides


def data_of(request):
    """Made of one row of bytes, so that neither its shape nor its strides come from what is under test."""
    type_ = getattr(mx, TYPES[request.type])
    try:
        if not request.data:
            return mx.zeros(request.shape, type_)
        row = numpy.frombuffer(request.data, numpy.uint8)
        if WAY != "eager":
            whole = row.view(f"uint{8 * len(row) // request.volume}").reshape(request.shape)
            row = numpy.ascontiguousarray(whole.T).reshape(-1).view(numpy.uint8)
        return mx.as_strided(mx.array(row).view(type_), request.shape, strides_of(request.shape, WAY != "eager"))
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {first_line(why)}") from why


def run(request):
    data, pattern = data_of(request), pattern_of(request)
    try:
        if WAY == "compiled":
            # The transposition lies inside of what is compiled.
            axes = list(reversed(range(len(request.shape))))
            given = mx.contiguous(mx.transpose(data, axes))
            output = mx.compile(lambda reverse: mx.reshape(mx.transpose(reverse, axes), pattern))(given)
        else:
            output = mx.reshape(data, pattern)
        mx.eval(output)
    except REFUSALS as why:
        raise Rejected(first_line(why)) from why
    shape = output.shape
    if math.prod(shape) != request.volume or min(shape, default=0) < 0:
        return shape, b""  # what names memory that it does not have is not read
    if request.volume == 0:
        return shape, b""
    row = mx.as_strided(mx.contiguous(output), [request.volume], [1])
    return shape, bytes(memoryview(row.view(mx.uint8)))


serve(run, name=f"mlx {WAY}", version=mx.__version__, dialects=["numpy-reshape"], element_types=TYPES,
      pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"], answers=["data"],
      # NumPy, which reverses the axes, has 64 dimensions.
      max_rank=0 if WAY == "eager" else 64, max_bytes=2**31 - 1)

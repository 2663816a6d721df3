"""MindSpore's ops.reshape on the CPU, run at once: of dense data, or of axes that lie in the reverse order.

    adapter.py dense | strided
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import mindspore
import numpy
from mindspore import Tensor, ops
from reshape_conformance.child import Rejected, Unsupported, serve

# As NumPy holds them, which is how they come in and go out.
TYPES = {"f64": numpy.float64, "f32": numpy.float32, "f16": numpy.float16, "i64": numpy.int64, "i32": numpy.int32,
         "i16": numpy.int16, "i8": numpy.int8, "u64": numpy.uint64, "u32": numpy.uint32, "u16": numpy.uint16,
         "u8": numpy.uint8, "boolean": numpy.bool_}
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
REFUSALS = (ValueError, TypeError, RuntimeError, OverflowError, SystemError)
WAY = sys.argv[1]
mindspore.set_device("CPU")
# Else an error comes with a later call.
mindspore.runtime.launch_blocking()


def first_line(why):
    return next(iter(str(why).splitlines()), type(why).__name__)


def pattern_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    return tuple(kind(value) for value in request.pattern)


def data_of(request):
    array = numpy.frombuffer(request.data, TYPES[request.type]).reshape(request.shape)
    try:
        if WAY == "dense":
            return Tensor(array.copy())
        axes = tuple(reversed(range(array.ndim)))
        return ops.transpose(Tensor(numpy.ascontiguousarray(array.T)), axes) if array.ndim else Tensor(array.copy())
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {first_line(why)}") from why


def run(request):
    data, pattern = data_of(request), pattern_of(request)
    try:
        output = ops.reshape(data, pattern)
        shape = output.shape
        # What has another volume than its data is not read.
        elements = output.asnumpy().tobytes() if numpy.prod(shape, dtype=object) == request.volume > 0 else b""
    except REFUSALS as why:
        raise Rejected(first_line(why)) from why
    return shape, elements


serve(run, name=f"mindspore {WAY}", version=mindspore.__version__, dialects=["pytorch-reshape"], element_types=TYPES,
      pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"], answers=["data"],
      # NumPy 1, by which data goes in and comes out, has 32 dimensions.
      max_rank=32, max_bytes=2**24)

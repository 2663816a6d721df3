"""tinygrad's Tensor.reshape: the shape that it says, with nothing computed, or the elements that a kernel writes.

    adapter.py traced | strided

The environment's DEV names the device and what makes its code. What is strided has its axes in the reverse order, so
that a kernel has to copy.
"""

import importlib.metadata
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import numpy
from reshape_conformance.child import Rejected, serve
from tinygrad import Tensor, dtypes
from tinygrad.device import Buffer

TYPES = {"f64": dtypes.float64, "f32": dtypes.float32, "f16": dtypes.float16, "bf16": dtypes.bfloat16,
         "f8e4m3": dtypes.fp8e4m3, "f8e5m2": dtypes.fp8e5m2, "i64": dtypes.int64, "i32": dtypes.int32,
         "i16": dtypes.int16, "i8": dtypes.int8, "u64": dtypes.uint64, "u32": dtypes.uint32, "u16": dtypes.uint16,
         "u8": dtypes.uint8, "boolean": dtypes.bool}
DEVICE = os.environ.get("DEV", "")
if DEVICE == "CPU:CLANG":
    del TYPES["bf16"]  # clang 19 ends, or takes minutes, on copies of it for processors with AVX-512
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
REFUSALS = (ValueError, RuntimeError, ZeroDivisionError)


def pattern_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    return tuple(kind(value) for value in request.pattern)


def reshape(data, request):
    try:
        return data.reshape(pattern_of(request))
    except REFUSALS as why:
        raise Rejected(next(iter(str(why).splitlines()), type(why).__name__)) from why


def trace(request):
    return reshape(Tensor.empty(*request.shape, dtype=TYPES[request.type]), request).shape, None


def data_of(request):
    """Made by a copy into the buffer of what has no elements yet, so that no reshape takes part."""
    type_ = TYPES[request.type]
    axes = tuple(reversed(range(len(request.shape))))
    data = Tensor.empty(*reversed(request.shape), dtype=type_)
    if request.data:
        words = numpy.frombuffer(request.data, f"u{type_.itemsize}").reshape(request.shape)
        buffer = data.realize().uop.base.buffer.ensure_allocated()
        buffer.copy_from(Buffer("PYTHON", buffer.size, type_, opaque=memoryview(bytearray(words.T.tobytes()))))
    return data.permute(axes)


def run(request):
    output = reshape(data_of(request), request)
    shape = output.shape
    if request.volume == 0 or not request.data:
        return shape, b""
    return shape, bytes(output._data())


way, answers = {"traced": (trace, "shapes"), "strided": (run, "data")}[sys.argv[1]]
serve(way, name=f"tinygrad {sys.argv[1]} {DEVICE}".strip(),
      version=importlib.metadata.version("tinygrad"), dialects=["pytorch-reshape"],
      element_types=TYPES, pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"], answers=[answers],
      # NumPy, which reverses the axes, has 64 dimensions.
      max_rank=64 if way is run else 0,
      # The device PYTHON is an interpreter.
      max_bytes=0 if way is trace else 2**12 if DEVICE == "PYTHON" else 2**24)

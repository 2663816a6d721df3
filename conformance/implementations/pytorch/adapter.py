"""torch.reshape, of dense data, of data whose axes lie in the reverse order, compiled (of such data), or of the meta
device, which has shapes and no elements.

    adapter.py dense | strided | compiled DEVICE
    adapter.py meta
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch
from reshape_conformance.child import Rejected, Unsupported, serve

NAMES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f8e4m3": "float8_e4m3fn",
         "f8e5m2": "float8_e5m2", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8",
         "u64": "uint64", "u32": "uint32", "u16": "uint16", "u8": "uint8", "boolean": "bool"}
# Some came with a version of torch.
TYPES = {name: getattr(torch, its) for name, its in NAMES.items() if hasattr(torch, its)}
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
REFUSALS = (RuntimeError, TypeError, ValueError, OverflowError)
WAY = sys.argv[1]
DEVICE = "meta" if WAY == "meta" else sys.argv[2]


def first_line(why):
    return next(iter(str(why).splitlines()), type(why).__name__)


def pattern_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    values = [kind(value) for value in request.pattern]
    return values if len(request.pattern_shape) == 1 else values[0] if not request.pattern_shape else [values]


def strides_of(shape, first_is_innermost):
    """Elements from one entry of an axis to the next."""
    strides, stride = [0] * len(shape), 1
    for axis in range(len(shape)) if first_is_innermost else reversed(range(len(shape))):
        strides[axis], stride = stride, stride * max(shape[axis], 1)
    return strides


def row_of_bytes(request):
    """The data's bytes as they lie. The bytes of an element stay together."""
    row = torch.frombuffer(bytearray(request.data), dtype=torch.uint8)
    if WAY == "dense":
        return row
    width = len(request.data) // request.volume
    dense, reverse = strides_of(request.shape, False), strides_of(request.shape, True)
    moved = torch.empty_like(row)
    moved.as_strided([*request.shape, width], [*(stride * width for stride in reverse), 1]).copy_(
        row.as_strided([*request.shape, width], [*(stride * width for stride in dense), 1]))
    return moved


def data_of(request):
    """Moved to the device as one row of bytes, so that neither its shape nor its strides come from what is under
    test."""
    type_ = TYPES[request.type]
    try:
        if not request.data:
            return torch.empty(request.shape, dtype=type_, device=DEVICE)
        row = row_of_bytes(request).to(DEVICE).view(type_)
        return row.as_strided(request.shape, strides_of(request.shape, WAY != "dense"))
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {first_line(why)}") from why


def reshape(data, pattern):
    return torch.reshape(data, pattern)


def run(request):
    data, way = data_of(request), reshape
    if WAY == "compiled":
        torch.compiler.reset()  # of what was compiled for the last request
        way = torch.compile(reshape, fullgraph=True, dynamic=True)
    try:
        output = way(data, pattern_of(request))
        if DEVICE == "cuda":
            torch.cuda.synchronize()
    except REFUSALS as why:
        raise Rejected(first_line(why)) from why
    if WAY == "meta":
        return output.shape, None
    return output.shape, output.contiguous().flatten().view(torch.uint8).cpu().numpy().tobytes()


serve(run, name=f"torch {DEVICE}" + ("" if WAY == "meta" else f" {WAY}"), version=torch.__version__,
      dialects=["pytorch-reshape"], element_types=TYPES,
      pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"],
      # More than this it has no storage for, not on the meta device either.
      answers=["shapes" if WAY == "meta" else "data"], max_bytes=2**63 - 1)

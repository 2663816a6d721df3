"""torch.reshape of tensors that are there, or of the meta device, which has shapes and no elements.

    adapter.py eager | meta
"""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import torch
from reshape_conformance.child import Rejected, Unsupported, serve

TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
         "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8,
         "u8": torch.uint8, "boolean": torch.bool}
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
REFUSALS = (RuntimeError, TypeError, ValueError, OverflowError)


def pattern_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    values = [kind(value) for value in request.pattern]
    return values if len(request.pattern_shape) == 1 else values[0] if not request.pattern_shape else [values]


def reshape(data, request):
    try:
        return torch.reshape(data, pattern_of(request))
    except REFUSALS as why:
        raise Rejected(str(why).splitlines()[0]) from why


def infer(request):
    try:
        data = torch.empty(request.shape, dtype=TYPES[request.type], device="meta")
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {why}".splitlines()[0]) from why
    return reshape(data, request).shape, None


def run(request):
    type_ = TYPES[request.type]
    if request.data:
        # Not shaped by what is under test.
        data = torch.empty(request.shape, dtype=type_)
        ctypes.memmove(data.data_ptr(), request.data, len(request.data))
    else:
        try:
            data = torch.empty(request.shape, dtype=type_)
        except REFUSALS as why:
            raise Unsupported(f"the data cannot be made: {why}".splitlines()[0]) from why
    output = reshape(data, request)
    dense = output.contiguous()
    count = dense.numel() * dense.element_size()
    return output.shape, ctypes.string_at(dense.data_ptr(), count) if count else b""


way, answers = {"eager": (run, "data"), "meta": (infer, "shapes")}[sys.argv[1]]
serve(way, name=f"torch {sys.argv[1]}", version=torch.__version__, dialects=["pytorch-reshape"],
      element_types=TYPES, pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"],
      # More than this it has no storage for, not on the meta device either.
      answers=[answers], max_bytes=2**63 - 1)

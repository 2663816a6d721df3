"""torch.reshape on a GPU: of dense data, of data whose axes lie in the reverse order, and compiled.

    adapter.py dense | strided | compiled [DEVICE]     cuda, where no other is named
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import torch
from reshape_conformance.child import Rejected, Unsupported, serve

NAMES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f8e4m3": "float8_e4m3fn",
         "f8e5m2": "float8_e5m2", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8",
         "u64": "uint64", "u32": "uint32", "u16": "uint16", "u8": "uint8", "boolean": "bool"}
# Some came with a version of torch.
TYPES = {name: getattr(torch, its) for name, its in NAMES.items() if hasattr(torch, its)}
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
REFUSALS = (RuntimeError, TypeError, ValueError, OverflowError)
WAY, DEVICE = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cuda"


def pattern_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    values = [kind(value) for value in request.pattern]
    return values if len(request.pattern_shape) == 1 else values[0] if not request.pattern_shape else [values]


def steps_of(shape, from_the_first):
    """Elements from one entry of an axis to the next; the first axis is the innermost one, or the last."""
    steps, step = [0] * len(shape), 1
    for axis in range(len(shape)) if from_the_first else reversed(range(len(shape))):
        steps[axis], step = step, step * max(shape[axis], 1)
    return steps


def on_device(request):
    """The data, moved as bytes into one row: neither its shape nor its strides are made by what is under test."""
    type_, reverse = TYPES[request.type], WAY != "dense"
    dense = steps_of(request.shape, False)
    steps = steps_of(request.shape, reverse)
    try:
        elements = torch.frombuffer(bytearray(request.data), dtype=torch.uint8) if request.data else None
        width = torch.empty((), dtype=type_).element_size()
        if elements is not None and reverse:
            rows = elements.as_strided([*request.shape, width], [*(step * width for step in dense), 1])
            row = torch.empty(len(request.data), dtype=torch.uint8)
            row.as_strided([*request.shape, width], [*(step * width for step in steps), 1]).copy_(rows)
            elements = row
        row = torch.empty(0, dtype=type_, device=DEVICE) if elements is None else elements.to(DEVICE).view(type_)
        return row.as_strided(request.shape, steps)
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {why}".splitlines()[0]) from why


def reshape(data, pattern):
    return torch.reshape(data, pattern)


def run(request):
    data, way = on_device(request), reshape
    if WAY == "compiled":
        torch.compiler.reset()  # of what was compiled for the last request
        way = torch.compile(reshape, fullgraph=True, dynamic=True)
    try:
        output = way(data, pattern_of(request))
    except REFUSALS as why:
        raise Rejected(next(iter(str(why).splitlines()), type(why).__name__)) from why
    if DEVICE == "cuda":
        torch.cuda.synchronize()
    shape = list(output.shape)
    return shape, output.contiguous().flatten().view(torch.uint8).cpu().numpy().tobytes()


serve(run, name=f"torch {DEVICE} {WAY}", version=torch.__version__, dialects=["pytorch-reshape"],
      element_types=TYPES, pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"],
      # More than this it has no storage for.
      answers=["data"], max_bytes=2**30, max_rank=64)

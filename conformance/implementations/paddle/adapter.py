"""paddle.reshape: of dense data by a list or by a tensor of sizes, of data whose axes lie in the reverse order, or
what a static graph infers.

    adapter.py list | tensor | strided | inferred
"""

import math
import os
import pathlib
import sys

os.environ.setdefault("GLOG_minloglevel", "3")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

from reshape_conformance.child import Rejected, Unsupported, serve, take_standard_output

ANSWERS_TO = take_standard_output()  # before a line of Paddle's own comes between

import numpy
import paddle

TYPES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f8e4m3": "float8_e4m3fn",
         "f8e5m2": "float8_e5m2", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8",
         "boolean": "bool"}
# As NumPy holds patterns.
PATTERNS = {name: its for name, its in TYPES.items() if name not in ("bf16", "f8e4m3", "f8e5m2")}
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
# The last is what an integer beyond 64 bits is refused with.
REFUSALS = (ValueError, TypeError, OverflowError, AssertionError, IndexError, RuntimeError, OSError, SystemError)
WAY = sys.argv[1]
LIST = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]
# A tensor of sizes has one of two types; a size above 2^63-1, which only u64 holds, ends a process that infers.
WIDTHS = {"list": LIST, "strided": LIST, "tensor": ["i64", "i32"], "inferred": [one for one in LIST if one != "u64"]}


def last_line(why):
    """Of Paddle's several, the one that says what is wrong."""
    lines = [line.strip() for line in str(why).splitlines() if line.strip()]
    return ([line for line in lines if line.startswith("(") or "rror" in line] or lines or [type(why).__name__])[-1]


def list_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    if len(request.pattern_shape) != 1:
        raise Rejected("a list of sizes has one dimension")
    return [kind(value) for value in request.pattern]


def tensor_of(request):
    if request.pattern_type not in PATTERNS:
        raise Rejected(f"no pattern of {request.pattern_type} is made here")
    return paddle.to_tensor(numpy.array(request.pattern, PATTERNS[request.pattern_type])
                            .reshape(request.pattern_shape))


def strides_of(shape, first_is_innermost=False):
    """Elements from one entry of an axis to the next."""
    strides, stride = [0] * len(shape), 1
    for axis in range(len(shape)) if first_is_innermost else reversed(range(len(shape))):
        strides[axis], stride = stride, stride * max(shape[axis], 1)
    return strides


def data_of(request):
    """Made of one row of bytes, so that neither its shape nor its strides come from what is under test."""
    try:
        if not request.data:
            return paddle.empty(request.shape, TYPES[request.type])
        row = numpy.frombuffer(request.data, numpy.uint8)
        if WAY == "strided":
            whole = row.view(f"uint{8 * len(row) // request.volume}").reshape(request.shape)
            row = numpy.ascontiguousarray(whole.T).reshape(-1).view(numpy.uint8)
        row = paddle.to_tensor(row).view(TYPES[request.type])
        return paddle.as_strided(row, request.shape, strides_of(request.shape, WAY == "strided"))
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {last_line(why)}") from why


def run(request):
    data = data_of(request)
    pattern = tensor_of(request) if WAY == "tensor" else list_of(request)
    try:
        output = paddle.reshape(data, pattern)
    except REFUSALS as why:
        raise Rejected(last_line(why)) from why
    # One of another volume names memory that it does not have, and NumPy does not hold all sizes beside a 0.
    readable = request.data and math.prod(output.shape) == request.volume
    return output.shape, output.numpy().tobytes() if readable else b""


def graph(request):
    """A program of one reshape and its output."""
    program = paddle.static.Program()
    with paddle.static.program_guard(program):
        try:
            data = paddle.static.data("data", request.shape, TYPES[request.type])
        except REFUSALS as why:
            raise Unsupported(f"the data cannot be made: {last_line(why)}") from why
        try:
            return program, paddle.reshape(data, list_of(request))
        except REFUSALS as why:
            raise Rejected(last_line(why)) from why


def infer(request):
    program, output = graph(request)  # the program has to outlive its values
    return list(output.shape), None


if WAY == "inferred":
    paddle.enable_static()
    TYPES.pop("f8e5m2")  # of which static.data() makes none
way, answers = (infer, "shapes") if WAY == "inferred" else (run, "data")
serve(way, name=f"paddle {WAY}", version=paddle.__version__, dialects=["paddle-reshape"], element_types=TYPES,
      pattern_types=WIDTHS[WAY], answers=[answers], max_rank=9, max_bytes=2**63 - 1,
      answers_to=ANSWERS_TO)

"""RESHAPE of LiteRT (TensorFlow Lite) on the CPU.

    adapter.py constant | runtime | option     where the pattern stands: see model.py
    adapter.py constant | runtime int64        the pattern is a tensor of int64, as it was asked
"""

import importlib.metadata
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import model
import numpy
from ai_edge_litert import interpreter as litert
from reshape_conformance.child import Rejected, serve

TYPES = {"f64": ("FLOAT64", numpy.float64), "f32": ("FLOAT32", numpy.float32),
         "f16": ("FLOAT16", numpy.float16), "i64": ("INT64", numpy.int64),
         "i32": ("INT32", numpy.int32), "i16": ("INT16", numpy.int16), "i8": ("INT8", numpy.int8),
         "u64": ("UINT64", numpy.uint64), "u32": ("UINT32", numpy.uint32),
         "u16": ("UINT16", numpy.uint16), "u8": ("UINT8", numpy.uint8),
         "boolean": ("BOOL", numpy.bool_)}
way = sys.argv[1]
# A model may hold a pattern of int64, which the interpreter loads. Without it sizes are narrowed where that
# keeps them, as a converter does.
wide = sys.argv[2:] == ["int64"]
PATTERNS = TYPES if wide else {**TYPES, "i64": TYPES["i32"]}


def reshape(request):
    # An option cannot be written otherwise, so that this is what a converter has to answer.
    if way == "option" and (len(request.pattern_shape) != 1 or request.pattern_type not in ("i32", "i64")):
        raise Rejected("an option is a list of 32-bit integers")
    if request.pattern_type not in PATTERNS or request.type not in TYPES:
        raise Rejected("there is no such type in a model")
    if request.pattern_type == "i64" and not wide and any(not -2**31 <= one < 2**31 for one in request.pattern):
        raise Rejected("a size is beyond 32 bits")
    type_, element = TYPES[request.type]
    pattern_type, number = PATTERNS[request.pattern_type]
    data = numpy.frombuffer(request.data, element).reshape(request.shape)
    pattern = numpy.array(request.pattern, number).reshape(request.pattern_shape)
    packed = model.packed(type_, request.shape, pattern, way, pattern_type)
    try:
        one = litert.Interpreter(model_content=packed)
        one.allocate_tensors()
        one.set_tensor(0, data)
        if way == "runtime":
            one.set_tensor(2, pattern)
        one.invoke()
    except (RuntimeError, ValueError, IndexError) as why:
        raise Rejected(str(why) or type(why).__name__) from why
    output = one.get_tensor(1)
    return output.shape, output.tobytes()


serve(reshape, name=f"litert {' '.join(sys.argv[1:])} pattern",
      version=importlib.metadata.version("ai-edge-litert"), dialects=["tensorflow-reshape"],
      element_types=TYPES, pattern_types=["i64"] if wide else ["i32", "i64"],
      answers=["data"], max_rank=64, max_bytes=1 << 24)

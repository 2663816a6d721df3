"""Reshape of the onnx package: its shape inference, or its reference evaluator.

    adapter.py inference | reference
"""

import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import ml_dtypes
import numpy
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from reshape_conformance.child import Rejected, Unsupported, serve

OPSETS = [5, 13, 14, 19, 21, 23, 24, 25]
TYPES = {
    "f64": (TensorProto.DOUBLE, numpy.float64), "f32": (TensorProto.FLOAT, numpy.float32),
    "f16": (TensorProto.FLOAT16, numpy.float16), "bf16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
    "f8e4m3": (TensorProto.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn),
    "f8e5m2": (TensorProto.FLOAT8E5M2, ml_dtypes.float8_e5m2),
    "i64": (TensorProto.INT64, numpy.int64), "i32": (TensorProto.INT32, numpy.int32),
    "i16": (TensorProto.INT16, numpy.int16), "i8": (TensorProto.INT8, numpy.int8),
    "i4": (TensorProto.INT4, ml_dtypes.int4), "u64": (TensorProto.UINT64, numpy.uint64),
    "u32": (TensorProto.UINT32, numpy.uint32), "u16": (TensorProto.UINT16, numpy.uint16),
    "u8": (TensorProto.UINT8, numpy.uint8), "u4": (TensorProto.UINT4, ml_dtypes.uint4),
    "boolean": (TensorProto.BOOL, numpy.bool_),
}


def opset_of(request):
    return int(request.dialect.rsplit("-", 1)[1])


def flag_of(request):
    """The attribute allowzero, in the documents that have it and where the caller gave it."""
    if opset_of(request) < 14 or request.special_zero is None:
        return {}
    return {"allowzero": int(not request.special_zero)}


def pattern_of(request):
    values = numpy.array(request.pattern, TYPES[request.pattern_type][1])
    return values.reshape(request.pattern_shape)


@functools.cache
def base(opset, type_, pattern_type, pattern_rank, flags):
    """A model without sizes, which each request fills in."""
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], **dict(flags))
    data = helper.make_tensor_value_info("data", TYPES[type_][0], None)
    pattern = helper.make_tensor_value_info("pattern", TYPES[pattern_type][0], [None] * pattern_rank)
    output = helper.make_tensor_value_info("output", TYPES[type_][0], None)
    graph = helper.make_graph([node], "one", [data, pattern], [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def form_of(request):
    """What base() is called with."""
    return (opset_of(request), request.type, request.pattern_type, len(request.pattern_shape),
            tuple(flag_of(request).items()))


def infer(request):
    model = onnx.ModelProto()
    model.CopyFrom(base(*form_of(request)))
    model.graph.input[0].CopyFrom(
        helper.make_tensor_value_info("data", TYPES[request.type][0], request.shape))
    model.graph.initializer.append(onnx.numpy_helper.from_array(pattern_of(request), "pattern"))
    try:
        inferred = onnx.shape_inference.infer_shapes(
            model, check_type=True, strict_mode=True, data_prop=True)
    except (onnx.shape_inference.InferenceError, ValueError, RuntimeError) as why:
        raise Rejected(str(why)) from why
    output = inferred.graph.output[0].type.tensor_type
    sizes = output.shape.dim
    if not output.HasField("shape") or any(size.WhichOneof("value") != "dim_value" for size in sizes):
        raise Unsupported("no shape, or one with unknown sizes, was inferred")
    return [size.dim_value for size in sizes], None


@functools.cache
def evaluator(*form):
    return ReferenceEvaluator(base(*form))


def evaluate(request):
    type_ = TYPES[request.type][1]
    data = numpy.frombuffer(request.elements(), type_).reshape(request.shape)
    run = evaluator(*form_of(request))
    try:
        (output,) = run.run(None, {"data": data, "pattern": pattern_of(request)})
    except (ValueError, TypeError, OverflowError, IndexError, RuntimeError) as why:
        raise Rejected(str(why) or type(why).__name__) from why
    return output.shape, request.pack(output.tobytes())


inference = sys.argv[1] == "inference"
serve(infer if inference else evaluate, name=f"onnx {sys.argv[1]}", version=onnx.__version__,
      dialects=[f"onnx-reshape-{opset}" for opset in OPSETS], element_types=TYPES,
      answers=["shapes"] if inference else ["data"], max_rank=0 if inference else 64,
      # More data takes too long by way of Python.
      max_bytes=0 if inference else 1 << 24)

"""Reshape of the onnx package: its shape inference, or its reference evaluator.

    adapter.py inference | reference
"""

import functools
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import numpy
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator
from onnx_request import ARRAYS, DIALECTS, TYPES, flag_of, opset_of
from reshape_conformance.child import Rejected, Unsupported, serve


def pattern_of(request):
    values = numpy.array(request.pattern, ARRAYS[request.pattern_type])
    return values.reshape(request.pattern_shape)


@functools.cache
def base(opset, type_, pattern_type, pattern_rank, flags):
    """A model without sizes, which each request fills in."""
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], **dict(flags))
    data = helper.make_tensor_value_info("data", TYPES[type_], None)
    pattern = helper.make_tensor_value_info("pattern", TYPES[pattern_type], [None] * pattern_rank)
    output = helper.make_tensor_value_info("output", TYPES[type_], None)
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
        helper.make_tensor_value_info("data", TYPES[request.type], request.shape))
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
    type_ = ARRAYS[request.type]
    data = numpy.frombuffer(request.elements(), type_).reshape(request.shape)
    run = evaluator(*form_of(request))
    try:
        (output,) = run.run(None, {"data": data, "pattern": pattern_of(request)})
    except (ValueError, TypeError, OverflowError, IndexError, RuntimeError) as why:
        raise Rejected(str(why) or type(why).__name__) from why
    return output.shape, request.pack(output.tobytes())


inference = sys.argv[1] == "inference"
serve(infer if inference else evaluate, name=f"onnx {sys.argv[1]}", version=onnx.__version__,
      dialects=DIALECTS, element_types=TYPES,
      answers=["shapes"] if inference else ["data"], max_rank=0 if inference else 64,
      # More data takes too long by way of Python.
      max_bytes=0 if inference else 1 << 24)

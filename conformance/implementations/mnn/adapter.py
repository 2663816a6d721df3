"""Reshape of ONNX in MNN, by its converter and the module that it loads, in Python.

    adapter.py constant | runtime     the pattern is an initializer of the model, or an input
"""

import math
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import model
import MNN
import MNN.expr
import numpy
from onnx_request import ARRAYS, DIALECTS, TYPES, flag_of, opset_of
from reshape_conformance.child import Rejected, Unsupported, serve

# What an array of numpy can become; of other types it is asked only whether it refuses them.
VARIABLES = {"f32": MNN.expr.float, "i32": MNN.expr.int, "u8": MNN.expr.uint8}
way = sys.argv[1]


def pattern_of(request):
    """The pattern as an input. MNN has integers of 32 bits, and floats for what is none."""
    if request.pattern_type[0] in "fb" and request.pattern_type != "boolean":
        return MNN.expr.const(numpy.array(request.pattern, numpy.float32), request.pattern_shape,
                              MNN.expr.NCHW, MNN.expr.float)
    if any(not -2**31 <= value < 2**31 for value in request.pattern):
        raise Rejected("sizes of MNN are of 32 bits")
    return MNN.expr.const(numpy.array(request.pattern, numpy.int32), request.pattern_shape, MNN.expr.NCHW,
                          MNN.expr.int)


def reshape(request):
    module = model.loaded(TYPES[request.type], request.shape, request.pattern, way, TYPES[request.pattern_type],
                          request.pattern_shape, opset_of(request), **flag_of(request))
    if module is None:
        raise Rejected("the converter writes no model")
    if request.type not in VARIABLES:
        raise Unsupported("the model is converted, and no data of this type can be given")
    data = numpy.frombuffer(request.data, ARRAYS[request.type]).copy()
    inputs = [MNN.expr.const(data, request.shape, MNN.expr.NCHW, VARIABLES[request.type])]
    if way == "runtime":
        inputs.append(pattern_of(request))
    outputs = module.forward(inputs)
    if not outputs:
        raise Rejected("no output is computed")
    if outputs[0].dtype != VARIABLES[request.type]:
        raise Unsupported(f"the output is of {outputs[0].dtype}")
    sizes = outputs[0].shape
    if not request.volume or math.prod(sizes) != request.volume or min(sizes, default=1) < 0:
        return sizes, b""  # what is not there is not read
    return sizes, outputs[0].read().tobytes()


serve(reshape, name=f"mnn {way} pattern", version=MNN.version(), answers=["data"],
      dialects=DIALECTS, element_types=list(VARIABLES), answers_to=sys.stdout,
      max_rank=9, max_bytes=1 << 24)  # MNN_MAX_TENSOR_DIM; more data takes too long by way of Python

"""Reshape of ONNX in OpenCV's dnn module, by its Python package.

    adapter.py new constant | new runtime     the graph engine of OpenCV 5; the pattern is an initializer, or an input
    adapter.py classic constant               the engine before it, which takes no other pattern
"""

import math
import os
import pathlib
import sys

engine, way = sys.argv[1:3]
# The argument ENGINE_CLASSIC is not heard where the model comes as a buffer.
os.environ["OPENCV_FORCE_DNN_ENGINE"] = {"classic": "1", "new": "2"}[engine]
os.environ["OPENCV_LOG_LEVEL"] = "SILENT"
sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import cv2
import numpy
from onnx import TensorProto, helper
from onnx_request import ARRAYS, DIALECTS, TYPES, flag_of, opset_of
from reshape_conformance.child import Rejected, Unsupported, serve

# What a Mat of Python and the engine's layer hold; of the others it is asked only whether it refuses them. notes.md
DECLARED = {"new": ["f64", "f32", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "boolean"],
            "classic": ["f32", "i32", "i8", "u8", "boolean"]}[engine]


def net(request, asks_sizes):
    """The model; where it is asked for the sizes too, these are a second output."""
    nodes = [helper.make_node("Reshape", ["data", "pattern"], ["output"], **flag_of(request))]
    inputs = [helper.make_tensor_value_info("data", TYPES[request.type], request.shape)]
    names = [f"size {axis}" for axis in range(len(request.pattern))]  # no output without a rank is read
    outputs = [helper.make_tensor_value_info("output", TYPES[request.type], names)]
    initializers = []
    if way == "constant":
        initializers.append(helper.make_tensor("pattern", TYPES[request.pattern_type], request.pattern_shape,
                                               request.pattern))
    else:
        inputs.append(helper.make_tensor_value_info("pattern", TYPES[request.pattern_type],
                                                    request.pattern_shape))
    if asks_sizes:
        nodes.append(helper.make_node("Shape", ["output"], ["sizes"]))
        outputs.append(helper.make_tensor_value_info("sizes", TensorProto.INT64, [len(names)]))
    graph = helper.make_graph(nodes, "one", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset_of(request))], ir_version=10)
    return cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8))


def output_of(request, name):
    data = numpy.frombuffer(request.elements(), ARRAYS[request.type])
    try:
        ready = net(request, name == "sizes")
        ready.setInput(data.reshape(request.shape), "data")
        if way == "runtime":
            type_ = ARRAYS[request.pattern_type]
            ready.setInput(numpy.array(request.pattern, type_).reshape(request.pattern_shape), "pattern")
        return ready.forward(name)
    except cv2.error as why:
        raise Rejected(" ".join(str(why).split())) from why


def reshape(request):
    output = output_of(request, "output")
    if output is None:  # a Mat without elements is nothing in Python
        sizes = output_of(request, "sizes")
        if sizes is None:
            raise Unsupported("neither an output nor its sizes came")
        return sizes.tolist(), b""
    if request.type in DECLARED and output.dtype != ARRAYS[request.type]:
        raise Unsupported(f"the output is of {output.dtype}")
    if math.prod(output.shape) != request.volume:
        return output.shape, b""  # what is not there is not read
    return output.shape, output.tobytes()


serve(reshape, name=f"opencv {engine} {way} pattern", version=cv2.__version__,
      dialects=DIALECTS, answers=["data"], element_types=DECLARED,
      max_rank=9,  # MatShape::MAX_DIMS is 10, and it takes fewer
      max_bytes=1 << 24)  # more takes too long by way of Python

"""Reshape of ONNX Runtime on the CPU, by its Python package.

    adapter.py runtime | constant     the pattern is an input of the model, or an initializer
    adapter.py computed               each value is a constant, a size of the data, or one of another input
"""

import ctypes
import functools
import math
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import computed
import numpy
import onnxruntime
from onnx import TensorProto, helper
from onnx_request import ARRAYS, DIALECTS, TYPES, flag_of, opset_of
from reshape_conformance.child import BITS, Rejected, Unsupported, serve

# Elements of 4 bits have no kernels, and 8-bit floats none in operator set 19: that is asked in the first way.
LEFT_OUT = {"runtime": [], "constant": ["i4", "u4"], "computed": ["i4", "u4", "f8e4m3", "f8e5m2"]}
WORDS = {8: numpy.uint8, 16: numpy.uint16, 32: numpy.uint32, 64: numpy.uint64}
way = sys.argv[1]
onnxruntime.set_default_logger_severity(4)


@functools.lru_cache(4096)
def session(opset, type_, flags, pattern_type, pattern_shape, pattern):
    """`pattern` is None where it is an input, and says of each value where it comes from where it is computed. The
    sizes of the data, and their count, are left open."""
    nodes = [helper.make_node("Reshape", ["data", "pattern"], ["output"], **dict(flags))]
    inputs = [helper.make_tensor_value_info("data", TYPES[type_], None)]
    initializers = []
    if way == "computed":
        nodes[:0], more = computed.pattern(opset, pattern)
        initializers += more
        inputs.append(helper.make_tensor_value_info("other", TensorProto.FLOAT, None))
    elif pattern is None:
        inputs.append(helper.make_tensor_value_info("pattern", TYPES[pattern_type],
                                                    [None] * len(pattern_shape)))
    else:
        initializers.append(helper.make_tensor("pattern", TYPES[pattern_type], pattern_shape, pattern))
    output = helper.make_tensor_value_info("output", TYPES[type_], None)
    graph = helper.make_graph(nodes, "one", inputs, [output], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options,
                                        providers=["CPUExecutionProvider"])


def refusing(call):
    try:
        return call()
    except Exception as why:  # its errors share no class of their own
        if "NOT_IMPLEMENTED" in str(why):
            raise Unsupported(str(why)) from why
        raise Rejected(str(why) or type(why).__name__) from why


def carried(request):
    """The data as the library's own value. 4-bit elements lie as they came: two in a byte, the earlier one low."""
    if BITS[request.type] == 4:
        value = onnxruntime.OrtValue.ortvalue_from_shape_and_type(request.shape, TYPES[request.type])
        if request.data:
            ctypes.memmove(value.data_ptr(), request.data, len(request.data))
        return value
    raw = numpy.frombuffer(request.data, WORDS[BITS[request.type]]).reshape(request.shape)
    return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(raw, TYPES[request.type])


def reshape(request):
    pattern = numpy.array(request.pattern, ARRAYS[request.pattern_type]).reshape(request.pattern_shape)
    form = (opset_of(request), request.type, tuple(flag_of(request).items()), request.pattern_type)
    inputs = {"data": carried(request)}
    if way == "constant":
        run = refusing(lambda: session(*form, pattern.shape, tuple(request.pattern)))
    elif way == "computed":
        if request.pattern_type != "i64" or pattern.ndim != 1:
            raise Rejected("what Concat makes of sizes is a list of int64")
        sources, other = computed.drawn(request.shape, request.pattern)
        run = refusing(lambda: session(*form, pattern.shape, sources))
        inputs["other"] = onnxruntime.OrtValue.ortvalue_from_shape_and_type(other, numpy.float32)
    else:
        run = refusing(lambda: session(*form, (0,) * pattern.ndim, None))
        inputs["pattern"] = onnxruntime.OrtValue.ortvalue_from_numpy(pattern)
    (output,) = refusing(lambda: run.run_with_ort_values(None, inputs))
    shape = output.shape()
    size = (math.prod(shape) * BITS[request.type] + 7) // 8
    return shape, ctypes.string_at(output.data_ptr(), size) if size else b""


serve(reshape, name=f"onnxruntime {way} pattern", version=onnxruntime.__version__,
      dialects=DIALECTS, answers=["data"], max_rank=64,
      max_bytes=1 << 24,  # more takes too long by way of Python
      element_types=[name for name in TYPES if name not in LEFT_OUT[way]])

"""Reshape of ONNX Runtime on the CPU, by its Python package.

    adapter.py runtime | constant     the pattern is an input of the model, or an initializer
"""

import ctypes
import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import numpy
import onnxruntime
from onnx import TensorProto, helper
from reshape_conformance.child import BITS, Rejected, Unsupported, serve

OPSETS = [5, 13, 14, 19, 21, 23, 24, 25]
TYPES = {"f64": TensorProto.DOUBLE, "f32": TensorProto.FLOAT, "f16": TensorProto.FLOAT16,
         "bf16": TensorProto.BFLOAT16, "f8e4m3": TensorProto.FLOAT8E4M3FN,
         "f8e5m2": TensorProto.FLOAT8E5M2, "i64": TensorProto.INT64, "i32": TensorProto.INT32,
         "i16": TensorProto.INT16, "i8": TensorProto.INT8, "i4": TensorProto.INT4,
         "u64": TensorProto.UINT64, "u32": TensorProto.UINT32, "u16": TensorProto.UINT16,
         "u8": TensorProto.UINT8, "u4": TensorProto.UINT4, "boolean": TensorProto.BOOL}
WORDS = {8: numpy.uint8, 16: numpy.uint16, 32: numpy.uint32, 64: numpy.uint64}
constant = sys.argv[1] == "constant"
onnxruntime.set_default_logger_severity(4)


def opset_of(request):
    return int(request.dialect.rsplit("-", 1)[1])


@functools.lru_cache(4096)
def session(opset, type_, flag, pattern_type, pattern_shape, pattern):
    """`pattern` is None where it is an input. The sizes of the data, and their count, are left open."""
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"],
                            **({} if flag is None else {"allowzero": flag}))
    inputs = [helper.make_tensor_value_info("data", TYPES[type_], None)]
    initializers = []
    if pattern is None:
        inputs.append(helper.make_tensor_value_info("pattern", TYPES[pattern_type],
                                                    [None] * len(pattern_shape)))
    else:
        initializers.append(helper.make_tensor("pattern", TYPES[pattern_type], pattern_shape, pattern))
    output = helper.make_tensor_value_info("output", TYPES[type_], None)
    graph = helper.make_graph([node], "one", inputs, [output], initializers)
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


def reshape(request):
    flag = None
    if opset_of(request) >= 14 and request.special_zero is not None:
        flag = int(not request.special_zero)
    pattern = numpy.array(request.pattern,
                          helper.tensor_dtype_to_np_dtype(TYPES[request.pattern_type]))
    pattern = pattern.reshape(request.pattern_shape)
    form = (opset_of(request), request.type, flag, request.pattern_type)
    if constant:
        run = refusing(lambda: session(*form, pattern.shape, tuple(request.pattern)))
    else:
        run = refusing(lambda: session(*form, (0,) * pattern.ndim, None))
    raw = numpy.frombuffer(request.data, WORDS[BITS[request.type]]).reshape(request.shape)
    inputs = {"data": onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(
        raw, TYPES[request.type])}
    if not constant:
        inputs["pattern"] = onnxruntime.OrtValue.ortvalue_from_numpy(pattern)
    (output,) = refusing(lambda: run.run_with_ort_values(None, inputs))
    shape = output.shape()
    count = 1
    for size in shape:
        count *= size
    size = count * BITS[request.type] // 8
    return shape, ctypes.string_at(output.data_ptr(), size) if size else b""


serve(reshape, name=f"onnxruntime {sys.argv[1]} pattern", version=onnxruntime.__version__,
      dialects=[f"onnx-reshape-{opset}" for opset in OPSETS], answers=["data"], max_rank=64,
      max_bytes=1 << 24,  # more takes too long by way of Python
      # It has no kernels for elements of 4 bits.
      element_types=[name for name in TYPES if BITS[name] > 4])

"""ONNX's Reshape in TVM: what its importer and Relax infer, and what the compiled model answers.

    adapter.py inferred | compiled
"""

import pathlib
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import ml_dtypes
import numpy
import tvm
from onnx import TensorProto, helper
from reshape_conformance.child import Rejected, Unsupported, serve, take_standard_output
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

answers_to = take_standard_output()  # it prints what it cannot convert
warnings.simplefilter("ignore")
OPSETS = [5, 13, 14, 19, 21, 23, 24, 25]
TYPES = {"f64": (TensorProto.DOUBLE, numpy.float64), "f32": (TensorProto.FLOAT, numpy.float32),
         "f16": (TensorProto.FLOAT16, numpy.float16), "bf16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
         "i64": (TensorProto.INT64, numpy.int64), "i32": (TensorProto.INT32, numpy.int32),
         "i16": (TensorProto.INT16, numpy.int16), "i8": (TensorProto.INT8, numpy.int8),
         "u64": (TensorProto.UINT64, numpy.uint64), "u32": (TensorProto.UINT32, numpy.uint32),
         "u16": (TensorProto.UINT16, numpy.uint16), "u8": (TensorProto.UINT8, numpy.uint8),
         "boolean": (TensorProto.BOOL, numpy.bool_), "f8e4m3": (TensorProto.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn),
         "f8e5m2": (TensorProto.FLOAT8E5M2, ml_dtypes.float8_e5m2), "i4": (TensorProto.INT4, ml_dtypes.int4),
         "u4": (TensorProto.UINT4, ml_dtypes.uint4)}
# Of the others it is asked only whether it refuses them.
DECLARED = [name for name in TYPES if name not in ("f8e4m3", "f8e5m2", "i4", "u4")]


def converted(request):
    """The model in Relax. The pattern is a constant of it: TVM takes no other."""
    opset = int(request.dialect.rsplit("-", 1)[1])
    flag = {} if opset < 14 or request.special_zero is None else {"allowzero": int(not request.special_zero)}
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], **flag)
    data = helper.make_tensor_value_info("data", TYPES[request.type][0], request.shape)
    pattern = helper.make_tensor("pattern", TYPES[request.pattern_type][0], request.pattern_shape, request.pattern)
    output = helper.make_tensor_value_info("output", TYPES[request.type][0], None)
    graph = helper.make_graph([node], "one", [data], [output], [pattern])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    try:
        # Without the sizes told again a size of 0 would be taken for one that is not known.
        return from_onnx(model, shape_dict={"data": list(request.shape)})
    except Exception as why:  # its errors share no class of their own
        raise Rejected((str(why).strip() or type(why).__name__).splitlines()[-1]) from why


def infer(request):
    inferred = converted(request)["main"].ret_ty
    if inferred.shape is None or not all(isinstance(size, tvm.tirx.IntImm) for size in inferred.shape):
        raise Unsupported(f"all sizes are known, and it inferred {inferred}")
    return [int(size) for size in inferred.shape], None


def run(request):
    type_ = TYPES[request.type][1]
    module = converted(request)
    try:
        machine = relax.VirtualMachine(tvm.compile(module, "llvm"), tvm.cpu())
        data = tvm.runtime.tensor(numpy.frombuffer(request.data, type_).reshape(request.shape))
        output = machine["main"](data).numpy()
    except Exception as why:
        raise Rejected((str(why).strip() or type(why).__name__).splitlines()[-1]) from why
    return output.shape, output.tobytes()


way, answers = {"inferred": (infer, "shapes"), "compiled": (run, "data")}[sys.argv[1]]
serve(way, name=f"tvm {sys.argv[1]}", version=tvm.__version__, dialects=[f"onnx-reshape-{opset}" for opset in OPSETS],
      element_types=DECLARED, answers=[answers], max_rank=64 if way is run else 0, max_bytes=1 << 22 if way is run else 0,
      answers_to=answers_to)

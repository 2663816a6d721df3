"""ONNX's Reshape in TVM: what its importer and Relax infer, and what the compiled model answers.

    adapter.py inferred | compiled
"""

import pathlib
import sys
import warnings

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[2] / "python")]

import numpy
import tvm
from onnx import helper
from onnx_request import ARRAYS, DIALECTS, TYPES, flag_of, opset_of
from reshape_conformance.child import Rejected, Unsupported, serve, take_standard_output
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

answers_to = take_standard_output()  # it prints what it cannot convert
warnings.simplefilter("ignore")
# Of the others it is asked only whether it refuses them.
DECLARED = [name for name in TYPES if name not in ("f8e4m3", "f8e5m2", "i4", "u4")]


def converted(request):
    """The model in Relax. The pattern is a constant of it: TVM takes no other."""
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], **flag_of(request))
    data = helper.make_tensor_value_info("data", TYPES[request.type], request.shape)
    pattern = helper.make_tensor("pattern", TYPES[request.pattern_type], request.pattern_shape, request.pattern)
    output = helper.make_tensor_value_info("output", TYPES[request.type], None)
    graph = helper.make_graph([node], "one", [data], [output], [pattern])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset_of(request))])
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
    type_ = ARRAYS[request.type]
    module = converted(request)
    try:
        machine = relax.VirtualMachine(tvm.compile(module, "llvm"), tvm.cpu())
        data = tvm.runtime.tensor(numpy.frombuffer(request.data, type_).reshape(request.shape))
        output = machine["main"](data).numpy()
    except Exception as why:
        raise Rejected((str(why).strip() or type(why).__name__).splitlines()[-1]) from why
    return output.shape, output.tobytes()


way, answers = {"inferred": (infer, "shapes"), "compiled": (run, "data")}[sys.argv[1]]
serve(way, name=f"tvm {sys.argv[1]}", version=tvm.__version__, dialects=DIALECTS,
      element_types=DECLARED, answers=[answers], max_rank=64 if way is run else 0, max_bytes=1 << 22 if way is run else 0,
      answers_to=answers_to)

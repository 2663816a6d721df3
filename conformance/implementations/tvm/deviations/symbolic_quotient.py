"""Where the sizes of the data come when it runs, a -1 is the quotient rounded down, and the rest is lost.

Clause minus-one.divides: nine elements are no rows of two.
"""
import sys
import warnings

import numpy
import tvm
from onnx import TensorProto, helper
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

warnings.simplefilter("ignore")
data = helper.make_tensor_value_info("data", TensorProto.FLOAT, ["n", "m"])
pattern = helper.make_tensor("pattern", TensorProto.INT64, [2], [-1, 2])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
graph = helper.make_graph([node], "one", [data], [output], [pattern])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])
try:
    machine = relax.VirtualMachine(tvm.compile(from_onnx(model), "llvm"), tvm.cpu())
    came = machine["main"](tvm.runtime.tensor(numpy.arange(9, dtype=numpy.float32).reshape(3, 3))).numpy()
except Exception as refused:
    sys.exit(f"refused: {str(refused).strip().splitlines()[-1]}")
print("[3, 3] by the pattern [-1, 2] gives", came.shape, "- the document refuses it")
sys.exit(came.shape != (4, 2))

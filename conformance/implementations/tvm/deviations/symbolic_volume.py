"""Where the sizes of the data come when it runs, the elements are repeated until they fill the output.

Clause volume.kept: six elements are not eight.
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
pattern = helper.make_tensor("pattern", TensorProto.INT64, [2], [0, 4])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
graph = helper.make_graph([node], "one", [data], [output], [pattern])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])
try:
    machine = relax.VirtualMachine(tvm.compile(from_onnx(model), "llvm"), tvm.cpu())
    came = machine["main"](tvm.runtime.tensor(numpy.arange(6, dtype=numpy.float32).reshape(2, 3))).numpy()
except Exception as refused:
    sys.exit(f"refused: {str(refused).strip().splitlines()[-1]}")
print("[2, 3] by the pattern [0, 4] gives", came.tolist(), "- the document refuses it")
sys.exit(came.shape != (2, 4))

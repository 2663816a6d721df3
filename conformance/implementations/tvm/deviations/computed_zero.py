"""A 0 that is the size of another input is a size of 0, and no element is left.

Clause zero.copies: it is the size of the data on this axis.
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
like = helper.make_tensor_value_info("like", TensorProto.FLOAT, ["p", "q"])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
nodes = [helper.make_node("Shape", ["like"], ["pattern"]),
         helper.make_node("Reshape", ["data", "pattern"], ["output"])]
graph = helper.make_graph(nodes, "one", [data, like], [output])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)])
try:
    machine = relax.VirtualMachine(tvm.compile(from_onnx(model), "llvm"), tvm.cpu())
    came = machine["main"](tvm.runtime.tensor(numpy.ones((2, 3), numpy.float32)),
                           tvm.runtime.tensor(numpy.ones((0, 3), numpy.float32))).numpy()
except Exception as refused:
    sys.exit(f"refused: {str(refused).strip().splitlines()[-1]}")
print("[2, 3] by the pattern [0, 3], the sizes of another input, gives", came.shape)
sys.exit(came.shape != (0, 3))

"""With allowzero=1 a 0 makes a tensor without elements of any other when it runs.

Clause volume.kept: six elements are not none.
"""
import sys

import numpy
import tvm
from onnx import TensorProto, helper
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])
pattern = helper.make_tensor("pattern", TensorProto.INT64, [2], [0, 3])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)
graph = helper.make_graph([node], "one", [data], [output], [pattern])
try:
    module = from_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)]))
    machine = relax.VirtualMachine(tvm.compile(module, "llvm"), tvm.cpu())
    came = machine["main"](tvm.runtime.tensor(numpy.ones((2, 3), numpy.float32))).numpy()
except Exception as refused:
    sys.exit(f"refused: {str(refused).strip().splitlines()[-1]}")
print("[2, 3] by the pattern [0, 3] with allowzero=1 gives", came.shape)
sys.exit(0 if came.size == 0 else 1)

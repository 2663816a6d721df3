"""output.shape: with allowzero=1 a 0 is a size. The symbolic inference has the 0 copy, whatever the attribute says."""
import sys

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)
graph = helper.make_graph(
    [node], "one", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [0, 4])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(numpy.array([5, 0]), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
try:
    inferred = SymbolicShapeInference.infer_shapes(model, auto_merge=True)
except Exception as why:
    sys.exit(f"refused: {why}")
came = [size.dim_value for size in inferred.graph.output[0].type.tensor_type.shape.dim]
print("ONNX Runtime", onnxruntime.__version__, "- [0, 4] by [5, 0] is inferred as", came, "- the document: [5, 0]")
sys.exit(came != [5, 4])

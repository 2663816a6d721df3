"""pattern.type: the pattern is a tensor of int64. The symbolic inference takes one of int32."""
import sys

import numpy
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
graph = helper.make_graph(
    [node], "one", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])],
    [helper.make_tensor_value_info("output", TensorProto.FLOAT, None)],
    [numpy_helper.from_array(numpy.array([6], numpy.int32), "pattern")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
try:
    inferred = SymbolicShapeInference.infer_shapes(model, auto_merge=True)
except Exception as why:
    sys.exit(f"refused: {why}")
came = [size.dim_value for size in inferred.graph.output[0].type.tensor_type.shape.dim]
print("ONNX Runtime", onnxruntime.__version__, "- [2, 3] by [6] is inferred as", came, "- the document: refused")
sys.exit(came != [6])

"""The importer takes a pattern of 32-bit integers. Clause pattern.type: the pattern is a tensor of int64."""
import sys
import warnings

from onnx import TensorProto, helper
from tvm.relax.frontend.onnx import from_onnx

warnings.simplefilter("ignore")
node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, [3, 2])
pattern = helper.make_tensor("pattern", TensorProto.INT32, [2], [3, 2])
model = helper.make_model(helper.make_graph([node], "one", [data], [output], [pattern]),
                          opset_imports=[helper.make_opsetid("", 14)])
try:
    came = str(from_onnx(model)["main"].ret_ty)
except Exception as refused:
    sys.exit(f"refused: {str(refused).strip().splitlines()[-1]}")
print("[2, 3] by an int32 pattern [3, 2] is imported as", came)

"""A pattern of int32 is taken. Clause pattern.type: the pattern is a tensor of int64."""
import sys

import cv2
import numpy
from onnx import TensorProto, helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["a", "b"])
pattern = helper.make_tensor("pattern", TensorProto.INT32, [2], [3, 2])
model = helper.make_model(helper.make_graph([node], "one", [data], [output], [pattern]),
                          opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
try:
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8))
    net.setInput(numpy.ones((2, 3), numpy.float32), "data")
    came = list(net.forward("output").shape)
except cv2.error as refused:
    sys.exit(f"refused: {refused.err}")
print("[2, 3] by an int32 pattern [3, 2] gives", came, "- the document refuses it")
sys.exit(came != [3, 2])

"""The new engine makes one row of all elements where the pattern asks for one row of any other length.

Clause volume.kept: six elements are not five.
"""
import sys

import cv2
import numpy
from onnx import TensorProto, helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["a", "b"])
pattern = helper.make_tensor("pattern", TensorProto.INT64, [2], [1, 5])
model = helper.make_model(helper.make_graph([node], "one", [data], [output], [pattern]),
                          opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8), cv2.dnn.ENGINE_NEW)
net.setInput(numpy.ones((2, 3), numpy.float32), "data")
try:
    came = list(net.forward("output").shape)
except cv2.error as refused:
    sys.exit(f"refused: {refused.err}")
print("[2, 3] by the pattern [1, 5] gives", came, "- the document refuses it")
sys.exit(came != [1, 6])

"""The classic engine reshapes a part of the data's axes where the pattern has that part's count of elements.

Clause volume.kept: six elements are not three.
"""
import os
import sys

os.environ["OPENCV_FORCE_DNN_ENGINE"] = "1"

import cv2
import numpy
from onnx import TensorProto, helper

node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
data = helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3])
output = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["a"])
pattern = helper.make_tensor("pattern", TensorProto.INT64, [1], [3])
model = helper.make_model(helper.make_graph([node], "one", [data], [output], [pattern]),
                          opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
try:
    net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8))
    net.setInput(numpy.ones((2, 3), numpy.float32), "data")
    came = list(net.forward("output").shape)
except cv2.error as refused:
    sys.exit(f"refused: {refused.err}")
print("[2, 3] by the pattern [3] gives", came, "- the document refuses it")
sys.exit(came != [2, 3])

"""An array of int64 loses its upper halves on the way into a net: as data, and as a pattern, which then fits.

Clauses content.kept and volume.kept. opencv/opencv#28672: Python's arrays of int64 become matrices of int32.
"""
import sys

import cv2
import numpy
from onnx import TensorProto, helper


def net(type_, inputs, initializers):
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"])
    output = helper.make_tensor_value_info("output", type_, ["a"])
    model = helper.make_model(helper.make_graph([node], "one", inputs, [output], initializers),
                              opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    return cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8))


try:
    one = net(TensorProto.INT64, [helper.make_tensor_value_info("data", TensorProto.INT64, [1, 1])],
              [helper.make_tensor("pattern", TensorProto.INT64, [1], [-1])])
    one.setInput(numpy.int64([[2**40 + 1]]), "data")
    value = int(one.forward("output")[0])
    other = net(TensorProto.FLOAT, [helper.make_tensor_value_info("data", TensorProto.FLOAT, [2, 3]),
                                    helper.make_tensor_value_info("pattern", TensorProto.INT64, [1])], [])
    other.setInput(numpy.ones((2, 3), numpy.float32), "data")
    other.setInput(numpy.int64([2**32 + 6]), "pattern")
    sizes = list(other.forward("output").shape)
except cv2.error as refused:
    sys.exit(f"refused: {refused.err}")
print("2^40 + 1 comes out as", value)
print("[2, 3] by the pattern [2^32 + 6], an input, gives", sizes, "- the document refuses it")
sys.exit(not (value == 1 and sizes == [6]))

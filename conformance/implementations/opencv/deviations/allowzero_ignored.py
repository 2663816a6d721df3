"""allowzero=1 is not read: a 0 copies, so that what is empty stays full and what is valid is refused.

Clauses volume.kept, zero.literal and zero.with-minus-one: a 0 is a size of 0 then, and none stands beside a -1.
"""
import sys

import cv2
import numpy
from onnx import TensorProto, helper


def asked(shape, pattern):
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=1)
    data = helper.make_tensor_value_info("data", TensorProto.FLOAT, shape)
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, ["a", "b"])
    values = helper.make_tensor("pattern", TensorProto.INT64, [2], pattern)
    model = helper.make_model(helper.make_graph([node], "one", [data], [output], [values]),
                              opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    try:
        net = cv2.dnn.readNetFromONNX(numpy.frombuffer(model.SerializeToString(), numpy.uint8))
        net.setInput(numpy.ones(shape, numpy.float32), "data")
        output = net.forward("output")
    except cv2.error as why:
        return f"is refused: {why.err}"
    return f"gives {None if output is None else list(output.shape)}"


answers = [asked([2, 3], [0, 3]), asked([2, 3], [0, -1]), asked([0, 3], [3, 0])]
print("[2, 3] by the pattern [0, 3] with allowzero=1", answers[0], "- the document refuses it")
print("[2, 3] by the pattern [0, -1] with allowzero=1", answers[1], "- the document refuses it")
print("[0, 3] by the pattern [3, 0] with allowzero=1", answers[2], "- the document says [3, 0]")
sys.exit(answers[0] != "gives [2, 3]" or answers[1] != "gives [2, 3]")

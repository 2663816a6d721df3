"""OpenVINO's ONNX frontend writes the pattern and the flag that `reshape-conformance port` says.

Each pattern is converted as an initializer of a model and as its input. A pattern that ONNX refuses over any data may
be refused by the converter, where port names one that is refused over any data as well.
"""
import os
import subprocess
import sys

import openvino
from onnx import TensorProto, helper

PROGRAM = os.environ["RESHAPE_CONFORMANCE"]
FROM, TO = "onnx-reshape-14", "openvino-reshape-1"
PATTERNS = [[0, -1], [3, 0], [2, -1], [0, 0, -1], [], [-1], [0], [6, 1], [-2, 3], [-1, -1]]
SHAPES = ["[]", "[1]", "[6]", "[2,3]", "[0,3]", "[3,0]", "[1,2,3]"]


def ask(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False).stdout.splitlines()[0]


def line(pattern, flag):
    return f"i64[{','.join(map(str, pattern))}]{flag}"


def always_refused(ported):
    return all(ask("infer", f"{TO} f32{shape} {ported}").startswith("rejects") for shape in SHAPES)


def model(pattern, allowzero, constant):
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], allowzero=allowzero)
    inputs = [helper.make_tensor_value_info("data", TensorProto.FLOAT, [None, None])]
    initializers = []
    if constant:
        initializers.append(helper.make_tensor("pattern", TensorProto.INT64, [len(pattern)], pattern))
    else:
        inputs.append(helper.make_tensor_value_info("pattern", TensorProto.INT64, [len(pattern)]))
    output = helper.make_tensor_value_info("output", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "one", inputs, [output], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8).SerializeToString()


def converted(pattern, allowzero, constant):
    """The Reshape that came out, as a line; None where the converter refuses."""
    try:
        nodes = openvino.Core().read_model(model(pattern, allowzero, constant)).get_ops()
    except RuntimeError:
        return None
    (node,) = [node for node in nodes if node.get_type_name() == "Reshape"]
    values = node.input_value(1).get_node()
    flag = f" special_zero={str(node.get_attributes()['special_zero']).lower()}"
    return line(values.get_data().tolist() if constant else pattern, flag)


wrong = 0
for pattern in PATTERNS:
    for allowzero in (0, 1):
        asked = line(pattern, f" allowzero={allowzero}")
        said = ask("port", asked, "--from", FROM, "--to", TO)
        refused = always_refused(said)
        for constant in (True, False):
            came = converted(pattern, allowzero, constant)
            # Of a pattern that is an input no converter can know the values, so its flag alone is compared, and
            # only where the values are not what ONNX refuses.
            right = came == said or (refused and (came is None or not constant))
            wrong += not right
            if not right:
                print(f"{asked} as {'an initializer' if constant else 'an input'}: port says {said}, "
                      f"the frontend wrote {came or 'nothing, and refused'}")
print(f"{4 * len(PATTERNS) - wrong} of {4 * len(PATTERNS)} conversions are what port says")
sys.exit(1 if wrong else 0)

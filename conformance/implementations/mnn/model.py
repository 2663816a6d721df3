"""Models of one Reshape, which MNN's converter turns into its own and which it loads.

What MNN prints goes nowhere from here on.
"""

import os
import pathlib
import sys
import tempfile

sys.stdout.flush()
sys.stdout = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

import _tools  # what MNN.tools wraps; that package wants to install and to report, so it is not imported: notes.md
import MNN
import MNN.expr
import MNN.nn
import numpy
from onnx import TensorProto, helper


def loaded(type_, shape, pattern, way="constant", pattern_type=TensorProto.INT64, pattern_shape=None, opset=14,
           **allowzero):
    """The module, or None where the converter writes no model. `pattern` is an initializer, or an input."""
    pattern_shape = [len(pattern)] if pattern_shape is None else pattern_shape
    inputs = [helper.make_tensor_value_info("data", type_, shape)]
    initializers = []
    if way == "constant":
        initializers.append(helper.make_tensor("pattern", pattern_type, pattern_shape, pattern))
    else:
        inputs.append(helper.make_tensor_value_info("pattern", pattern_type, pattern_shape))
    output = helper.make_tensor_value_info("output", type_, [f"size {axis}" for axis in range(len(pattern))])
    node = helper.make_node("Reshape", ["data", "pattern"], ["output"], **allowzero)
    graph = helper.make_graph([node], "one", inputs, [output], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    with tempfile.TemporaryDirectory() as folder:
        source, target = f"{folder}/one.onnx", f"{folder}/one.mnn"
        pathlib.Path(source).write_bytes(model.SerializeToString())
        _tools.mnnconvert(["mnnconvert", "-f", "ONNX", "--modelFile", source, "--MNNModel", target,
                           "--bizCode", "reshape"])
        if not pathlib.Path(target).exists():
            return None
        return MNN.nn.load_module_from_file(target, [one.name for one in inputs], ["output"])


def shape_of(shape, pattern, **more):
    """What comes of floats: the sizes of the output, or None where it is refused."""
    module = loaded(TensorProto.FLOAT, shape, pattern, **more)
    if module is None:
        return None
    data = MNN.expr.const(numpy.ones(shape, numpy.float32), shape, MNN.expr.NCHW, MNN.expr.float)
    outputs = module.forward([data])
    return outputs[0].shape if outputs else None

"""pattern.one-dimensional: the shape is a list of sizes. A matrix of one is taken for it."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
import numpy
from ai_edge_litert.interpreter import Interpreter

one = Interpreter(model_content=model.packed("FLOAT32", [2, 2], numpy.int32([[4]]), "constant"))
try:
    one.allocate_tensors()
    one.set_tensor(0, numpy.zeros((2, 2), numpy.float32))
    one.invoke()
except (RuntimeError, ValueError) as why:
    sys.exit(f"refused: {why}")
print("[2, 2] by the pattern [[4]] gives", one.get_tensor(1).shape)

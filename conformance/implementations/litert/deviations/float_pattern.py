"""pattern.type: sizes are integers. A pattern of floats in the model is taken as long as it holds none."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
import numpy
from ai_edge_litert.interpreter import Interpreter

one = Interpreter(
    model_content=model.packed("FLOAT32", [1], numpy.float32([]), "constant", "FLOAT32"))
try:
    one.allocate_tensors()
    one.set_tensor(0, numpy.zeros(1, numpy.float32))
    one.invoke()
except (RuntimeError, ValueError) as why:
    sys.exit(f"refused: {why}")
print("[1] by a float32 pattern of no values gives", one.get_tensor(1).shape)

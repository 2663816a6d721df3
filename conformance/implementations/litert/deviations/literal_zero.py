"""volume.kept: 12 elements are not none. A 0 of a pattern that stands in the model is taken for another size."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
import numpy
from ai_edge_litert.interpreter import Interpreter

one = Interpreter(model_content=model.packed("FLOAT32", [2, 6], numpy.int32([0, 12]), "constant"))
try:
    one.allocate_tensors()
    one.set_tensor(0, numpy.zeros((2, 6), numpy.float32))
    one.invoke()
except (RuntimeError, ValueError) as why:
    sys.exit(f"refused: {why}")
print("[2, 6] by the pattern [0, 12] gives", one.get_tensor(1).shape)

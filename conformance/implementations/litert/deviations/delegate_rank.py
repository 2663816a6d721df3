"""output.shape: a shape has as many sizes as are asked for. Seven in the options are refused of f32, and not of i32."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
import numpy
from ai_edge_litert.interpreter import Interpreter

pattern = numpy.int32([1] * 6 + [6])


def answer(type_, element):
    try:
        one = Interpreter(model_content=model.packed(type_, [6], pattern, "option"))
        one.allocate_tensors()
        one.set_tensor(0, numpy.zeros(6, element))
        one.invoke()
    except (RuntimeError, ValueError) as why:
        return f"refused: {why}"
    return str(one.get_tensor(1).shape)


of_floats, of_integers = answer("FLOAT32", numpy.float32), answer("INT32", numpy.int32)
print(f"seven sizes of i32 give {of_integers}, of f32 are {of_floats}")
sys.exit(not (of_floats.startswith("refused") and of_integers == "(1, 1, 1, 1, 1, 1, 6)"))

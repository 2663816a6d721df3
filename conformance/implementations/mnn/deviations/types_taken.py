"""The converter takes a pattern of int32, and data of types that the operator set does not have.

Clauses pattern.type and data.type: the pattern is of int64, and operator set 5 has no bfloat16.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import model
from onnx import TensorProto

came = model.shape_of([2, 3], [3, 2], pattern_type=TensorProto.INT32)
older = model.loaded(TensorProto.BFLOAT16, [2, 3], [3, 2], opset=5) is not None
print("[2, 3] by an int32 pattern [3, 2] gives", came, "- the document refuses it")
print("a model of bfloat16 in operator set 5", "is converted" if older else "is not converted")
sys.exit(not (came == [3, 2] and older))

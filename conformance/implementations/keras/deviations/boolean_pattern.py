"""A True is taken for a size of 1, which numpy.reshape refuses. Clause pattern.type: a size is an integer."""
import os
import sys

os.environ["KERAS_BACKEND"] = "numpy"

import keras

try:
    came = keras.ops.reshape(keras.KerasTensor((6,)), (True, 6)).shape
except (ValueError, TypeError) as why:
    sys.exit(f"refused: {why}")
print("keras", keras.__version__, "- (6,) to (True, 6) gives", came, "- the document refuses it")
sys.exit(came != (1, 6))

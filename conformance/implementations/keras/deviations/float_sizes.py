"""A float is taken for a size that is not known yet, so that nothing is compared: of [6], [2.5,7] is said to be [?,7], by
the symbolic shape as well as by the layer. Clause pattern.type: a size is an integer."""
import os
import sys

os.environ["KERAS_BACKEND"] = "numpy"

import keras

try:
    came = keras.ops.reshape(keras.KerasTensor((6,)), (2.5, 7)).shape
    of_layer = keras.layers.Reshape((2.5, 7))(keras.KerasTensor((1, 6))).shape
except (ValueError, TypeError) as why:
    sys.exit(f"refused: {why}")
print("keras", keras.__version__, "- (6,) to (2.5, 7) gives", came, "and as a layer", of_layer, "- the document refuses it")
sys.exit(came != (None, 7))

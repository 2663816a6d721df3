"""A size of 2^63 and more is said. Clause size.representable: no size that 63 bits hold, so that it is refused."""
import os
import sys

os.environ["KERAS_BACKEND"] = "numpy"

import keras

for data, asked in (((0,), (2**63, 0)), ((2**40, 2**40), (-1,))):
    try:
        came = keras.ops.reshape(keras.KerasTensor(data), asked).shape
    except (ValueError, OverflowError) as why:
        sys.exit(f"refused: {why}")
    print("keras", keras.__version__, "-", data, "to", asked, "gives", came, "- the document refuses it")

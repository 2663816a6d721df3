"""A list of floats is taken where it equals the sizes of the data, and refused elsewhere. Clause pattern.type: a size is an
integer."""
import sys

import paddle

try:
    came = list(paddle.reshape(paddle.zeros([2, 3]), [2.0, 3.0]).shape)
except TypeError as why:
    sys.exit(f"refused: {why}")
print(f"paddle {paddle.__version__}: [2,3] to [2.0, 3.0] gives {came}; the document: refused")
sys.exit(came != [2, 3])

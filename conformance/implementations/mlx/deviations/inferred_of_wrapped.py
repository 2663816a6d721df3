"""A -1 is divided by a product that wrapped. Clause minus-one.divides: 42 elements are no rows of 18446744073709551637."""
import sys

import mlx.core as mx

asked = (-1, 1174891961, 19950191, 787)
try:
    came = mx.reshape(mx.zeros(42), asked).shape  # never evaluated
except ValueError as why:
    sys.exit(f"refused: {why}")
print("mlx", mx.__version__, "- 42 elements to", asked, "gives", came, "- the document refuses it")
sys.exit(came != (2, *asked[1:]))

"""A -1 beside sizes whose product wraps to 0 is refused over no elements. Clause minus-one.inferred: the -1 is 0."""
import sys

import mlx.core as mx

asked = (-1, 2**22, 2**22, 2**20)
try:
    came = mx.reshape(mx.zeros(0), asked).shape
except ValueError as why:
    print("mlx", mx.__version__, "- no elements to", asked, "is refused:", why, "- the document: the -1 is 0")
else:
    sys.exit(f"produced: {came}")

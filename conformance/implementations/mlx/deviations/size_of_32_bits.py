"""A size of 2^31 and more is refused over no elements. Clause output.shape: the volumes are equal, both 0."""
import sys

import mlx.core as mx

asked = (0, 2**31)
try:
    came = mx.reshape(mx.zeros(0), asked).shape
except (ValueError, OverflowError) as why:
    print("mlx", mx.__version__, "- no elements to", asked, "is refused:", why, "- the document:", asked)
else:
    sys.exit(f"produced: {came}")

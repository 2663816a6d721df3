"""More than 2^64 elements are counted as 21, so that a -1 is inferred as 21. Clause size.representable: no size that 63 bits
hold stands for the -1."""
import sys

import mlx.core as mx

sizes = (1174891961, 19950191, 787)
try:
    came = mx.reshape(mx.zeros(sizes), (-1,)).shape  # never evaluated, so that it takes no memory
except (ValueError, OverflowError) as why:
    sys.exit(f"refused: {why}")
print("mlx", mx.__version__, "-", sizes, "to [-1] gives", came, "- the document refuses it")
sys.exit(came != (21,))

"""A -1 beside sizes whose product wraps to 0 is called ambiguous. Clause minus-one.inferred: 2^64 times 0 elements
are the 0 elements of the data, and times no other size."""
import torch

asked, says = [2**32, 2**32, -1], [2**32, 2**32, 0]
try:
    came = list(torch.empty(0).reshape(asked).shape)
except RuntimeError as why:
    came = str(why).splitlines()[0]
print(f"torch {torch.__version__}: reshape of no elements to {asked}: {came}; the document: {says}")
raise SystemExit(0 if came != says else 1)

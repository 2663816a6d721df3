"""An empty tensor is refused sizes whose product, the 0 aside, is above 2^63-1. Clause output.shape: 0 times anything
is 0, in whichever order it is multiplied."""
import torch

asked = [2**40, 2**40, 0]
try:
    came = list(torch.empty(0).reshape(asked).shape)
except RuntimeError as why:
    came = str(why).splitlines()[0]
print(f"torch {torch.__version__}: reshape of no elements to {asked}: {came}; the document: {asked}")
raise SystemExit(0 if came != asked else 1)

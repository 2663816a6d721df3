"""A reshape of an empty tensor ends in an internal assertion about symbolic sizes, where a product of plain sizes
wraps to what marks a symbol. Clause output.shape: the sizes are valid."""
import torch

asked = [2**31 - 1] * 5 + [0]
try:
    came = list(torch.empty(0).reshape(asked).shape)
except RuntimeError as why:
    came = str(why).splitlines()[0]
print(f"torch {torch.__version__}: reshape of no elements to {asked}: {came}; the document: {asked}")
raise SystemExit(0 if "is_symbolic" in str(came) else 1)

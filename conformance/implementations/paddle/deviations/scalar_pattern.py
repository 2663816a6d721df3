"""A tensor of sizes without dimensions, or with two, is read as a list. Clause pattern.one-dimensional: it is 1-D."""
import sys

import paddle

came = []
for pattern in (paddle.to_tensor(6), paddle.to_tensor([[2, 3]])):
    try:
        came.append(list(paddle.reshape(paddle.arange(6), pattern).shape))
    except (ValueError, RuntimeError) as why:
        came.append(str(why).strip().splitlines()[-1])
print(f"paddle {paddle.__version__}: [6] to the tensors 6 and [[2,3]] gives {came}; the document: refused")
sys.exit(came != [[6], [2, 3]])

"""A tensor of one size is refused, by an error inside of an error, since NumPy 2.4 makes no number of an array of one
dimension. Clause output.shape: any 1-D tensor of sizes is a pattern."""
import sys

import numpy
import paddle

try:
    came = list(paddle.reshape(paddle.zeros([2, 3]), paddle.to_tensor([6])).shape)
except SystemError as why:
    print(f"paddle {paddle.__version__}, numpy {numpy.__version__}: [2,3] to the tensor [6]: {why}; the document: [6]")
else:
    sys.exit(f"produced: {came}")

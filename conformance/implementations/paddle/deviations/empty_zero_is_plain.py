"""A 0 of the pattern does not copy where the data has no elements: it is a plain 0. Clause zero.copies: it stands for the
size of the data at its index."""
import sys

import paddle

came = list(paddle.reshape(paddle.empty([0, 3]), [0, 0]).shape)
print(f"paddle {paddle.__version__}: [0,3] to [0,0] gives {came}; the document: [0, 3]")
sys.exit(came != [0, 0])

"""Sizes are multiplied in 64 bits: a tensor of no elements is given a shape of 2^64. Clause volume.kept."""
import sys

import mindspore
import numpy
from mindspore import Tensor, ops

mindspore.set_device("CPU")
mindspore.runtime.launch_blocking()
asked = (2**22, 2**22, 2**20)
try:
    came = ops.reshape(Tensor(numpy.zeros(0, numpy.float32)), asked).shape
except (ValueError, RuntimeError) as why:
    sys.exit(f"refused: {why}")
print("mindspore", mindspore.__version__, "- no elements to", asked, "gives", came, "- the document refuses it")
sys.exit(came != asked)

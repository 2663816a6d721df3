"""A size of 2^63 and more comes out. Clause size.representable: no size that 63 bits hold, so that it is refused."""
import importlib.metadata
import sys

from tinygrad import Tensor

version = importlib.metadata.version("tinygrad")
for data, asked in (((0,), (2**63, 0)), ((2**40, 2**40), (-1,))):
    try:
        came = Tensor.empty(*data).reshape(asked).shape
    except (ValueError, RuntimeError) as why:
        sys.exit(f"refused: {why}")
    print("tinygrad", version, "-", data, "to", asked, "gives", came, "- the document refuses it")

"""A kernel on the device PYTHON makes a signalling NaN quiet. Clause content.kept: bit for bit."""
import importlib.metadata
import os
import sys

os.environ["DEV"] = "PYTHON"

from tinygrad import Tensor, dtypes

given = b"".join(bits.to_bytes(4, "little") for bits in (0x7f800001, 1, 2, 3, 4, 5))
came = Tensor(given, dtype=dtypes.float32).reshape(2, 3).permute(1, 0).reshape(6).contiguous()._data()
bits = int.from_bytes(came.cast("B")[:4], "little")
print("tinygrad", importlib.metadata.version("tinygrad"), "- [2,3] turned and flattened: 0x7f800001 becomes", hex(bits),
      "- the document: the same")
sys.exit(bits == 0x7f800001)

"""A kernel that copies f8e5m2 makes an infinity the largest number: it copies by way of a larger type, whose conversion
back saturates. Clause content.kept: bit for bit."""
import importlib.metadata
import os
import shutil
import sys

if shutil.which(os.environ.get("CC", "clang")) is None:
    print("the device CPU compiles with clang, which is not here")
    sys.exit(77)
os.environ["DEV"] = "CPU"

from tinygrad import Tensor, dtypes

given = bytes((0x7C, 0xFC, 0x3C, 0x3C, 0x3C, 0x3C))  # both infinities, and ones
came = bytes(Tensor(given, dtype=dtypes.fp8e5m2).reshape(2, 3).permute(1, 0).reshape(6).contiguous()._data())
print("tinygrad", importlib.metadata.version("tinygrad"), "- [2,3] turned and flattened: 0x7c and 0xfc become",
      hex(came[0]), "and", hex(came[2]), "- the document: as they are")
sys.exit(came[0] == 0x7C and came[2] == 0xFC)

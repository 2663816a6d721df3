"""A kernel of what has no type of its own on the device makes small numbers 0: it copies by way of a larger type, whose
conversion says that denormals are zero. Clause content.kept: bit for bit."""
import importlib.metadata
import os
import shutil
import sys

if shutil.which(os.environ.get("CC", "clang")) is None:
    print("the device CPU compiles with clang, which is not here")
    sys.exit(77)
os.environ["DEV"] = "CPU:X86"

from tinygrad import Tensor, dtypes

lost = []
for type_ in (dtypes.bfloat16, dtypes.fp8e4m3, dtypes.fp8e5m2):
    # All ones, but for the smallest number that the type has.
    bits = [1, *[2**(8 * type_.itemsize - 3)] * 5]
    given = b"".join(word.to_bytes(type_.itemsize, "little") for word in bits)
    came = Tensor(given, dtype=type_).reshape(2, 3).permute(1, 0).reshape(6).contiguous()._data()
    smallest = int.from_bytes(came[:type_.itemsize], "little")
    print("tinygrad", importlib.metadata.version("tinygrad"), "-", type_, "0x1 is copied as", hex(smallest),
          "- the document: as it is")
    lost.append(smallest == 0)
sys.exit(not any(lost))

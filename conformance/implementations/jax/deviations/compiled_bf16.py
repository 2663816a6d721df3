"""Compiled for a processor with AVX512-BF16, some transpositions of bf16 make denormals 0 and signalling NaNs quiet, as
if elements went to f32 and back. Clause content.kept: elements keep their bits.
"""
import sys

import jax
import ml_dtypes
import numpy as np
from jax import numpy as jnp

if "avx512_bf16" not in open("/proc/cpuinfo").read():
    print("this processor has no AVX512-BF16")
    sys.exit(77)
bits = np.resize(np.array([1, 0x7F, 0x3F80, 0x7F81], np.uint16), (9, 5, 35, 1))
data = jnp.asarray(bits.view(ml_dtypes.bfloat16))
turn = jax.jit(lambda one: jnp.reshape(jnp.transpose(one), (35, 5, 9)))
came, given = np.asarray(turn(data)).view(np.uint16), bits.T.reshape(35, 5, 9)
changed = {(hex(was), hex(is_)) for was, is_ in zip(given[came != given], came[came != given])}
print("bf16[9,5,35,1] transposed and reshaped to [35,5,9] changes", int((came != given).sum()), "of", given.size,
      "elements:", ", ".join(f"{was} to {is_}" for was, is_ in sorted(changed)))
sys.exit(not changed)

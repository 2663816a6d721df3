"""size.representable: 2^63 is no size. Traced, it is inferred."""
import sys

import jax
from jax import numpy as jnp

jax.config.update("jax_enable_x64", True)
try:
    output = jax.eval_shape(lambda data: jnp.reshape(data, (-1,)),
                            jax.ShapeDtypeStruct((2**62, 2), jnp.float32))
except (TypeError, ValueError, OverflowError):
    sys.exit(1)
print("[2^62, 2] by the pattern [-1] is inferred as", output.shape)
sys.exit(output.shape != (2**63,))

"""What JAX brings: the verifier of StableHLO, and jax.numpy.reshape: traced, compiled for data that it never
gets, or run, by itself or compiled together with the transposition of what it reads.

    adapter.py stablehlo | traced | compiled | eager | fused
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import jax
import ml_dtypes
import numpy
from jax import numpy as jnp
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
from reshape_conformance.child import Rejected, serve

# In the words of MLIR, and as NumPy holds them.
TYPES = {
    "f64": ("f64", numpy.float64), "f32": ("f32", numpy.float32), "f16": ("f16", numpy.float16),
    "bf16": ("bf16", ml_dtypes.bfloat16), "f8e4m3": ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
    "f8e5m2": ("f8E5M2", ml_dtypes.float8_e5m2), "i64": ("i64", numpy.int64),
    "i32": ("i32", numpy.int32), "i16": ("i16", numpy.int16), "i8": ("i8", numpy.int8),
    "i4": ("i4", ml_dtypes.int4), "u64": ("ui64", numpy.uint64), "u32": ("ui32", numpy.uint32),
    "u16": ("ui16", numpy.uint16), "u8": ("ui8", numpy.uint8), "u4": ("ui4", ml_dtypes.uint4),
    "boolean": ("i1", numpy.bool_),
}
PATTERNS = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]
context = ir.Context()
context.allow_unregistered_dialects = True  # of what makes the data
stablehlo.register_dialect(context)
jax.config.update("jax_enable_x64", True)


def pattern_of(request):
    return numpy.array(request.pattern, TYPES[request.pattern_type][1]).tolist()


def verify(request):
    """The pattern is the type of the result: it is verified or it is not."""
    def tensor(sizes):
        return "tensor<" + "".join(f"{size}x" for size in sizes) + TYPES[request.type][0] + ">"
    given, asked = tensor(request.shape), tensor(pattern_of(request))
    module = (f'%data = "a.source"() : () -> {given}\n'
              f"%output = stablehlo.reshape %data : ({given}) -> {asked}")
    try:
        ir.Module.parse(module, context).operation.verify()
    except (ir.MLIRError, ValueError) as why:
        raise Rejected(str(why)) from why
    return request.pattern, None


def trace(request):
    data = jax.ShapeDtypeStruct(tuple(request.shape), TYPES[request.type][1])
    def reshape(array):
        return jnp.reshape(array, pattern_of(request))
    try:
        if sys.argv[1] == "compiled":
            return jax.jit(reshape).lower(data).compile().out_info.shape, None
        return jax.eval_shape(reshape, data).shape, None
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as why:
        raise Rejected(str(why) or type(why).__name__) from why


def run(request):
    data = numpy.frombuffer(request.elements(), TYPES[request.type][1]).reshape(request.shape)
    if FUSED:
        # The axes of what the device gets lie in the reverse order, so that its code has to copy.
        data = numpy.ascontiguousarray(data.T)
    pattern = pattern_of(request)
    try:
        if FUSED:
            output = jax.jit(lambda reverse: jnp.reshape(jnp.transpose(reverse), pattern))(jnp.asarray(data))
        else:
            output = jnp.reshape(jnp.asarray(data), pattern)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as why:
        raise Rejected(str(why) or type(why).__name__) from why
    return output.shape, request.pack(numpy.asarray(output).tobytes())


WAYS = {"stablehlo": (verify, "stablehlo-reshape", "shapes"), "traced": (trace, "numpy-reshape", "shapes"),
        "compiled": (trace, "numpy-reshape", "shapes"), "eager": (run, "numpy-reshape", "data"),
        "fused": (run, "numpy-reshape", "data")}
FUSED = sys.argv[1] == "fused"
way, dialect, answers = WAYS[sys.argv[1]]
serve(way, name=f"jax {sys.argv[1]}", version=jax.__version__, dialects=[dialect],
      element_types=TYPES, pattern_types=PATTERNS, answers=[answers],
      max_rank=64 if way is run else 0)

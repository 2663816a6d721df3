"""Keras: keras.ops.reshape over its backend NumPy, the shape that it says of a symbolic tensor, and keras.layers.Reshape.

    adapter.py ops | symbolic | layer

A layer gets its data behind a first dimension, which is the batch: of 1, which the layer keeps as it is.
"""

import os
import pathlib
import sys

os.environ["KERAS_BACKEND"] = "numpy"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import keras
import numpy
from reshape_conformance.arrays import MOST_DIMENSIONS
from reshape_conformance.arrays import NUMPY as TYPES
from reshape_conformance.child import Rejected, Unsupported, serve

NAMES = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "f8e4m3": "float8_e4m3fn",
         "f8e5m2": "float8_e5m2", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u64": "uint64",
         "u32": "uint32", "u16": "uint16", "u8": "uint8", "boolean": "bool"}
FLOATS = {"f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"}
WAY = sys.argv[1]


def pattern_of(request):
    """The sizes as Python's numbers, which is what a caller has."""
    kind = float if request.pattern_type in FLOATS else bool if request.pattern_type == "boolean" else int
    return tuple(kind(value) for value in request.pattern)


def reshape(data, pattern):
    try:
        return keras.layers.Reshape(pattern)(data) if WAY == "layer" else keras.ops.reshape(data, pattern)
    except (ValueError, TypeError, OverflowError, MemoryError) as why:
        raise Rejected(next(iter(str(why).splitlines()), type(why).__name__)) from why


def say(request):
    """The data has a shape and no elements."""
    given = [1, *request.shape] if WAY == "layer" else request.shape
    output = reshape(keras.KerasTensor(given, NAMES[request.type]), pattern_of(request))
    if None in output.shape:
        raise Unsupported(f"all sizes are known, and it inferred {output.shape}")
    return output.shape[1:] if WAY == "layer" else output.shape, None


def run(request):
    data = numpy.frombuffer(request.data, TYPES[request.type]).reshape(request.shape)
    output = reshape(data, pattern_of(request))
    return output.shape, output.tobytes()


shapes = WAY != "ops"
serve(say if shapes else run, name=f"keras {WAY}", version=keras.__version__, dialects=["numpy-reshape"],
      element_types=NAMES if shapes else TYPES, answers=["shapes" if shapes else "data"],
      pattern_types=["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"],
      max_rank=0 if shapes else MOST_DIMENSIONS, max_bytes=0 if shapes else 2**24)

"""tf.reshape: run at once, or what the shape function of a graph says of a constant pattern.

    adapter.py eager | graph
"""

import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))

import ml_dtypes
import numpy
import tensorflow as tf
from reshape_conformance.child import Rejected, Unsupported, serve

# As NumPy holds them, which is how they come in and go out.
TYPES = {"f64": numpy.float64, "f32": numpy.float32, "f16": numpy.float16, "bf16": ml_dtypes.bfloat16,
         "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2, "i64": numpy.int64,
         "i32": numpy.int32, "i16": numpy.int16, "i8": numpy.int8, "i4": ml_dtypes.int4,
         "u64": numpy.uint64, "u32": numpy.uint32, "u16": numpy.uint16, "u8": numpy.uint8,
         "u4": ml_dtypes.uint4, "boolean": numpy.bool_}
REFUSALS = (tf.errors.OpError, TypeError, ValueError, OverflowError)


def pattern_of(request):
    return tf.constant(numpy.array(request.pattern, TYPES[request.pattern_type]).reshape(request.pattern_shape))


def reshape(data, request):
    try:
        return tf.reshape(data, pattern_of(request))
    except REFUSALS as why:
        raise Rejected((str(why) or type(why).__name__).splitlines()[0]) from why


def run(request):
    array = numpy.frombuffer(request.elements(), TYPES[request.type]).reshape(request.shape)
    try:
        data = tf.constant(array)
    except REFUSALS as why:
        raise Unsupported(f"the data cannot be made: {why}".splitlines()[0]) from why
    output = reshape(data, request)
    return output.shape, request.pack(output.numpy().tobytes())


def infer(request):
    with tf.Graph().as_default():
        try:
            data = tf.raw_ops.Placeholder(dtype=tf.as_dtype(TYPES[request.type]), shape=request.shape)
        except REFUSALS as why:
            raise Unsupported(f"the data cannot be made: {why}".splitlines()[0]) from why
        shape = reshape(data, request).shape
        if shape.rank is None or None in shape.as_list():
            raise Unsupported(f"all sizes are known, and it inferred {shape}")
        return shape.as_list(), None


# NumPy, by which data goes in and comes out, has 64 dimensions; TensorFlow itself has 254.
way, answers, ranks = {"eager": (run, "data", 64), "graph": (infer, "shapes", 254)}[sys.argv[1]]
serve(way, name=f"tensorflow {sys.argv[1]}", version=tf.__version__, dialects=["tensorflow-reshape"],
      element_types=TYPES, pattern_types=["i32", "i64"], answers=[answers], max_rank=ranks, max_bytes=2**63 - 1)

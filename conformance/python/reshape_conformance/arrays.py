"""A request as NumPy arrays, and a function's result as bytes again."""

import numpy

from .child import BITS, Unsupported

NUMPY = {"f64": "float64", "f32": "float32", "f16": "float16", "boolean": "bool",
         "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8",
         "u64": "uint64", "u32": "uint32", "u16": "uint16", "u8": "uint8"}
MOST_DIMENSIONS = 64 if int(numpy.__version__.split(".")[0]) > 1 else 32


class WrongResult(Exception):
    """The function returned what is no tensor of the request's element type."""


def dtype_of(type_):
    """NumPy's type of these elements, or the unsigned integer of their bits."""
    return numpy.dtype(NUMPY.get(type_) or f"uint{max(8, BITS[type_])}")


def data_of(request):
    """Writable, because some functions refuse what is not; it is the request's own copy."""
    try:
        data = numpy.frombuffer(bytearray(request.elements()), dtype_of(request.type))
        return data.reshape(request.shape)
    except (ValueError, MemoryError) as why:
        raise Unsupported(f"NumPy cannot make the data: {why}") from why


def pattern_of(request):
    try:
        pattern = numpy.array(request.pattern, dtype_of(request.pattern_type))
        return pattern.reshape(request.pattern_shape)
    except (ValueError, OverflowError, MemoryError) as why:
        raise Unsupported(f"NumPy cannot make the pattern: {why}") from why


def _array(result):
    if isinstance(result, numpy.ndarray):
        return result
    if hasattr(result, "__array__"):
        return numpy.asarray(result)
    if hasattr(result, "__dlpack__") and hasattr(numpy, "from_dlpack"):
        return numpy.from_dlpack(result)
    try:
        return numpy.asarray(memoryview(result))
    except TypeError:
        raise WrongResult(f"it returned {type(result).__name__}, which has no buffer as arrays have")


def result_of(result, request):
    """Shape and packed bytes, in row-major order whatever the strides are."""
    array = _array(result)
    if array.dtype != dtype_of(request.type):
        raise WrongResult(f"it returned elements of {array.dtype} for {dtype_of(request.type)}")
    return array.shape, request.pack(array.tobytes(order="C"))

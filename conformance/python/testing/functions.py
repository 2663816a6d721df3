"""Reshapes of NumPy, right and wrong, as users write them."""

import os
import time

import numpy
import reshape_conformance

print("This module prints while it is imported.")


def numpy_reshape(**more):
    return reshape_conformance.implementation(dialects=["numpy-reshape"], element_types="f32 i64", **more)


@numpy_reshape()
def reshape(data, pattern, special_zero):
    return data.reshape(tuple(pattern))


@numpy_reshape(name="with-a-request", version="7")
def by_request(request, data):
    print("This function prints while it is asked.")
    return memoryview(numpy.ascontiguousarray(data.reshape(tuple(request.pattern))))


@numpy_reshape()
def reversed_elements(data, pattern):
    return data.reshape(tuple(pattern))[..., ::-1]


_refused = False


@numpy_reshape()
def reversed_after_a_refusal(data, pattern):
    global _refused
    try:
        return data.reshape(tuple(pattern))[..., ::-1 if _refused else 1]
    except (ValueError, TypeError, OverflowError):
        _refused = True
        raise


@numpy_reshape()
def column_by_column(data, pattern):
    return numpy.asarray(data.reshape(tuple(pattern)), order="F")  # strides alone, which are no mistake


@numpy_reshape()
def refuses_at_length(data, pattern):
    try:
        return data.reshape(tuple(pattern))
    except (ValueError, TypeError, OverflowError):
        raise ValueError("no\ud800way" + "." * 10_000_000) from None


@numpy_reshape()
def returns_a_list(data, pattern):
    return data.reshape(tuple(pattern)).tolist()


@numpy_reshape()
def returns_nothing(data, pattern):
    data.reshape(tuple(pattern))


@numpy_reshape()
def returns_doubles(data, pattern):
    return data.reshape(tuple(pattern)).astype("float64")


@numpy_reshape()
def refuses_all(data, pattern):
    raise ValueError("not today")


@numpy_reshape()
def raises_another(data, pattern):
    return {}["no such key"]


@numpy_reshape(refusals=KeyError)
def refuses_by_key_error(data, pattern):
    try:
        return data.reshape(tuple(pattern))
    except (ValueError, TypeError, OverflowError) as why:
        raise KeyError(str(why)) from why


@numpy_reshape()
def exits(data, pattern):
    raise SystemExit(0)


@numpy_reshape()
def aborts(data, pattern):
    os.abort()


@numpy_reshape()
def hangs(data, pattern):
    time.sleep(600)


def undecorated(data, pattern):
    return data.reshape(tuple(pattern))


@reshape_conformance.implementation(dialects="onnx-reshape-25", element_types=["bf16", "i4"])
def bits(data, pattern, special_zero):
    sizes = [data.shape[at] if size == 0 and special_zero and at < data.ndim else int(size)
             for at, size in enumerate(pattern)]
    return data.reshape(sizes)

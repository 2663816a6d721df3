"""A Reshape written in Python, held to what the specification says.

    import reshape_conformance

    @reshape_conformance.implementation(dialects=["numpy-reshape"], element_types="f32 i64")
    def reshape(data, pattern, special_zero):
        return data.reshape(tuple(pattern))

    reshape-conformance run -i python:mymodule:reshape
    pytest --reshape-conformance --reshape-conformance-of mymodule:reshape
"""

from .child import Rejected, Request, Unsupported
from .declaration import Declaration, declaration_of, implementation

__all__ = ["Declaration", "Rejected", "Request", "Unsupported", "declaration_of", "implementation"]

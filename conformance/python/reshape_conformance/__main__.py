"""python -m reshape_conformance TARGET: the child that `run -i python:TARGET` starts."""

import sys

from .child import Rejected, Unsupported, serve, take_standard_output
from .declaration import declaration_of
from .find import NotFound, find

NOT_STARTED = 3


def _stop(sentence):
    # One line of standard error is quoted.
    print(" ".join(str(sentence).split()), file=sys.stderr, flush=True)
    sys.exit(NOT_STARTED)


def _asked(function, declared, arrays):
    def reshape(request):
        # Asked only where the document refuses these types. A function sees numbers, and no type of the pattern
        # where it makes a list of it, so what it does not declare is refused for it.
        if request.pattern_type not in declared.pattern_types:
            raise Rejected(f"a pattern of {request.pattern_type} is not declared")
        if request.type not in declared.element_types:
            raise Rejected(f"data of {request.type} is not declared")
        whole = {"data": arrays.data_of(request), "pattern": arrays.pattern_of(request),
                 "special_zero": request.special_zero, "request": request}
        try:
            result = function(**{name: whole[name] for name in declared.takes})
        except (Rejected, Unsupported):
            raise
        except declared.refusals as refusal:
            raise Rejected(f"{type(refusal).__name__}: {refusal}") from refusal
        return arrays.result_of(result, request)

    return reshape


def main():
    answers_to = take_standard_output()  # before the module is imported, which may print
    if len(sys.argv) != 2:
        _stop("usage: python -m reshape_conformance module:function")
    try:
        from . import arrays
    except ImportError as why:
        _stop(f"the data comes in NumPy's arrays, which this Python has not: {why}")
    try:
        function = find(sys.argv[1])
    except NotFound as why:
        _stop(why)
    declared = declaration_of(function)
    rank = arrays.MOST_DIMENSIONS
    serve(_asked(function, declared, arrays), name=declared.name, version=declared.version,
          dialects=declared.dialects, element_types=declared.element_types,
          pattern_types=declared.pattern_types, max_bytes=declared.max_bytes, answers=["data"],
          max_rank=min(declared.max_rank or rank, rank), answers_to=answers_to)


if __name__ == "__main__":
    main()

"""A pattern that the model computes from the sizes of its inputs, as exporters write it."""

import random

from onnx import TensorProto, helper


def drawn(shape, pattern):
    """Where each value of the pattern comes from: (None, value), or the name of an input and which of its sizes; and
    the sizes of the input "other", which has no elements. Equal requests are drawn equally."""
    chance = random.Random(str((shape, pattern)))
    sources, other = [], [0]
    for value in pattern:
        places = [(None, value)] + [("data", axis) for axis, size in enumerate(shape) if size == value]
        if value >= 0:
            places.append(("other", len(other)))
        sources.append(chance.choice(places))
        if sources[-1][0] == "other":
            other.append(value)
    return tuple(sources), other


def pattern(opset, sources):
    """The nodes and initializers of "pattern", as exporters write them: Concat of constants and of Gather of Shape."""
    def integers(name, values):
        return helper.make_tensor(name, TensorProto.INT64, [len(values)], values)

    if not sources:  # Concat joins one list at least
        return [], [integers("pattern", [])]
    axes, attribute = (["first"], {}) if opset >= 13 else ([], {"axes": [0]})
    nodes, initializers, parts = [], [integers("first", [0])], []
    for place, (source, value) in enumerate(sources):
        parts.append(f"value {place}")
        if source is None:
            initializers.append(integers(parts[-1], [value]))
            continue
        initializers.append(helper.make_tensor(f"axis {place}", TensorProto.INT64, [], [value]))
        nodes += [helper.make_node("Shape", [source], [f"shape {place}"]),
                  helper.make_node("Gather", [f"shape {place}", f"axis {place}"], [f"size {place}"]),
                  helper.make_node("Unsqueeze", [f"size {place}", *axes], parts[-1:], **attribute)]
    return nodes + [helper.make_node("Concat", parts, ["pattern"], axis=0)], initializers

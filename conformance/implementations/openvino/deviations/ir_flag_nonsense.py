"""A special_zero that is neither true nor false is read from IR as false, and nothing is said.

Clause special-zero.required: the attribute is true or false.
"""
import sys

import openvino as ov

LAYERS = """<net name="reshape" version="11"><layers>
<layer id="0" name="data" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/>
<output><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="1" name="pattern" type="Const" version="opset1">
<data element_type="i64" shape="2" offset="0" size="16"/>
<output><port id="0" precision="I64"><dim>2</dim></port></output></layer>
<layer id="2" name="reshape" type="Reshape" version="opset1"><data special_zero="yes"/>
<input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port><port id="1" precision="I64"><dim>2</dim></port></input>
<output><port id="2" precision="FP32"><dim>3</dim><dim>2</dim></port></output></layer>
<layer id="3" name="out" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>3</dim><dim>2</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></net>"""
VALUES = b"".join(value.to_bytes(8, "little") for value in (3, 2))

try:
    operations = ov.Core().read_model(LAYERS.encode(), VALUES).get_ops()
    (came,) = [node.get_attributes() for node in operations if node.get_type_name() == "Reshape"]
except RuntimeError as refused:
    came = "refused: " + str(refused).strip().split("\n")[-1]
print('special_zero="yes": came', came, "- the document says a refusal")
sys.exit(0 if came == {"special_zero": False} else 1)

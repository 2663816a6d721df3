"""A shape that is a scalar is accepted. Clause pattern.one-dimensional: the shape is 1-D."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

came = {}
for type_ in (tf.int32, tf.int64):
    try:
        came[type_.name] = tf.reshape(tf.zeros([2, 3]), tf.constant(6, type_)).shape.as_list()
    except tf.errors.OpError as why:
        came[type_.name] = why.message.splitlines()[0]
print(f"tensorflow {tf.__version__}: tf.reshape of [2,3] to the scalar 6: {came}; the document: refused")
raise SystemExit(0 if isinstance(came["int32"], list) else 1)

"""The shape function of a graph refuses an empty tensor a -1 beside sizes whose product is above 2^63-1. Clause
minus-one.inferred: the -1 is 0."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

asked, says = [-1, 2**40, 2**40], [0, 2**40, 2**40]
with tf.Graph().as_default():
    data = tf.raw_ops.Placeholder(dtype=tf.float32, shape=[0])
    try:
        came = tf.reshape(data, tf.constant(asked, tf.int64)).shape.as_list()
    except ValueError as why:
        came = str(why).splitlines()[0]
print(f"tensorflow {tf.__version__}: the shape of tf.reshape of no elements to {asked}: {came}; the document: {says}")
raise SystemExit(0 if came != says else 1)

"""The shape function of a graph multiplies sizes in 64 bits: 0 elements are given a shape of 2^64. Clause volume.kept."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

asked = [2**32, 2**32]
with tf.Graph().as_default():
    data = tf.raw_ops.Placeholder(dtype=tf.float32, shape=[0])
    try:
        came = tf.reshape(data, tf.constant(asked, tf.int64)).shape.as_list()
    except ValueError as why:
        came = str(why).splitlines()[0]
print(f"tensorflow {tf.__version__}: the shape of tf.reshape of no elements to {asked}: {came}; the document: refused")
raise SystemExit(0 if came == asked else 1)

// A -1 becomes a size above 2^63-1. Clause size.representable: no size is, so that it is refused.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

const given = [2 ** 62, 4];
// Its elements are never written, so that it takes no memory.
const data = tf.engine().makeTensorFromTensorInfo(tf.backend().makeTensorInfo(given, 'float32'));
let came;
try {
  came = tf.reshape(data, [-1]).shape;
} catch (why) {
  came = why.message;
}
console.log(`tfjs ${tf.version_core}: tf.reshape of [2^62,4] to [-1]: ${JSON.stringify(came)}; ` +
            'the document: refused');
process.exit(Array.isArray(came) ? 0 : 1);

// A -1 is divided from a volume that was rounded: 2^53 + 1 elements are taken for an even number.
// Clause minus-one.divides: what leaves a remainder is refused.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

const given = [3, 107, 28059810762433];
const asked = [2, -1];
// Its elements are never written, so that it takes no memory.
const data = tf.engine().makeTensorFromTensorInfo(tf.backend().makeTensorInfo(given, 'float32'));
let came;
try {
  came = tf.reshape(data, asked).shape;
} catch (why) {
  came = why.message;
}
console.log(`tfjs ${tf.version_core}: tf.reshape of [${given}] to [${asked}]: ${JSON.stringify(came)}; ` +
            'the document: refused, 9007199254740993 elements do not divide by 2');
process.exit(Array.isArray(came) ? 0 : 1);

// Volumes are compared as floating-point numbers, so that 2^53 + 1 elements become 2^53. Clause
// volume.kept: as many elements as before.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

const given = [3, 3002399751580331];
const asked = [2 ** 53];
// Its elements are never written, so that it takes no memory.
const data = tf.engine().makeTensorFromTensorInfo(tf.backend().makeTensorInfo(given, 'float32'));
let came;
try {
  came = tf.reshape(data, asked).shape;
} catch (why) {
  came = why.message;
}
console.log(`tfjs ${tf.version_core}: tf.reshape of [${given}] to [${asked}]: ${JSON.stringify(came)}; ` +
            'the document: refused, 9007199254740993 elements are not 9007199254740992');
process.exit(Array.isArray(came) ? 0 : 1);

// A nested array is taken for a list of sizes, and the tensor's shape is nested itself. Clause
// pattern.one-dimensional: the shape is 1-D.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

const asked = [[2], [3]];
let came;
try {
  came = tf.reshape(tf.range(0, 6), asked).shape;
} catch (why) {
  came = why.message;
}
console.log(`tfjs ${tf.version_core}: tf.reshape of [6] to [[2],[3]]: ${JSON.stringify(came)}; ` +
            'the document: refused');
process.exit(Array.isArray(came) ? 0 : 1);

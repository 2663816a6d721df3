// Sizes that are no integers are accepted as long as their product is the number of elements, and
// a -1 is divided by them. Clause pattern.type: sizes are integers.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

function reshaped(count, sizes) {
  try {
    return tf.reshape(tf.zeros([count]), sizes).shape;
  } catch (why) {
    return why.message;
  }
}

const plain = reshaped(6, [1.5, 4]);
const inferred = reshaped(5, [-1, 2.5]);
console.log(`tfjs ${tf.version_core}: tf.reshape of [6] to [1.5,4]: ${JSON.stringify(plain)}, ` +
            `of [5] to [-1,2.5]: ${JSON.stringify(inferred)}; the document: refused`);
process.exit(Array.isArray(plain) && Array.isArray(inferred) ? 0 : 1);

// No elements are refused sizes with a 0 among them where the sizes before it multiply to Infinity,
// which 0 makes NaN. Clause zero.empty-tensors: a 0 in the shape asks for no elements.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

const many = Array(34).fill(2 ** 31 - 1);

function reshaped(sizes) {
  try {
    return tf.reshape(tf.zeros([0]), sizes).shape.length;
  } catch (why) {
    return why.message.replace(/2147483647,/g, '').slice(0, 60);
  }
}

const last = reshaped([...many, 0]);
const first = reshaped([0, ...many]);
console.log(`tfjs ${tf.version_core}: tf.reshape of [0] to 34 sizes of 2^31-1 and a 0: ${last}..., ` +
            `to a 0 and these: ${first} dimensions; the document: 35 dimensions`);
process.exit(last !== 35 ? 0 : 1);

// A complex tensor shares its parts with what it is reshaped to, and their shape is changed in
// place: the parts of data and of earlier outputs get the latest shape. Clause output.shape: the
// output has the sizes that were asked, and the data has its own.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

const data = tf.complex([1, 2, 3, 4], [5, 6, 7, 8]);
const square = tf.reshape(data, [2, 2]);
tf.reshape(data, [4, 1]);
const [ofData, ofSquare] = [tf.real(data).shape, tf.real(square).shape];
console.log(`tfjs ${tf.version_core}: complex [4] to [2,2] and then to [4,1]: the real part of the data is ` +
            `[${ofData}], of the first output [${ofSquare}]; the document: [4] and [2,2]`);
process.exit(String(ofData) !== '4' || String(ofSquare) !== '2,2' ? 0 : 1);

// A graph model takes a pattern of two dimensions, and the output's shape is nested. Clause
// pattern.one-dimensional: the shape is 1-D.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
const {loadGraphModelSync} = require('@tensorflow/tfjs-converter');

const placeholder = (name, type) => ({name, op: 'Placeholder', attr: {dtype: {type}}});
const modelTopology = {versions: {producer: 1}, node: [
  placeholder('data', 'DT_FLOAT'), placeholder('pattern', 'DT_INT32'),
  {name: 'output', op: 'Reshape', input: ['data', 'pattern'], attr: {}}]};
const model = loadGraphModelSync({modelTopology, weightSpecs: [], weightData: new ArrayBuffer(0)});

let came;
try {
  const pattern = tf.tensor2d([[3], [2]], [2, 1], 'int32');
  came = model.execute({data: tf.zeros([6]), pattern}, 'output').shape;
} catch (why) {
  came = why.message;
}
console.log(`tfjs ${tf.version_core}: Reshape of [6] by the pattern [[3],[2]]: ${JSON.stringify(came)}; ` +
            'the document: refused');
process.exit(Array.isArray(came) ? 0 : 1);

// A graph model takes a pattern of floats, and a size is none that has a fraction. Clause
// pattern.type: the shape is a tensor of int32 or int64.
console.warn = () => {};  // which advertises another package
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
const {loadGraphModelSync} = require('@tensorflow/tfjs-converter');

const placeholder = (name, type) => ({name, op: 'Placeholder', attr: {dtype: {type}}});
const modelTopology = {versions: {producer: 1}, node: [
  placeholder('data', 'DT_FLOAT'), placeholder('pattern', 'DT_FLOAT'),
  {name: 'output', op: 'Reshape', input: ['data', 'pattern'], attr: {}}]};
const model = loadGraphModelSync({modelTopology, weightSpecs: [], weightData: new ArrayBuffer(0)});
let came;
try {
  came = model.execute({data: tf.zeros([6]), pattern: tf.tensor1d([1.5, 4])}, 'output').shape;
} catch (why) {
  came = why.message;
}
console.log(`tfjs ${tf.version_core}: Reshape of [6] by the floats [1.5,4]: ${JSON.stringify(came)}; ` +
            'the document: refused');
process.exit(Array.isArray(came) ? 0 : 1);

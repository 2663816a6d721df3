'use strict';
// TensorFlow.js: tf.reshape with an array of sizes, or the Reshape of a graph model.
//
//   adapter.js cpu | wasm              tf.reshape by this backend
//   adapter.js shapes                  the same of tensors that nobody wrote, for their shapes
//   adapter.js constant | runtime      a graph model, whose pattern is a weight or an input

const path = require('path');
const {Rejected, Unsupported, serve} = require(path.join(__dirname, '../../javascript/child.js'));
// Node is told of another package at each start, which hides what a failure says.
console.warn = () => {};
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
const {loadGraphModelSync} = require('@tensorflow/tfjs-converter');

const TYPES = {f32: 'float32', i32: 'int32', boolean: 'bool'};
const ARRAYS = {f32: Float32Array, i32: Int32Array, boolean: Uint8Array};
const IN_MODELS = {f32: 'DT_FLOAT', i32: 'DT_INT32', boolean: 'DT_BOOL'};
const WAY = process.argv[2];

// What a caller can write: no Number is 2^53 + 1.
function number(size, Refusal) {
  if (BigInt(Number(size)) !== size) throw new Refusal(`no Number is ${size}`);
  return Number(size);
}

// As an array, which is nested or none where the pattern has another rank than 1.
function laidOut(values, shape) {
  if (shape.length === 0) return values[0];
  if (shape.length === 1) return values;
  const step = shape[0] === 0 ? 0 : values.length / shape[0];
  const row = (_, at) => laidOut(values.slice(at * step, (at + 1) * step), shape.slice(1));
  return Array.from({length: shape[0]}, row);
}

function dataOf(request) {
  const shape = request.shape.map((size) => number(size, Unsupported));
  if (WAY === 'shapes') {
    // What a kernel has before it fills its output.
    const info = tf.backend().makeTensorInfo(shape, TYPES[request.type]);
    return tf.engine().makeTensorFromTensorInfo(info);
  }
  if (request.data === undefined) return tf.zeros(shape, TYPES[request.type]);
  return tf.tensor(new ARRAYS[request.type](request.data.buffer), shape, TYPES[request.type]);
}

function byArray(request) {
  // A Number has no element type.
  if (!['i32', 'i64'].includes(request.pattern_type)) throw new Rejected('sizes are integers');
  const values = request.pattern.map((value) => number(value, Rejected));
  const pattern = laidOut(values, request.pattern_shape.map(Number));
  return () => tf.reshape(dataOf(request), pattern);
}

// A pattern of int64 becomes one of int32 where that keeps it, as the converter does.
function patternOf(request) {
  const type = request.pattern_type === 'i64' ? 'i32' : request.pattern_type;
  if (!(type in TYPES)) throw new Rejected('there is no such type in a model');
  if (request.pattern.some((value) => value !== BigInt.asIntN(32, value))) {
    throw new Rejected('a size is beyond 32 bits');
  }
  return [type, ARRAYS[type].from(request.pattern, Number), request.pattern_shape.map(Number)];
}

function byModel(request) {
  const [type, values, shape] = patternOf(request);
  const dtype = (one) => ({dtype: {type: IN_MODELS[one]}});
  const isConstant = WAY === 'constant';
  const modelTopology = {versions: {producer: 1}, node: [
    {name: 'data', op: 'Placeholder', attr: dtype(request.type)},
    {name: 'pattern', op: isConstant ? 'Const' : 'Placeholder', attr: dtype(type)},
    {name: 'output', op: 'Reshape', input: ['data', 'pattern'],
     attr: {T: {type: IN_MODELS[request.type]}, Tshape: {type: IN_MODELS[type]}}}]};
  const weightSpecs = isConstant ? [{name: 'pattern', shape, dtype: TYPES[type]}] : [];
  const weightData = isConstant ? values.buffer : new ArrayBuffer(0);
  const model = loadGraphModelSync({load: () => ({modelTopology, weightSpecs, weightData})});
  return () => {
    const inputs = {data: dataOf(request)};
    if (!isConstant) inputs.pattern = tf.tensor(values, shape, TYPES[type]);
    try {
      return model.execute(inputs, 'output');
    } finally {
      model.dispose();
    }
  };
}

function reshape(request) {
  const call = (['constant', 'runtime'].includes(WAY) ? byModel : byArray)(request);
  tf.engine().startScope();
  try {
    let output;
    try {
      output = call();
    } catch (why) {
      if (why.constructor !== Error) throw why;  // what it refuses is a plain Error
      throw new Rejected(why.message);
    }
    return [output.shape, request.data === undefined ? undefined : output.dataSync()];
  } finally {
    tf.engine().endScope();
  }
}

async function main() {
  if (WAY === 'wasm') require('@tensorflow/tfjs-backend-wasm');
  await tf.setBackend(WAY === 'wasm' ? 'wasm' : 'cpu');
  await serve(reshape, {name: `tfjs ${WAY}`, version: tf.version_core, dialects: ['tensorflow-reshape'],
                        element_types: Object.keys(TYPES), pattern_types: ['i32', 'i64'],
                        answers: WAY === 'shapes' ? ['shapes'] : ['shapes', 'data'],
                        max_bytes: WAY === 'shapes' ? 0 : 2 ** 24});
}

main();

'use strict';
// Reshape of ONNX Runtime Web: its WebAssembly, whose memory has 32-bit addresses, in Node.
//
//   adapter.js runtime | constant      the pattern is an input of the model, or an initializer

const path = require('path');
const {Rejected, Unsupported, serve} = require(path.join(__dirname, '../../javascript/child.js'));
const {model} = require('./model.js');
const ort = require('onnxruntime-web');

const OPSETS = [5, 13, 14, 19, 21, 23, 24, 25];
const NAMES = {f64: 'float64', f32: 'float32', f16: 'float16', i64: 'int64', i32: 'int32',
               i16: 'int16', i8: 'int8', i4: 'int4', u64: 'uint64', u32: 'uint32', u16: 'uint16',
               u8: 'uint8', u4: 'uint4', boolean: 'bool'};
const ARRAYS = {f64: Float64Array, f32: Float32Array, f16: globalThis.Float16Array || Uint16Array,
                i64: BigInt64Array, i32: Int32Array, i16: Int16Array, i8: Int8Array,
                u64: BigUint64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array,
                boolean: Uint8Array};
const WAY = process.argv[2];
ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;

// To make a session takes longer than to ask it, and a constant pattern needs one of its own.
const sessions = new Map();
const MOST_SESSIONS = 64;

async function session(form) {
  const key = JSON.stringify(form);
  if (!sessions.has(key)) {
    const options = {executionProviders: ['wasm'], logSeverityLevel: 4};
    sessions.set(key, await refusing(ort.InferenceSession.create(model(form), options)));
    if (sessions.size > MOST_SESSIONS) {
      const [[oldest, one]] = sessions;
      sessions.delete(oldest);
      await one.release();
    }
  }
  return sessions.get(key);
}

// It refuses by an Error, or by a RangeError about sizes. Others are mistakes, such as the
// RuntimeError of WebAssembly that leaves its memory.
async function refusing(promise) {
  try {
    return await promise;
  } catch (why) {
    if (why.constructor !== Error && why.constructor !== RangeError) throw why;
    throw new (why.message.includes('ERROR_CODE: 9,') ? Unsupported : Rejected)(why.message);
  }
}

function tensor(type, array, shape) {
  if (shape.some((size) => size > Number.MAX_SAFE_INTEGER)) {
    throw new Unsupported('a tensor has no size beyond 2^53');
  }
  return new ort.Tensor(NAMES[type], array, shape.map(Number));
}

// Zeros where the shape alone is asked.
function dataOf(request) {
  const Elements = ARRAYS[request.type];
  const volume = request.shape.reduce((product, size) => product * size, 1n);
  const array = request.data ? new Elements(request.data.buffer) : new Elements(Number(volume));
  return tensor(request.type, array, request.shape);
}

async function reshape(request) {
  const {type, pattern_type: patternType} = request;
  if (!(type in NAMES) || !(patternType in ARRAYS)) throw new Rejected('no tensor has this type');
  const opset = Number(request.dialect.slice(request.dialect.lastIndexOf('-') + 1));
  const hasFlag = opset >= 14 && request.special_zero !== null;
  const allowzero = hasFlag ? Number(!request.special_zero) : null;
  const patternShape = request.pattern_shape.map(Number);
  const isWide = ['i64', 'u64'].includes(patternType);
  const values = ARRAYS[patternType].from(request.pattern, isWide ? undefined : Number);
  const form = {opset, type, allowzero, patternType, patternShape};
  const feeds = {};
  if (WAY === 'runtime') {
    form.patternShape = patternShape.map(() => 0);
    feeds.pattern = tensor(patternType, values, request.pattern_shape);
  } else {
    form.pattern = Array.from(new Uint8Array(values.buffer));
  }
  const one = await session(form);
  feeds.data = dataOf(request);
  const {output} = await refusing(one.run(feeds));
  return [output.dims, output.data];
}

serve(reshape, {name: `onnxruntime-web ${WAY} pattern`, version: ort.env.versions.web,
                dialects: OPSETS.map((opset) => `onnx-reshape-${opset}`), max_bytes: 2 ** 24,
                // Elements of 4 bits have no kernel: that is asked in the first way.
                element_types: Object.keys(WAY === 'runtime' ? NAMES : ARRAYS)});

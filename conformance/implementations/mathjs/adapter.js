'use strict';
// math.js: reshape of nested arrays, and of a DenseMatrix.
//
//   adapter.js array | matrix

const path = require('path');
const {Rejected, Unsupported, serve} = require(path.join(__dirname, '../../javascript/child.js'));
const {DenseMatrix, reshape, size, version} = require('mathjs');

// As integers, since a Number keeps no NaN as it is; what is reshaped may hold values of any kind.
const WORDS = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array};
const BYTES = {f64: 8, f32: 4, f16: 2, bf16: 2, f8e4m3: 1, f8e5m2: 1, i64: 8, i32: 4, i16: 2, i8: 1, u64: 8, u32: 4,
               u16: 2, u8: 1, boolean: 1};
const INTEGERS = ['i64', 'u64', 'i32', 'i16', 'i8', 'u32', 'u16', 'u8'];
const WAY = process.argv[2];

// What a caller can write: no Number is 2^53 + 1.
function number(value, Refusal) {
  if (BigInt(Number(value)) !== value) throw new Refusal(`no Number is ${value}`);
  return Number(value);
}

// The elements of a row, in row-major order, as arrays of arrays.
function nested(row, shape, from = 0) {
  if (shape.length === 0) return row[from];
  const step = shape.slice(1).reduce((all, one) => all * one, 1);
  return Array.from({length: shape[0]}, (_, at) => nested(row, shape.slice(1), from + at * step));
}

function ask(request) {
  const shape = request.shape.map((one) => number(one, Unsupported));
  const row = new WORDS[BYTES[request.type]](request.data.buffer);
  // A Number does not show whether it came from a float.
  const isBoolean = request.pattern_type === 'boolean';
  if (!isBoolean && !INTEGERS.includes(request.pattern_type)) throw new Rejected('sizes are integers');
  if (WAY === 'array' && row.length === 0) throw new Unsupported('an array without elements has one size');
  const pattern = request.pattern.map((value) => (isBoolean ? value !== 0n : number(value, Rejected)));
  if (WAY === 'matrix' && shape.length === 0) throw new Unsupported('a matrix has a dimension');
  const elements = nested(row, shape);
  try {
    const output = reshape(WAY === 'matrix' ? new DenseMatrix({data: elements, size: shape}) : elements, pattern);
    const came = WAY === 'matrix' ? output.size() : size(output);
    const values = (WAY === 'matrix' ? output.toArray() : output).flat(Infinity);
    return [came, new Uint8Array(row.constructor.from(values.length === row.length ? values : []).buffer)];
  } catch (why) {
    if (why instanceof Error) throw new Rejected(why.message);
    throw why;
  }
}

serve(ask, {name: `mathjs ${WAY}`, version, dialects: ['numpy-reshape'], answers: ['data'],
            element_types: Object.keys(BYTES), pattern_types: INTEGERS, max_bytes: 2 ** 20});

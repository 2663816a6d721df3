'use strict';
// NumJs, by the fork of it that is kept up: NdArray.reshape.
//
//   adapter.js dense | strided     strided: axes in the reverse order, a gap behind each element

const path = require('path');
const {Rejected, Unsupported, serve} = require(path.join(__dirname, '../../javascript/child.js'));
const {NdArray, default: nj} = require('@d4c/numjs');

const ARRAYS = {f64: Float64Array, f32: Float32Array, i32: Int32Array, i16: Int16Array,
                i8: Int8Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array};
const WORDS = {1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array};
const INTEGERS = ['i64', 'u64', 'i32', 'i16', 'i8', 'u32', 'u16', 'u8'];
const WAY = process.argv[2];

// What a caller can write: no Number is 2^53 + 1.
function number(size, Refusal) {
  if (BigInt(Number(size)) !== size) throw new Refusal(`no Number is ${size}`);
  return Number(size);
}

const product = (sizes) => sizes.reduce((all, size) => all * size, 1);

// As integers, since a Number keeps no NaN as it is.
const wordsOf = (array) => new WORDS[array.BYTES_PER_ELEMENT](array.buffer);

// Calls with each row-major position and the place of its element.
function walk(shape, strides, offset, visit) {
  const at = shape.map(() => 0);
  const volume = product(shape);
  for (let place = offset, position = 0; position < volume; ++position) {
    visit(position, place);
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      place += strides[axis];
      if (++at[axis] < shape[axis]) break;
      place -= strides[axis] * shape[axis];
      at[axis] = 0;
    }
  }
}

// `row` has the elements in row-major order.
function laidOut(row, shape) {
  if (WAY === 'dense') return new NdArray(row, shape);
  const strides = shape.map((_, axis) => 2 * product(shape.slice(0, axis)));
  const lying = new row.constructor(2 * row.length);
  const [from, to] = [wordsOf(row), wordsOf(lying)];
  walk(shape, strides, 0, (position, place) => { to[place] = from[position]; });
  return new NdArray(lying, shape, strides, 0);
}

function elementsOf({data, shape, stride, offset}, row) {
  // What does not have as many elements is not read.
  const isShape = shape.every((size) => Number.isInteger(size) && size >= 0);
  if (!isShape || product(shape) !== row.length) return new Uint8Array(0);
  const elements = new row.constructor(row.length);
  const [from, to] = [wordsOf(data), wordsOf(elements)];
  walk(shape, stride, offset, (position, place) => { to[position] = from[place]; });
  return elements;
}

function reshape(request) {
  if (!INTEGERS.includes(request.pattern_type)) throw new Rejected('sizes are integers');
  const pattern = request.pattern.map((value) => number(value, Rejected));
  const row = new ARRAYS[request.type](request.data.buffer);
  const given = laidOut(row, request.shape.map((size) => number(size, Unsupported)));
  let output;
  try {
    output = given.reshape(pattern);
  } catch (why) {
    if (why instanceof nj.errors.ValueError) throw new Rejected(why.message);
    throw why;
  }
  return [output.shape, elementsOf(output.selection, row)];
}

serve(reshape, {name: `numjs ${WAY}`, version: '0.17.35', dialects: ['numpy-reshape'],
                answers: ['data'], element_types: Object.keys(ARRAYS), pattern_types: INTEGERS,
                max_bytes: 2 ** 24});

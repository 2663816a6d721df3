'use strict';
// jax-js: numpy.reshape of arrays in its WebAssembly, or in its interpreter.
//
//   adapter.js cpu | wasm    of dense data, on this device
//   adapter.js strided       of data whose axes lie in the reverse order
//   adapter.js compiled      jit of the transposition of such data and the reshape together
//   adapter.js shapes        of zeros, which take no memory

const path = require('path');
const {Rejected, Unsupported, serve} = require(path.join(__dirname, '../../javascript/child.js'));
// Before Node 24 there is no such class, and of each array of doubles the library asks whether it
// is one.
globalThis.Float16Array ??= class Float16Array {};
const {init, defaultDevice, jit, numpy: np} = require('@jax-js/jax');

const TYPES = {f64: 'float64', f32: 'float32', i32: 'int32', u32: 'uint32', boolean: 'bool'};
const ARRAYS = {f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array,
                boolean: Int32Array};
const INTEGERS = ['i64', 'i32', 'i16', 'i8', 'u64', 'u32', 'u16', 'u8'];
const WAY = process.argv[2];
const AXES_TURNED = ['strided', 'compiled'].includes(WAY);

// What a caller can write: no Number is 2^53 + 1.
function number(size, Refusal) {
  if (BigInt(Number(size)) !== size) throw new Refusal(`no Number is ${size}`);
  return Number(size);
}

// The elements in the order in which they lie when the first axis is the innermost one; moved as
// integers, since a Number keeps no NaN as it is.
function turned(elements, shape) {
  const Words = elements.BYTES_PER_ELEMENT === 8 ? BigUint64Array : Uint32Array;
  const row = new Words(elements.buffer);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((a, b) => a * b, 1));
  const at = shape.map(() => 0);
  const lying = new Words(row.length);
  for (let place = 0, from = 0; from < row.length; ++from) {
    lying[place] = row[from];
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      place += strides[axis];
      if (++at[axis] < shape[axis]) break;
      place -= strides[axis] * shape[axis];
      at[axis] = 0;
    }
  }
  return new elements.constructor(lying.buffer);
}

// A row of the elements; jax-js has four bytes for a boolean.
function rowOf(request) {
  const Elements = ARRAYS[request.type];
  if (request.type === 'boolean') return Elements.from(request.data);
  return new Elements(request.data.buffer);
}

function made(row, shape, dtype) {
  return row.length === 0 ? np.zeros(shape, {dtype}) : np.array(row, {dtype, shape});
}

function asked(request) {
  const pattern = request.pattern.map((value) => number(value, Rejected));
  const shape = request.shape.map((size) => number(size, Unsupported));
  const dtype = TYPES[request.type];
  if (request.data === undefined) return np.reshape(np.zeros(shape, {dtype}), pattern);
  if (!AXES_TURNED) return np.reshape(made(rowOf(request), shape, dtype), pattern);
  const given = made(turned(rowOf(request), shape), shape.slice().reverse(), dtype);
  const both = (data) => np.reshape(np.transpose(data), pattern);
  return (WAY === 'compiled' ? jit(both) : both)(given);
}

async function reshape(request) {
  if (!INTEGERS.includes(request.pattern_type)) throw new Rejected('sizes are integers');
  let output;
  try {
    output = asked(request);
  } catch (why) {
    if (why.constructor !== Error) throw why;  // what it refuses is a plain Error
    throw new Rejected(why.message);
  }
  const sizes = output.shape;
  if (request.data === undefined) {
    output.dispose();
    return [sizes];
  }
  const elements = await output.data();
  return [sizes, request.type === 'boolean' ? Uint8Array.from(elements) : elements];
}

async function main() {
  await init('cpu', 'wasm');
  defaultDevice(WAY === 'cpu' ? 'cpu' : 'wasm');
  await serve(reshape, {name: `jax-js ${WAY}`, version: '0.1.25', dialects: ['numpy-reshape'],
                        element_types: Object.keys(TYPES), pattern_types: INTEGERS,
                        answers: WAY === 'shapes' ? ['shapes'] : ['data'],
                        max_bytes: WAY === 'shapes' ? 0 : 2 ** 24});
}

main();

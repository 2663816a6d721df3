'use strict';
// The smallest conforming child in JavaScript: the rules of numpy.reshape, written out.
//
//   reshape-conformance run -i 'child:node mine.js'

const {Rejected, serve} = require('../../javascript/child.js');

const volume = (sizes) => sizes.reduce((product, size) => product * size, 1n);

const integers = ['i64', 'i32', 'i16', 'i8', 'u64', 'u32', 'u16', 'u8'];

function reshape(request) {
  if (!integers.includes(request.pattern_type)) throw new Rejected('sizes are integers');
  const shape = request.pattern.slice();
  if (shape.some((size) => size < -1n)) throw new Rejected('a size is negative');
  const inferred = shape.indexOf(-1n);
  if (inferred !== shape.lastIndexOf(-1n)) throw new Rejected('more than one size is -1');
  if (inferred >= 0) {
    const others = volume(shape.filter((_, place) => place !== inferred));
    if (others === 0n) throw new Rejected('nothing determines the -1 beside a 0');
    shape[inferred] = volume(request.shape) / others;
  }
  if (volume(shape) !== volume(request.shape)) throw new Rejected('the volumes differ');
  if (shape.some((size) => size >= 2n ** 63n)) throw new Rejected('a size is beyond 63 bits');
  return [shape, request.data];
}

serve(reshape, {name: 'mine', version: '1', dialects: ['numpy-reshape'],
                element_types: ['f64', 'f32', 'f16', 'boolean', ...integers],
                pattern_types: integers});

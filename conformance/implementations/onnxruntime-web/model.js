'use strict';
// An ONNX model of one Reshape, written in the wire format of protobuf by the field numbers of
// onnx.proto.

const TYPES = {f32: 1, u8: 2, i8: 3, u16: 4, i16: 5, i32: 6, i64: 7, boolean: 9, f16: 10, f64: 11,
               u32: 12, u64: 13, u4: 21, i4: 22};

// Of a number that is not negative: 7 bits in a byte, the lowest first.
function varint(number) {
  const bytes = [];
  for (let rest = BigInt(number); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) | 128);
  }
}

const int = (field, number) => Buffer.concat([varint(field << 3), varint(number)]);

function bytes(field, ...parts) {
  const whole = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint((field << 3) | 2), varint(whole.length), whole]);
}

// A tensor of this rank whose sizes the model leaves open; null: of any rank.
function value(field, name, type, rank) {
  const shape = rank === null ? [] : [bytes(2, ...Array(rank).fill(bytes(1)))];
  return bytes(field, bytes(1, name), bytes(2, bytes(1, int(1, TYPES[type]), ...shape)));
}

// `pattern` has the bytes of an initializer, or null: the pattern is an input of this rank.
function model({opset, type, allowzero = null, patternType = 'i64', patternShape, pattern = null}) {
  const attribute = allowzero === null
    ? [] : [bytes(5, bytes(1, 'allowzero'), int(3, allowzero), int(20, 2))];
  const node = bytes(1, bytes(1, 'data'), bytes(1, 'pattern'), bytes(2, 'output'),
                     bytes(4, 'Reshape'), ...attribute);
  const sizes = pattern === null
    ? value(11, 'pattern', patternType, patternShape.length)
    : bytes(5, ...patternShape.map((size) => int(1, size)), int(2, TYPES[patternType]),
            bytes(8, 'pattern'), bytes(9, pattern));
  const graph = bytes(7, node, bytes(2, 'one'), sizes, value(11, 'data', type, null),
                      value(12, 'output', type, null));
  return Buffer.concat([int(1, 10), graph, bytes(8, int(2, opset))]);
}

module.exports = {model};

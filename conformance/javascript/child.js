'use strict';
// The child's side of CHILD_PROTOCOL.md, for implementations that are reached from JavaScript.
//
//   serve(reshape, {name: 'mine', version: '1.0', dialects: ['numpy-reshape'],
//                   element_types: ['f32']})
//
// `reshape` is called with a request and returns, or promises, [shape, data]: the output's sizes
// and its elements, as whatever shows bytes. Needs nothing but Node 18 and a little-endian machine.
// It is required before the library, which may print while it is loaded, or fail to be.
//
// A request has the members of a question (type, shape, pattern_type, pattern, ...). Sizes and
// values of the pattern are BigInt, since a Number holds integers up to 2^53 alone. `data` is a
// Uint8Array with memory of its own, so that other arrays can be laid over `data.buffer`, and
// undefined where the shape alone is asked. Elements of 4 bits come and go two in a byte, as the
// protocol says.

const fs = require('fs');

// From here on whatever else this process prints, by compiled code as well, goes to standard error,
// so that it cannot come between the answers: what is opened next gets the lowest number, which was
// closed just before.
const answersTo = fs.openSync('/dev/fd/1', 'a');
fs.closeSync(1);
if (fs.openSync('/dev/fd/2', 'a') !== 1) throw new Error('standard output could not be taken');

// The last line is what the harness quotes, and Node would end with one about itself.
process.on('uncaughtException', (why) => {
  fs.writeFileSync(2, `${why && why.stack}\n${String(why).split('\n')[0]}\n`);
  process.exit(1);
});

// The document refuses this request.
class Rejected extends Error {}

// This request lies outside of what serve() was told.
class Unsupported extends Error {}

// JSON.parse rounds integers beyond 2^53; as strings they stay what they are.
const STRING_OR_LONG_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[-+.\deE]{15,}/g;
const whole = (one) => (one[0] === '"' ? one : `"${one}"`);

function requestOf(line) {
  const question = JSON.parse(line.replace(STRING_OR_LONG_NUMBER, whole));
  for (const sizes of ['shape', 'pattern', 'pattern_shape']) {
    question[sizes] = question[sizes].map(BigInt);
  }
  if (question.data !== undefined) {
    question.data = new Uint8Array(Buffer.from(question.data, 'base64'));
  }
  return question;
}

// A Number is written digit by digit; what is no integer is written as it is, for the reader to
// refuse.
const size = (one) => String(Number.isInteger(one) ? BigInt(one) : one);

// Of a message: the reader cuts longer ones, and a line may be longer than it takes. As bytes it
// has no half of a surrogate pair, which UTF-8 cannot hold.
const told = (why) => Buffer.from(String(why.message).slice(0, 4096)).toString();

async function answer(reshape, request) {
  try {
    const [shape, data] = await reshape(request);
    const sizes = `"shape":[${Array.from(shape, size)}]`;
    if (request.data === undefined) return `"produced":{${sizes}}`;
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    return `"produced":{${sizes},"data":"${bytes.toString('base64')}"}`;
  } catch (why) {
    const message = `{"message":${JSON.stringify(told(why))}}`;
    if (why instanceof Rejected) return `"rejected":${message}`;
    if (why instanceof Unsupported) return `"unsupported":${message}`;
    throw why;
  }
}

// However long a line is, each of its bytes is copied once.
async function* linesOf(input) {
  let begun = [];
  for await (let chunk of input) {
    for (let end; (end = chunk.indexOf(10)) >= 0; chunk = chunk.subarray(end + 1)) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)]).toString();
      begun = [];
    }
    begun.push(chunk);
  }
}

// Answers until the input ends, and then ends the process, which the library's workers would keep
// otherwise.
async function serve(reshape, {name, version, dialects, element_types, pattern_types = ['i64'],
                               max_rank = 0, max_bytes = 0, answers = ['shapes', 'data']}) {
  const say = (line) => fs.writeFileSync(answersTo, `${line}\n`);
  say(JSON.stringify({protocol: 1, name, version, dialects, element_types, pattern_types, max_rank,
                      max_bytes, answers}));
  for await (const line of linesOf(process.stdin)) {
    const request = requestOf(line);
    say(`{"id":${request.id},${await answer(reshape, request)}}`);
  }
  process.exit();
}

module.exports = {Rejected, Unsupported, serve};

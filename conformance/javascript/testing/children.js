'use strict';
// Reshapes in JavaScript, right and wrong, as users write them.
//
//   children.js NAME      as the function of this name does

const fs = require('fs');
const {Rejected, Unsupported, serve} = require('../child.js');

console.log('This program prints while it is loaded.');

const sizes = (request) => {
  const known = request.pattern.filter((size) => size !== -1n);
  const volume = (some) => some.reduce((product, size) => product * size, 1n);
  return request.pattern.map((size) => (size === -1n ? volume(request.shape) / volume(known) : size));
};

const CHILDREN = {
  plain: (request) => [sizes(request), request.data],
  later: async (request) => {
    await new Promise((done) => { setTimeout(done, 1); });
    return [sizes(request), request.data];
  },
  prints: (request) => {
    console.log('This function prints while it is asked.');
    process.stdout.write('So it does.\n');
    fs.writeSync(1, 'And so does the compiled code of a library.\n');
    return [sizes(request), request.data];
  },
  as_numbers: (request) => [sizes(request).map(Number), new DataView(request.data.buffer)],
  workers: (request) => {
    setInterval(() => {}, 1000);
    return [sizes(request), request.data];
  },
  reversed: (request) => [sizes(request), request.data.slice().reverse()],
  rounds: (request) => [sizes(request).map((size) => BigInt(Number(size))), request.data],
  fraction: (request) => [[1.5, 4], request.data],
  nothing: () => {},
  refuses_all: () => { throw new Rejected('not today'); },
  refuses_at_length: () => { throw new Rejected('no\ud800way' + '.'.repeat(10000000)); },
  has_not: () => { throw new Unsupported('not here'); },
  raises_another: (request) => request.no.such.member,
  exits: () => process.exit(),
  aborts: () => process.abort(),
  hangs: () => { for (;;); },
  waits: () => new Promise(() => { setInterval(() => {}, 1000); }),
};

if (process.argv[2] === 'unloadable') require('no-such-module');
serve(CHILDREN[process.argv[2]], {name: process.argv[2], version: '1', dialects: ['numpy-reshape'],
                                  element_types: ['f32', 'i64']});

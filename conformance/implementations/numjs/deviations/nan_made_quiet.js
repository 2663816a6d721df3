// Where it copies, a signalling NaN becomes a quiet one. Clause content.kept: bit for bit.
const {NdArray} = require('@d4c/numjs');

const bits = Uint32Array.of(0x7f800001, 1, 2, 3, 4, 5);
const output = new NdArray(new Float32Array(bits.buffer), [2, 3]).reshape(3, 2);
const came = new Uint32Array(output.selection.data.buffer)[0].toString(16);
console.log(`numjs: [2,3] to [3,2]: 0x7f800001 becomes 0x${came}; the document: the same`);
process.exit(came !== '7f800001' ? 0 : 1);

// A -1 beside another negative size stays -1, and the array has negative sizes. Clause
// minus-one.once: one size is inferred.
const {default: nj} = require('@d4c/numjs');

let came;
try {
  came = nj.arange(6).reshape(-1, -6).shape;
} catch (why) {
  came = why.message;
}
console.log(`numjs: 6 elements to [-1,-6]: ${JSON.stringify(came)}; the document: refused`);
process.exit(String(came) === '-1,-6' ? 0 : 1);

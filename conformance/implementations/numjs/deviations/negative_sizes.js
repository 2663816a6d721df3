// Two negative sizes whose product is the number of elements are accepted. Clause minus-one.once: a
// value below -1 is refused, or read as -1, of which there is at most one.
const {default: nj} = require('@d4c/numjs');

let came;
try {
  came = nj.arange(6).reshape(-2, -3).shape;
} catch (why) {
  came = why.message;
}
console.log(`numjs: 6 elements to [-2,-3]: ${JSON.stringify(came)}; the document: refused`);
process.exit(String(came) === '-2,-3' ? 0 : 1);

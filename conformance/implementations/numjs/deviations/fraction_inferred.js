// A -1 is divided and not asked for a remainder: 6 elements become [4,1.5]. Clause
// minus-one.divides: what leaves a remainder is refused.
const {default: nj} = require('@d4c/numjs');

let came;
try {
  came = nj.arange(6).reshape(4, -1).shape;
} catch (why) {
  came = why.message;
}
console.log(`numjs: 6 elements to [4,-1]: ${JSON.stringify(came)}; the document: refused`);
process.exit(Array.isArray(came) ? 0 : 1);

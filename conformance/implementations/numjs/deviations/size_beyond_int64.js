// A size above 2^63-1 is accepted. Clause size.representable: no size is, so that it is refused.
const {default: nj} = require('@d4c/numjs');

let came;
try {
  came = nj.zeros(0).reshape(0, 2 ** 63).shape;
} catch (why) {
  came = why.message;
}
console.log(`numjs: no elements to [0,2^63]: ${JSON.stringify(came)}; the document: refused`);
process.exit(Array.isArray(came) ? 0 : 1);

// Sizes that are no integers are accepted as long as their product is the number of elements.
// Clause pattern.type: sizes are integers.
const {default: nj} = require('@d4c/numjs');

let came;
try {
  came = nj.arange(6).reshape(1.5, 4).shape;
} catch (why) {
  came = why.message;
}
console.log(`numjs: 6 elements to [1.5,4]: ${JSON.stringify(came)}; the document: refused`);
process.exit(Array.isArray(came) ? 0 : 1);

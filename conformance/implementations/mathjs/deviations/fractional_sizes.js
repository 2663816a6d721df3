// A matrix takes sizes that are no integers, as long as their product is the number of elements, and then has them.
// Clause pattern.type: sizes are integers.
const {matrix, reshape, version} = require('mathjs');

let came;
try {
  came = reshape(matrix([1, 2, 3, 4, 5, 6]), [1.5, 4]).size();
} catch (why) {
  came = why.message;
}
console.log(`math.js ${version}: 6 elements to [1.5,4]: ${JSON.stringify(came)}; the document: refused`);
process.exit(String(came) === '1.5,4' ? 0 : 1);

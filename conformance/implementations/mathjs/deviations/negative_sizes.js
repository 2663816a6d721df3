// Negative sizes are taken where their product is the number of elements: a matrix has them, and an array loses all its
// elements. Clause minus-one.once: a value below -1 is refused, or read as -1, of which there is at most one.
const {matrix, reshape, version} = require('mathjs');

let ofMatrix, ofArray;
try {
  ofMatrix = reshape(matrix([1, 2, 3, 4, 5, 6]), [-2, -3]).size();
  ofArray = reshape([1, 2, 3, 4, 5, 6], [-2, -3]);
} catch (why) {
  ofMatrix = ofArray = why.message;
}
console.log(`math.js ${version}: 6 elements to [-2,-3]: as a matrix of size ${JSON.stringify(ofMatrix)}, as an array ` +
            `${JSON.stringify(ofArray)}; the document: refused`);
process.exit(String(ofMatrix) === '-2,-3' || String(ofArray) === '' ? 0 : 1);

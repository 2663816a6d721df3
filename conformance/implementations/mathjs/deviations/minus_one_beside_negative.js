// A -1 beside another negative size is divided by it: 6 elements by [-1,-2] have the size -3. Clause minus-one.once: one
// size is inferred.
const {matrix, reshape, version} = require('mathjs');

let ofMatrix, ofArray;
try {
  ofMatrix = reshape(matrix([1, 2, 3, 4, 5, 6]), [-1, -2]).size();
  ofArray = reshape([1, 2, 3, 4, 5, 6], [-1, -2]);
} catch (why) {
  ofMatrix = ofArray = why.message;
}
console.log(`math.js ${version}: 6 elements to [-1,-2]: as a matrix of size ${JSON.stringify(ofMatrix)}, as an array ` +
            `${JSON.stringify(ofArray)}; the document: refused`);
process.exit(String(ofMatrix) === '-3,-2' || String(ofArray) === '' ? 0 : 1);

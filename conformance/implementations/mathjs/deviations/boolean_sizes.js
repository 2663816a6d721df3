// A true is taken for a size of 1, and is the size of a matrix. Clause pattern.type: sizes are integers.
const {matrix, reshape, version} = require('mathjs');

let ofMatrix, ofArray;
try {
  ofMatrix = reshape(matrix([1, 2, 3]), [true, 3]).size();
  ofArray = reshape([1, 2, 3], [true, 3]);
} catch (why) {
  ofMatrix = ofArray = why.message;
}
console.log(`math.js ${version}: 3 elements to [true,3]: as a matrix of size ${JSON.stringify(ofMatrix)}, as an array ` +
            `${JSON.stringify(ofArray)}; the document: refused`);
process.exit(Array.isArray(ofMatrix) && Array.isArray(ofArray) ? 0 : 1);

// A size above 2^63-1 is accepted. Clause size.representable: no size is, so that it is refused.
const {DenseMatrix, reshape, version} = require('mathjs');

let came;
try {
  came = reshape(new DenseMatrix({data: [], size: [0]}), [0, 2 ** 63]).size();
} catch (why) {
  came = why.message;
}
console.log(`math.js ${version}: no elements to [0,2^63]: ${JSON.stringify(came)}; the document: refused`);
process.exit(Array.isArray(came) ? 0 : 1);

// A scalar is refused. Clause data.scalar: data has any number of dimensions, and none is one of them.
const {reshape, version} = require('mathjs');

try {
  console.log(`math.js ${version}: produced: ${JSON.stringify(reshape(5, [1, 1]))}`);
  process.exit(1);
} catch (why) {
  console.log(`math.js ${version}: 5 to [1,1] is refused: ${why.message}; the document: [1,1]`);
}

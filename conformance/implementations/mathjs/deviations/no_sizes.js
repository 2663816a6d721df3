// No sizes are refused for one element: the product of none is taken for 0. Clause pattern.empty: the shape of a scalar,
// which holds one element.
const {matrix, reshape, version} = require('mathjs');

const told = [];
for (const [name, data] of [['matrix', matrix([5])], ['array', [5]]]) {
  try {
    console.log(`math.js ${version}: produced as ${name}: ${reshape(data, [])}`);
    process.exit(1);
  } catch (why) {
    told.push(`as ${name}: ${why.message}`);
  }
}
console.log(`math.js ${version}: [1] to [] is refused, ${told.join(', ')}; the document: []`);

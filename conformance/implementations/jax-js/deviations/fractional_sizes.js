// Sizes that are no integers are accepted as long as their product is the number of elements, and
// a -1 is divided by them. Clause pattern.type: sizes are integers.
const {init, defaultDevice, numpy: np} = require('@jax-js/jax');

function reshaped(count, sizes) {
  try {
    return np.reshape(np.zeros([count]), sizes).shape;
  } catch (why) {
    return why.message;
  }
}

(async () => {
  await init('wasm');
  defaultDevice('wasm');
  const plain = reshaped(6, [1.5, 4]);
  const inferred = reshaped(5, [-1, 2.5]);
  console.log(`jax-js: reshape of [6] to [1.5,4]: ${JSON.stringify(plain)}, of [5] to [-1,2.5]: ` +
              `${JSON.stringify(inferred)}; the document: refused`);
  process.exit(Array.isArray(plain) && Array.isArray(inferred) ? 0 : 1);
})();

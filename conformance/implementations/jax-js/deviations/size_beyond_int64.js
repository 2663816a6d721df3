// Sizes above 2^63-1 are accepted, and a -1 becomes one. Clause size.representable: no size is, so
// that it is refused.
const {init, defaultDevice, numpy: np} = require('@jax-js/jax');

function reshaped(given, sizes) {
  try {
    return np.reshape(np.zeros(given), sizes).shape;  // never evaluated
  } catch (why) {
    return why.message;
  }
}

(async () => {
  await init('wasm');
  defaultDevice('wasm');
  const plain = reshaped([0], [0, 2 ** 63]);
  const inferred = reshaped([2 ** 62, 4], [-1]);
  console.log(`jax-js: reshape of [0] to [0,2^63]: ${JSON.stringify(plain)}, of [2^62,4] to [-1]: ` +
              `${JSON.stringify(inferred)}; the document: refused`);
  process.exit(Array.isArray(plain) || Array.isArray(inferred) ? 0 : 1);
})();

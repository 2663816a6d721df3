// A -1 is divided from a volume that was rounded: 2^53 + 1 elements are taken for an even number.
// Clause minus-one.divides: what leaves a remainder is refused.
const {init, defaultDevice, numpy: np} = require('@jax-js/jax');

(async () => {
  await init('wasm');
  defaultDevice('wasm');
  const given = [3, 107, 28059810762433];
  const asked = [2, -1];
  let came;
  try {
    came = np.reshape(np.zeros(given), asked).shape;  // never evaluated
  } catch (why) {
    came = why.message;
  }
  console.log(`jax-js: reshape of [${given}] to [${asked}]: ${JSON.stringify(came)}; ` +
              'the document: refused, 9007199254740993 elements do not divide by 2');
  process.exit(Array.isArray(came) ? 0 : 1);
})();

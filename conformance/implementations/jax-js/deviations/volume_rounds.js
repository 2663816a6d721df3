// Volumes are compared as floating-point numbers, so that 2^53 + 1 elements become 2^53. Clause
// volume.kept: as many elements as before.
const {init, defaultDevice, numpy: np} = require('@jax-js/jax');

(async () => {
  await init('wasm');
  defaultDevice('wasm');
  const given = [3, 3002399751580331];
  const asked = [2 ** 53];
  let came;
  try {
    came = np.reshape(np.zeros(given), asked).shape;  // never evaluated
  } catch (why) {
    came = why.message;
  }
  console.log(`jax-js: reshape of [${given}] to [${asked}]: ${JSON.stringify(came)}; ` +
              'the document: refused, 9007199254740993 elements are not 9007199254740992');
  process.exit(Array.isArray(came) ? 0 : 1);
})();

// No elements are refused sizes with a 0 among them where the sizes before it multiply to Infinity,
// which 0 makes NaN. Clause zero.empty-tensors: a 0 in the pattern asks for no elements.
const {init, defaultDevice, numpy: np} = require('@jax-js/jax');

function reshaped(sizes) {
  try {
    return `${np.reshape(np.zeros([0]), sizes).shape.length} dimensions`;
  } catch (why) {
    return why.message.slice(0, 15);
  }
}

(async () => {
  await init('wasm');
  defaultDevice('wasm');
  const many = Array(34).fill(2 ** 31 - 1);
  const last = reshaped([...many, 0]);
  console.log(`jax-js: reshape of [0] to 34 sizes of 2^31-1 and a 0: ${last}, to a 0 and these: ` +
              `${reshaped([0, ...many])}; the document: 35 dimensions`);
  process.exit(last !== '35 dimensions' ? 0 : 1);
})();

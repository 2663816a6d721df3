// Sizes of the output are cut to 32 bits, and what is above 2^31-1 then is read as negative. Clause
// output.shape: each size is what its pattern value says.
const ort = require('onnxruntime-web');
const {model} = require('../model.js');

ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;

async function reshaped(size) {
  const one = model({opset: 21, type: 'f32', allowzero: 1, patternShape: [2]});
  const session = await ort.InferenceSession.create(one, {executionProviders: ['wasm']});
  const pattern = new ort.Tensor('int64', BigInt64Array.of(0n, size), [2]);
  try {
    const {output} = await session.run({data: new ort.Tensor('float32', [], [0]), pattern});
    return `[${output.dims}]`;
  } catch (why) {
    return why.message;
  }
}

(async () => {
  const above = await reshaped(2n ** 32n + 5n);
  const below = await reshaped(2n ** 31n);
  console.log(`onnxruntime-web ${ort.env.versions.web}: no elements to [0,4294967301] with allowzero=1: ${above}, ` +
              `to [0,2147483648]: ${below}; the document: as asked`);
  process.exit(above !== '[0,4294967301]' || below !== '[0,2147483648]' ? 0 : 1);
})();

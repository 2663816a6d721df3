// Sizes of the data are cut to 32 bits on their way into the WebAssembly. Clause output.shape: a 0
// copies the size of the data at its place.
const ort = require('onnxruntime-web');
const {model} = require('../model.js');

ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;

(async () => {
  const one = model({opset: 21, type: 'f32', patternShape: [2]});
  const session = await ort.InferenceSession.create(one, {executionProviders: ['wasm']});
  const data = new ort.Tensor('float32', [], [2 ** 32 + 5, 0]);
  const pattern = new ort.Tensor('int64', BigInt64Array.of(0n, 0n), [2]);
  let came;
  try {
    came = `[${(await session.run({data, pattern})).output.dims}]`;
  } catch (why) {
    came = why.message;
  }
  console.log(`onnxruntime-web ${ort.env.versions.web}: [4294967301,0] by the pattern [0,0]: ${came}; ` +
              'the document: [4294967301,0]');
  process.exit(came === '[5,0]' ? 0 : 1);
})();

// No elements are given a shape of 2^64, because copied sizes of the data were cut to 0. Clause
// volume.kept: as many elements as before, or it is refused.
const ort = require('onnxruntime-web');
const {model} = require('../model.js');

ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;

(async () => {
  const one = model({opset: 13, type: 'f32', patternShape: [3]});
  const session = await ort.InferenceSession.create(one, {executionProviders: ['wasm']});
  const data = new ort.Tensor('float32', [], [2 ** 32, 2 ** 32, 0]);
  const pattern = new ort.Tensor('int64', BigInt64Array.of(0n, 0n, 1n), [3]);
  let came;
  try {
    came = `[${(await session.run({data, pattern})).output.dims}]`;
  } catch (why) {
    came = why.message;
  }
  console.log(`onnxruntime-web ${ort.env.versions.web}: [4294967296,4294967296,0] by the pattern [0,0,1]: ${came}; ` +
              'the document: refused');
  process.exit(came === '[0,0,1]' ? 0 : 1);
})();

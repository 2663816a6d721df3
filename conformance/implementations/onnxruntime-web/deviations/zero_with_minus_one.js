// With allowzero=1 a 0 and a -1 are accepted together where the pattern is an input. Clause
// zero.with-minus-one: a pattern may not hold both.
const ort = require('onnxruntime-web');
const {model} = require('../model.js');

ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;

(async () => {
  const one = model({opset: 14, type: 'f32', allowzero: 1, patternShape: [2]});
  const session = await ort.InferenceSession.create(one, {executionProviders: ['wasm']});
  const data = new ort.Tensor('float32', [], [0, 4]);
  const pattern = new ort.Tensor('int64', BigInt64Array.of(-1n, 0n), [2]);
  let came;
  try {
    came = `[${(await session.run({data, pattern})).output.dims}]`;
  } catch (why) {
    came = why.message;
  }
  console.log(`onnxruntime-web ${ort.env.versions.web}: [0,4] by the pattern [-1,0] with allowzero=1: ${came}; ` +
              'the document: refused');
  process.exit(came === '[4,0]' ? 0 : 1);
})();

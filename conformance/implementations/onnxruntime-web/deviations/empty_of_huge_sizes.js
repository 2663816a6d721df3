// No elements are refused sizes that multiply to more than 2^63-1 beside a 0 or a -1. Clause
// output.shape: the output is as empty as the data.
const ort = require('onnxruntime-web');
const {model} = require('../model.js');

ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;

async function reshaped(sizes, isConstant) {
  const pattern = BigInt64Array.from(sizes);
  const feeds = {data: new ort.Tensor('float32', [], [0])};
  if (!isConstant) feeds.pattern = new ort.Tensor('int64', pattern, [sizes.length]);
  const form = {opset: 21, type: 'f32', patternShape: [sizes.length]};
  const one = model({...form, pattern: isConstant ? new Uint8Array(pattern.buffer) : null});
  try {
    const options = {executionProviders: ['wasm'], logSeverityLevel: 4};
    const session = await ort.InferenceSession.create(one, options);
    return `[${(await session.run(feeds)).output.dims}]`;
  } catch (why) {
    return why.message.split(/ERROR_MESSAGE: |bool\) /).pop().slice(0, 70);
  }
}

(async () => {
  const asked = [-1n, 2n ** 30n, 2n ** 30n, 2n ** 30n];
  const constant = await reshaped(asked, true);
  const runtime = await reshaped(asked, false);
  console.log(`onnxruntime-web ${ort.env.versions.web}: no elements to [${asked}], a constant: ` +
              `${constant}; an input: ${runtime}; the document: [0,1073741824,1073741824,1073741824]`);
  process.exit(constant.startsWith('[0,') || runtime.startsWith('[0,') ? 1 : 0);
})();

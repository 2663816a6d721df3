// Operator set 21 has 4-bit integers, and there is no kernel for them, here nor in the sets behind
// it. Clause data.type: a tensor of int4 or uint4 is reshaped.
const ort = require('onnxruntime-web');
const {model} = require('../model.js');

ort.env.logLevel = 'fatal';
ort.env.wasm.numThreads = 1;

async function load(opset, type) {
  const options = {executionProviders: ['wasm'], logSeverityLevel: 4};
  try {
    await ort.InferenceSession.create(model({opset, type, patternShape: [2]}), options);
    return 'loaded';
  } catch (why) {
    return why.message;
  }
}

(async () => {
  const answers = [];
  for (const opset of [21, 23, 24, 25]) answers.push(await load(opset, 'i4'), await load(opset, 'u4'));
  console.log(`onnxruntime-web ${ort.env.versions.web}: int4 and uint4 in 21, 23, 24 and 25: ` +
              [...new Set(answers)].join('; '));
  process.exit(answers.every((answer) => answer.includes('ERROR_CODE: 9,')) ? 0 : 1);
})();

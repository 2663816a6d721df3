// An array of one dimension with steps between its elements becomes what lies without steps. Clause
// content.kept: the elements are the same, in the same order.
const {default: nj} = require('@d4c/numjs');

const steps = nj.arange(6).slice([null, null, 2]);
const column = nj.arange(12).reshape(3, 4).pick(null, 1);
const [ofSteps, ofColumn] = [steps, column].map((one) => String(one.reshape(3, 1).tolist()));
console.log(`numjs: ${steps.tolist()} to [3,1]: ${ofSteps}; the column ${column.tolist()} to [3,1]: ` +
            `${ofColumn}; the document: the same elements`);
process.exit(ofSteps !== '0,2,4' || ofColumn !== '1,5,9' ? 0 : 1);

// Reads the report that lies in this page and draws it for one implementation at a time.
function choices(select, values, all) {
  select.replaceChildren(...(all ? [make('option', {value: ''}, all)] : []),
    ...values.map(([value, text]) => make('option', {value}, text)));
}

// The page holds the cases of all implementations by columns, each value once; objects are made of those that
// are looked at.
function unpack(report, run) {
  const columns = Object.entries(run.cases).map(([key, places]) => [key, places, report.values[key]]);
  const count = columns.length > 0 ? columns[0][1].length : 0;
  return Array.from({length: count}, (nothing, at) => {
    const one = {};
    for (const [key, places, values] of columns) if (places[at] >= 0) one[key] = values[places[at]];
    return one;
  });
}

function drawReport(report, run) {
  if (!Array.isArray(run.cases)) run.cases = unpack(report, run);
  const byId = new Map(run.cases.map((one) => [one.id, one]));
  const dialects = Object.keys(run.summary.dialects).map((name) => [name, name]);
  choices(document.getElementById('clause-dialect'), dialects);
  choices(document.getElementById('case-dialect'), dialects, 'all');
  choices(document.getElementById('case-verdict'),
    [...new Set(run.cases.map((one) => one.verdict))].sort()
      .map((verdict) => [verdict, verdict === 'unsupported' ? 'skipped' : verdict]), 'all');
  // The document that has something to tell comes first.
  const failing = Object.entries(run.summary.dialects).find(([, tally]) => tally.fail > 0);
  if (failing) document.getElementById('clause-dialect').value = failing[0];
  drawFailures(report, run, byId);
  drawClauses(report, run);
  drawOpenPoints(report, run, byId);
  drawLaws(run);
  drawPerformance(run);
  drawRun(run);
  fillCases(run);
}

function start() {
  const report = JSON.parse(document.getElementById('report').textContent);
  let run = report.runs[0];
  document.getElementById('versions').textContent = `reshape-conformance ${report.program_version}, case suite `
    + `${report.suite_version}, contract ${report.contract_version}`;
  document.title = `Reshape conformance: ${report.runs.map(nameOf).join(', ')}`;
  drawSummary(report);
  startCases();
  const choice = document.getElementById('run-choice');
  choices(choice, report.runs.map((one, at) => [String(at), nameOf(one)]));
  document.getElementById('which-run').hidden = report.runs.length < 2;
  // Where one of several does not conform, that is what the reader came for.
  const wrong = report.runs.findIndex((one) => !one.conforming);
  if (wrong > 0) run = report.runs[wrong];
  choice.value = String(report.runs.indexOf(run));
  choice.addEventListener('change', () => {
    run = report.runs[Number(choice.value)];
    drawReport(report, run);
    announce(`Shown: ${nameOf(run)}`);
  });
  for (const id of ['clause-dialect', 'clause-failing']) {
    document.getElementById(id).addEventListener('change', () => drawClauses(report, run));
  }
  document.getElementById('clause-search').addEventListener('input', () => drawClauses(report, run));
  drawReport(report, run);
}

start();

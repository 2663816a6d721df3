// What came of each implementation, the documents side by side, and how this was asked.
const kKinds = ['pass', 'fail', 'known', 'mistrusted', 'unsupported'];

function ofKind(tally, kind) {
  return kind === 'fail' ? tally.fail - tally.known : tally[kind];
}

function bar(tally) {
  const parts = kKinds.filter((kind) => ofKind(tally, kind) > 0);
  const row = make('div', {class: 'bar', 'aria-hidden': 'true'});
  for (const kind of parts) {
    const part = make('span', {class: kind});
    part.style.flexGrow = ofKind(tally, kind);
    row.append(part);
  }
  const legend = make('ul', {class: 'legend'}, ...parts.map((kind) => make('li', {},
    make('span', {class: `dot ${kind}`, 'aria-hidden': 'true'}),
    `${ofKind(tally, kind).toLocaleString('en')} ${kind === 'unsupported' ? 'skipped' : kind === 'known' ? 'known failures' : kind}`)));
  return [row, legend];
}

function nameOf(run) {
  return `${run.implementation.name} ${run.implementation.version}`;
}

function verdictOf(run) {
  if (run.conforming) return badge('pass', 'conforms');
  if (run.implementation.library_changed) return badge('mistrusted', 'not judged');
  return run.summary.all.fail > run.summary.all.known || !run.cut_short
    ? badge('fail', 'does not conform') : badge('mistrusted', 'not asked everything');
}

function runCard(run) {
  const ratio = run.summary.all;
  return make('article', {class: 'card'},
    make('h3', {}, nameOf(run), ' ', verdictOf(run)),
    make('p', {}, run.conclusion),
    ...bar(ratio),
    make('p', {class: 'muted'}, make('code', {}, run.implementation.library),
      ` asked in ${run.seconds.toFixed(1)} s`));
}

function dialectCell(tally) {
  if (!tally || tally.planned === 0) return '-';
  if (tally.executed === 0) return 'skipped';
  const failed = tally.fail > 0 ? badge('fail', `${tally.fail.toLocaleString('en')} failed`) : undefined;
  return make('span', {}, `${tally.pass.toLocaleString('en')} of ${tally.executed.toLocaleString('en')} `,
    ...(failed ? [failed] : []));
}

function drawSummary(report) {
  const dialects = [...new Set(report.runs.flatMap((run) => Object.keys(run.summary.dialects)))].sort();
  const rows = dialects.map((dialect) => {
    const document = report.documents[dialect];
    return [make('span', {}, dialect, ...(document ? [make('small', {}, `${document.title}, ${document.version}`)] : [])),
      ...report.runs.map((run) => dialectCell(run.summary.dialects[dialect]))];
  });
  const parts = [make('div', {class: 'cards-row'}, ...report.runs.map(runCard))];
  if (rows.length > 0) {
    parts.push(make('h3', {}, 'Cases that pass, of those executed'),
      table('Passing cases by document and implementation', ['Document', ...report.runs.map(nameOf)], rows));
  }
  document.querySelector('#summary > div').replaceChildren(...parts);
}

function tallies(caption, heading, counts) {
  return table(caption, [heading, 'planned', 'pass', 'fail', 'skipped', 'mistrusted'],
    Object.entries(counts).map(([name, tally]) =>
      [name, tally.planned, tally.pass, tally.fail, tally.unsupported, tally.mistrusted].map(String)));
}

function asked(options) {
  return Object.entries(options).map(([name, value]) => [name.replaceAll('_', ' '),
    Array.isArray(value) ? value.join(', ') : value === false ? 'no' : value === true ? 'yes' : String(value)]);
}

function drawRun(run) {
  const planes = Object.entries(run.summary.planes).map(([name, tally]) =>
    [name, tally.pass, tally.fail, tally.not_asked].map(String));
  const parts = [
    make('h3', {}, 'By plane'),
    table('Verdicts by plane', ['Plane', 'pass', 'fail', 'not asked'], planes),
    make('h3', {}, 'By element type'), tallies('Verdicts by element type', 'Type', run.summary.types),
  ];
  if (run.summary.skipped.length > 0) {
    const skipped = [...run.summary.skipped].sort((one, other) => other.cases - one.cases);
    parts.push(make('h3', {}, 'Skipped'), growing(skipped, 12, (one) =>
      make('p', {class: 'line'}, make('strong', {}, one.cases.toLocaleString('en')), ` ${one.reason}`)));
  }
  parts.push(make('h3', {}, 'What the implementation promises'), terms(asked(run.implementation.capabilities)),
    make('h3', {}, 'How it was asked'), terms(asked(run.options)));
  if (run.generated) {
    parts.push(make('h3', {}, 'Generated requests'),
      make('p', {}, `${plural(run.generated.requests, 'request')} drawn by the seed ${run.generated.seed}.`));
  }
  if (run.exhaustive) {
    parts.push(make('h3', {}, 'Every request within a bound'), make('p', {},
      `${plural(run.exhaustive.requests, 'request')} of ${run.exhaustive.bound}: `
      + `${plural(run.exhaustive.faults, 'wrong answer')}. ${run.exhaustive.stopped}`));
  }
  document.querySelector('#run > div').replaceChildren(...parts);
}

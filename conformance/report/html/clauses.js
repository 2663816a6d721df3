// Clause by clause: what the document says, in our words, and what came of its cases. Then what the documents
// leave open, and the laws.
function clauseLine(report, run, dialect, clause, counts) {
  const results = [];
  if (!counts) results.push(badge('unsupported', 'no case'));
  else {
    if (counts.fail > 0) results.push(badge('fail', `${counts.fail} fail`));
    if (counts.pass > 0) results.push(badge('pass', `${counts.pass} pass`));
    if (counts.mistrusted > 0) results.push(badge('mistrusted', `${counts.mistrusted} mistrusted`));
    if (counts.unsupported > 0) results.push(badge('unsupported', `${counts.unsupported} skipped`));
  }
  const head = [make('span', {class: 'headline'}, make('strong', {}, clause.id), make('small', {}, clause.level)),
    make('span', {class: 'results'}, ...results)];
  return opening(head, () => {
    const cases = run.cases.filter((one) => one.dialect === dialect && one.clauses.includes(clause.id));
    const order = ['fail', 'mistrusted', 'pass', 'unsupported'];
    cases.sort((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
    return [make('p', {}, clause.says),
      terms([['section', clause.section], ['because', clause.because]]),
      ...(cases.length > 0 ? [make('button', {type: 'button', onclick: () => showClause(dialect, clause.id)},
        `Show its ${plural(cases.length, 'case')} in the table`),
      growing(cases, 5, (one) => make('p', {class: 'line'}, badge(one.verdict), ' ', caseButton(one)))] : [])];
  });
}

function drawClauses(report, run) {
  const dialect = document.getElementById('clause-dialect').value;
  const words = document.getElementById('clause-search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const failing = document.getElementById('clause-failing').checked;
  const found = report.documents[dialect];
  const counts = new Map(run.summary.clauses.filter((one) => one.dialect === dialect)
    .map((one) => [one.clause, one.counts]));
  const all = found ? found.clauses : [];
  const shown = all.filter((clause) => {
    const text = `${clause.id} ${clause.level} ${clause.says}`.toLowerCase();
    const failures = counts.get(clause.id)?.fail || 0;
    return words.every((word) => text.includes(word)) && (!failing || failures > 0);
  });
  document.getElementById('clause-count').textContent = `${shown.length} of ${plural(all.length, 'clause')}`;
  document.getElementById('clause-list').replaceChildren(
    ...shown.map((clause) => clauseLine(report, run, dialect, clause, counts.get(clause.id))));
}

function drawOpenPoints(report, run, byId) {
  const dialects = [...new Set(run.open_points.map((one) => one.dialect))];
  const rows = (dialect) => run.open_points.filter((one) => one.dialect === dialect).map((one) => {
    const clause = clauseOf(report, dialect, one.clause);
    return [one.clause, clause ? clause.says : '', make('strong', {}, one.chose), caseList(one.cases, byId)];
  });
  const part = (dialect, at) => {
    const points = rows(dialect);
    return opening([make('strong', {}, dialect), make('small', {}, plural(points.length, 'choice'))],
      () => [table(`Open points of ${dialect}`, ['Clause', 'What is open', 'Chosen', 'Shown by'], points)], at === 0);
  };
  document.querySelector('#open-points > div').replaceChildren(
    make('p', {}, dialects.length === 0 ? 'Nothing was asked that the documents leave open.'
      : 'Where a document is silent or contradicts itself nobody fails for choosing. This implementation chose:'),
    ...dialects.map(part));
}

function caseList(ids, byId) {
  return growing(ids.map((id) => byId.get(id)).filter(Boolean), 1, (one) => make('div', {}, caseButton(one)));
}

function lawDiagnosis(found) {
  if (!found) return [];
  const agrees = (one) => one.agrees / one.trials;
  const tied = found.alike.filter((one) => agrees(one) === agrees(found.alike[0])).length;
  const asIf = tied >= 3 ? `One of ${tied} known mistakes that the trials do not tell apart: ` : 'The laws are broken as if: ';
  const items = [
    ...found.threads.map((one) => [[`${one.laws.join(' and ')}: `, make('strong', {}, one.says)],
      one.line && `asked ${one.line}`]),
    ...found.findings.filter((one) => one.where.length > 0).map((one) => [
      [`${one.law}: broken in ${one.broken} of ${one.broken + one.held} trials, `,
        make('strong', {}, `where the request has ${one.where.join(' and ')}`)],
      `${one.broken_there} of these begin with such a request, and ${one.held_there || 'none'} of the ${one.held} others`]),
    ...found.alike.slice(0, 3).map((one) => [[asIf, make('strong', {}, one.says)],
      `breaks ${one.breaks}; mutant ${one.mutant}${one.public_bug ? `; once a bug of ${one.public_bug}` : ''}`
      + `; agrees in ${one.agrees} of ${one.trials} trials`])];
  if (found.alike.length === 0 && found.mistakes_asked > 0) {
    items.push([[`No known mistake breaks the laws in the same way (${found.mistakes_asked} of ${found.mistakes} compared).`]]);
  }
  if (items.length === 0) return [];
  return [make('aside', {class: 'card', 'aria-label': 'Diagnosis of the laws'}, make('h3', {}, 'Diagnosis'),
    make('ul', {}, ...items.map(([says, more]) => make('li', {}, ...says, ...(more ? [make('small', {}, more)] : [])))))];
}

function drawLaws(run) {
  const laws = run.laws || [];
  const rows = laws.map((law) => {
    const state = law.known ? badge('mistrusted', 'known')
      : law.undecided ? badge('mistrusted', 'undecided') : law.holds === false ? badge('fail', 'broken')
      : law.holds ? badge('pass', 'holds') : badge('unsupported', 'not asked');
    const says = make('span', {}, law.says);
    if (law.holds === false) {
      says.append(make('p', {}, law.broken));
      if (law.known) says.append(make('small', {}, law.known));
      if (law.lines.length > 0) says.append(make('p', {}, ...law.lines.map((line) => make('code', {class: 'block'}, line))));
      if (law.replay) says.append(command('replay', law.replay));
    } else if (law.holds === null) says.append(make('small', {}, law.not_asked));
    return [make('span', {}, law.name, make('small', {}, law.clause)), state, says, law.tried.toLocaleString('en')];
  });
  document.querySelector('#laws > div').replaceChildren(
    make('p', {}, laws.length === 0 ? 'This run asked no laws.'
      : 'A law needs no expected answer: it must hold between answers to several requests.'),
    ...lawDiagnosis(run.law_diagnosis),
    ...(laws.length > 0 ? [table('Laws', ['Law', 'State', 'What it says', 'Requests'], rows)] : []));
}

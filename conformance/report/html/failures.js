// What is wrong, in groups of what is alike, and what it looks like.
function causeText(cause, failures) {
  const where = cause.where.length > 0 ? `, where the request has ${cause.where.join(' and ')}` : '';
  // Other mistakes would answer so few failures alike.
  const few = failures <= 2 && cause.otherwise === 0;
  return make('li', {}, few ? 'answered as if: '
    : `${cause.same} of ${cause.same + cause.otherwise} failures compared are answered exactly as if: `,
    make('strong', {}, cause.says + where), few ? '; so few may have another cause' : '',
    make('small', {}, `breaks ${cause.breaks}; mutant ${cause.mutant}`
      + (cause.public_bug ? `; once a bug of ${cause.public_bug}` : '')
      + `; agrees with ${cause.passes - cause.beyond} of ${cause.passes} passing cases`));
}

// What the requests around a failure say of it.
function aroundText(around) {
  if (around.asked === 0) return [];
  const fail = around.failed === 0 ? 'none fails'
    : around.failed === 1 ? '1 fails as well' : `${around.failed} fail as well`;
  const all = around.failures_there === around.failures;
  return [make('small', {}, `of ${plural(around.asked, 'request')} that differ little from it, ${fail}`,
    ...(around.where.length === 0 ? [] : ['; ', make('strong', {},
      `${all ? 'all' : `${around.failures_there} of`} ${around.failures} that fail have ${around.where.join(' and ')}`),
    `; of ${around.passes} that pass ${around.passes_there === 0 ? 'none has' : `${around.passes_there} have`}`]))];
}

function findingText(found, one) {
  const broken = [one.clause, one.duty, ...one.besides].filter((id) => id).join(', ');
  const asks = one.asks.length > 0 ? `; its cases ask for ${one.asks.join(' and ')}` : '';
  const where = one.where.length > 0
    ? `; ${one.failures_there === one.failures ? 'all' : one.failures_there} of them have ${one.where.join(' and ')}; of ${one.passes} passing cases that it could have met `
      + (one.passes_there === 0 ? 'none has' : `${one.passes_there} have`)
    : one.passes === 0 ? '; no case that it could have met passes'
    : one.mostly && one.around.where.length === 0
      ? `; most of them (${one.failures_mostly}) have ${one.mostly}; of ${one.passes} passing cases that it could have met `
        + (one.passes_mostly === 0 ? 'none has' : `${one.passes_mostly} have`)
      : '';
  // What these have in common would read as a cause of their own.
  const comes = one.as_the_first ? ', which may come of the same as the first'
    : one.as_known ? ', which that mistake explains where they were compared' : '';
  const [common, around] = comes ? ['', []] : [asks + where, aroundText(one.around)];
  const lies = one.at_place === 0 ? ''
    : `; ${one.at_place} of ${one.with_place} whose place is known lie at ${one.place}`;
  return make('li', {}, `${one.failures} of ${found.failures} failures${comes}: `, make('strong', {}, one.says),
    make('small', {}, `breaks ${broken}; plainest: ${one.example}${lies}${common}`), ...around);
}

function diagnosis(run) {
  const found = run.diagnosis;
  if (!found) return [];
  const box = make('aside', {class: 'card', 'aria-label': 'Diagnosis'}, make('h3', {}, 'Diagnosis'));
  if (found.unstable > 0) {
    const otherwise = found.unstable - found.right_again;
    box.append(make('p', {}, `Of the ${found.unstable + found.compared} failures that were asked again `
      + [found.right_again > 0 ? `${found.right_again} are right then${found.right_later > 0 ? ` (${found.right_later} of these wrong the first time in the same process)` : ''}` : '',
        otherwise > 0 ? `${otherwise} are wrong in another way, as what nobody wrote would be` : '']
        .filter((words) => words).join(', and ') + '.'));
  }
  const causes = found.causes.length > 0
    ? make('ul', {}, ...found.causes.map((cause) => causeText(cause, found.failures)))
    : '';
  const findings = make('ul', {}, ...found.findings.slice(0, 5).map((one) => findingText(found, one)));
  // What is true of the failures comes before known mistakes that many of them contradict.
  const explained = found.causes.reduce((sum, cause) => sum + cause.same, 0);
  const first = found.findings[0];
  // So does what hangs on earlier requests, of which such mistakes explain nothing.
  const ofHistory = first && !first.clause && first.duty === 'C17' && !found.causes.some((cause) => cause.breaks === 'C17');
  const most = first && first.failures === found.failures ? 3 / 4 : 1 / 2;
  const contradicted = first && (ofHistory || (explained > 0 && explained < most * found.compared));
  box.append(...(contradicted ? [findings, causes] : [causes, findings]));
  if (found.causes.length === 0) {
    box.append(make('p', {}, `No known mistake explains the ${found.compared} failures compared better than all others.`));
  }
  return [box];
}

function derivation(steps) {
  if (steps.length === 0) return [];
  return [make('h4', {}, 'How the document comes to its answer'),
    make('ol', {class: 'steps'}, ...steps.map((step) => make('li', {}, make('code', {}, step.clause), ` ${step.says}`)))];
}

function clauseOf(report, dialect, id) {
  const found = report.documents[dialect];
  return found && found.clauses.find((clause) => clause.id === id);
}

function failureGroup(report, byId, group, open) {
  const first = byId.get(group.cases[0]);
  const fault = first.faults[0];
  const broken = fault.breaks_no_clause ? '' : fault.clause;
  const head = [badge('fail', String(group.cases.length)), make('span', {class: 'headline'},
    make('strong', {}, broken || `duty ${fault.duty}`), ` ${fault.plane} plane: expected `,
    make('q', {}, fault.expected.slice(0, 120)), ', answered ', make('q', {}, fault.answered.slice(0, 120)))];
  return opening(head, () => {
    const clause = clauseOf(report, first.dialect, broken);
    const parts = [make('h4', {}, make('span', {class: 'id'}, first.id))];
    if (clause) parts.push(make('blockquote', {}, clause.says, make('small', {}, `${clause.id}, ${clause.level}`)));
    parts.push(caseTerms(first), picture(group), ...derivation(group.derivation));
    if (group.cases.length > 1) {
      const others = group.cases.slice(1).map((id) => byId.get(id));
      if (group.wrong) parts.push(make('p', {}, `Wrong in all of these: ${group.wrong}.`));
      parts.push(make('h4', {}, `${plural(others.length, 'more case')} like it`),
        make('button', {type: 'button', onclick: () => showGroup(group)}, 'Show them in the table'),
        growing(others, 5, (one) => make('p', {class: 'line'}, caseButton(one))));
    }
    return parts;
  }, open);
}

function otherFaults(run) {
  const red = run.unasked_clauses.filter((one) => one.red);
  const parts = [];
  const add = (title, lines) => {
    if (lines.length === 0) return;
    parts.push(make('h3', {}, title), growing(lines, 8, (line) => make('p', {class: 'line'}, line)));
  };
  add('At its first use', run.at_first_use.map((one) =>
    `${one.waived ? 'waived: ' : ''}${one.watch}, duty ${one.duty}: ${one.saw}`));
  add('Clauses that were not asked', red.map((one) => `${one.dialect}/${one.clause} (${one.level}): all `
    + `${one.cases} skipped, ${one.reason}`));
  add('Faults of the baseline', run.baseline_faults);
  const smallest = run.generated ? run.generated.smallest : [];
  if (smallest.length > 0) {
    parts.push(make('h3', {}, 'Smallest requests that fail'), growing(smallest, 5, (one) => make('div', {class: 'card'},
      make('p', {}, make('strong', {}, one.id), ` ${one.fails}`), command('replay', one.replay),
      command('the case for specs', one.yaml))));
  }
  return parts;
}

// What is wrong besides the cases: laws that no baseline knows.
function brokenLaws(run) {
  const names = (run.laws || []).filter((law) => law.holds === false && !law.known && !law.undecided).map((law) => law.name);
  if (names.length === 0) return [];
  const verb = names.length === 1 ? 'law does' : 'laws do';
  return [make('p', {}, make('a', {href: '#laws'}, `${names.length} ${verb} not hold`), `: ${names.join(', ')}.`)];
}

function drawFailures(report, run, byId) {
  const groups = run.failure_groups;
  const all = groups.reduce((sum, group) => sum + group.cases.length, 0);
  document.getElementById('failure-count').textContent = all > 0 ? `(${all.toLocaleString('en')})` : '';
  const known = run.summary.all.known;
  const says = all === 0 ? 'No case failed' : `${plural(all, 'failure')} of ${plural(groups.length, 'kind')}, the most frequent first`;
  document.querySelector('#failures > div').replaceChildren(
    make('p', {}, `${says}${known > 0 ? `, apart from ${plural(known, 'known failure')}` : ''}.`),
    ...brokenLaws(run),
    ...diagnosis(run),
    growing(groups.map((group, at) => [group, at]), 50, ([group, at]) => failureGroup(report, byId, group, at === 0)),
    ...otherFaults(run));
}

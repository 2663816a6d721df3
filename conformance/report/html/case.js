// One case in full, as it stands in a group of failures and in the dialog.
function caseTerms(one) {
  const faults = one.faults || [];
  const first = faults[0];
  const rows = [
    ['asked', make('code', {}, one.request)],
    ['expected', first ? first.expected : one.expected],
    ['because', one.because === one.expected ? '' : one.because],
    ['answered', first ? first.answered : one.answered],
    ['wrong', first && first.watch === 'bytes' && one.wrong ? one.wrong.says : ''],
    ['wrong', first && first.watch === 'shape' && one.wrong_shape && !(one.replays_says || '').includes('; it gets the answer of that one') ? one.wrong_shape.says : ''],
    ['chose', one.chose],
    ['reason', one.reason],
  ];
  if (first) {
    rows.push(['where', `${first.plane} plane, watch ${first.watch}${first.duty ? `, duty ${first.duty}` : ''}`]);
    const frame = faults.map((fault) => fault.frame).find((found) => found && found.line);
    if (frame) rows.push(['frame', `${frame.function} at ${frame.file}:${frame.line}`]);
    rows.push(['probe', first.set_up]);
    for (const other of faults.slice(1, 6)) {
      rows.push(['also', `${other.plane} plane, ${other.watch}: expected ${other.expected}, answered ${other.answered}`]);
    }
    if (faults.length > 6) rows.push(['also', `${faults.length - 6} more`]);
  }
  if (one.known) rows.push(['baseline', `${one.known}: ${one.known_reason}`]);
  if (one.replays === 'after') rows.push(['again', `only after ${plural(one.only_after.length, 'other request')}`]);
  const passesAlone = ['not again', 'not alone'].includes(one.replays);
  if (passesAlone) rows.push(['again', 'it passes when it is asked alone']);
  if (one.replays_alone) rows.push(['again', `alone it fails in another way: ${one.replays_alone}`]);
  if (one.replays_says) rows.push(['again', one.replays_says]);
  if (one.replays === 'in doubt') rows.push(['again', 'not tried; others pass when they are asked alone']);
  rows.push(['clauses', one.clauses.join(', ')], ['source', one.source]);
  if (one.replay && !passesAlone) rows.push(['replay', command('replay', one.replay)]);
  if (one.explain) rows.push(['explain', command('explain', one.explain)]);
  return terms(rows);
}

function showCase(one) {
  const dialog = document.getElementById('one-case');
  document.getElementById('one-case-title').replaceChildren(badge(one.verdict), ' ', one.id);
  dialog.lastElementChild.replaceChildren(caseTerms(one));
  dialog.showModal();
}

function caseButton(one) {
  return make('button', {type: 'button', class: 'link', onclick: () => showCase(one)}, one.id);
}

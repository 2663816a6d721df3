// The table of all cases. DataTables keeps only the rows of one page in the document, whatever their number.
const kColumns = ['verdict', 'id', 'request', 'expected', 'answered'];
const kHeadings = ['Verdict', 'Case', 'Asked', 'Expected', 'Answered'];
const caseFilter = {verdict: '', dialect: '', clause: '', group: null, words: []};
let caseTable = null;

function textOf(one) {
  return [one.id, one.request, one.expected, one.answered, one.clauses.join(' '), one.reason, one.because]
    .join(' ').toLowerCase();
}

function caseIsShown(one) {
  if (caseFilter.verdict && one.verdict !== caseFilter.verdict) return false;
  if (caseFilter.dialect && one.dialect !== caseFilter.dialect) return false;
  if (caseFilter.clause && !one.clauses.includes(caseFilter.clause)) return false;
  if (caseFilter.group && !caseFilter.group.has(one.id)) return false;
  if (caseFilter.words.length === 0) return true;
  one.words ??= textOf(one);
  return caseFilter.words.every((word) => one.words.includes(word));
}

function drawCases() {
  caseFilter.verdict = document.getElementById('case-verdict').value;
  caseFilter.dialect = document.getElementById('case-dialect').value;
  caseFilter.words = document.getElementById('case-search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const said = [];
  if (caseFilter.clause) said.push(`of the clause ${caseFilter.clause}`);
  if (caseFilter.group) said.push('of one kind of failure');
  if (!caseTable) return;
  caseTable.draw();
  const {recordsDisplay, recordsTotal} = caseTable.page.info();
  document.getElementById('case-filter').textContent =
    [`${recordsDisplay.toLocaleString('en')} of ${plural(recordsTotal, 'case')}`, ...said].join(', ');
}

function showClause(dialect, clause) {
  clearCases();
  document.getElementById('case-dialect').value = dialect;
  caseFilter.clause = clause;
  goToCases();
}

function showGroup(group) {
  clearCases();
  caseFilter.group = new Set(group.cases);
  goToCases();
}

function goToCases() {
  drawCases();
  const title = document.getElementById('cases-title');
  title.tabIndex = -1;
  title.focus();
  document.getElementById('cases').scrollIntoView();
}

function clearCases() {
  for (const id of ['case-verdict', 'case-dialect', 'case-search']) document.getElementById(id).value = '';
  caseFilter.clause = '';
  caseFilter.group = null;
}

// The library would set the text of a cell as HTML: it is given none, and the cell is filled here.
function column(name, at) {
  return {
    data: null,
    title: kHeadings[at],
    render: (one, kind) => (kind === 'sort' || kind === 'type' ? one[name].toLowerCase() : ''),
    type: 'string',
    searchable: false,
    createdCell(cell, text, one) {
      cell.dataset.heading = kHeadings[at];
      cell.className = name;
      if (name === 'verdict') cell.replaceChildren(badge(one.verdict));
      else if (name === 'id') cell.replaceChildren(caseButton(one));
      else cell.textContent = one[name].length > 300 ? `${one[name].slice(0, 300)}...` : one[name];
    },
  };
}

// Called once; the rows change with the implementation.
function startCases() {
  const place = document.getElementById('case-table');
  if (!window.jQuery?.fn?.dataTable) {
    document.querySelector('#cases .filters').hidden = true;
    place.textContent = 'The table of cases needs jQuery and DataTables, which were not there when this program was '
      + 'built; the JSON report has all cases.';
    return;
  }
  const library = window.jQuery;
  library.fn.dataTable.ext.errMode = 'throw';
  library.fn.dataTable.ext.search.push((settings, texts, index, one) => caseIsShown(one));
  const element = make('table', {class: 'cards', 'aria-labelledby': 'cases-title'});
  place.replaceChildren(element);
  caseTable = library(element).DataTable({
    data: [],
    columns: kColumns.map(column),
    autoWidth: false,
    deferRender: true,
    dom: 'tp',
    order: [],
    pageLength: 25,
    pagingType: 'simple_numbers',
    language: {emptyTable: 'This run asked no case', zeroRecords: 'No case is like that'},
  });
  let waiting = 0;
  document.getElementById('case-search').addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(drawCases, 120);
  });
  for (const id of ['case-verdict', 'case-dialect']) document.getElementById(id).addEventListener('change', drawCases);
  document.getElementById('case-clear').addEventListener('click', () => { clearCases(); drawCases(); });
}

function fillCases(run) {
  clearCases();
  if (!caseTable) return;
  caseTable.clear();
  caseTable.rows.add(run.cases);
  drawCases();
}

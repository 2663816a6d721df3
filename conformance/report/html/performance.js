// How fast the implementation is: a row for each workload with its ratio of times and the interval, on a
// logarithmic axis. The marks differ by their form, and the words stand beside them.
const kMarks = {
  slower: 'M-4,-6 L7,0 L-4,6 Z',  // points to where slower is
  faster: 'M4,-6 L-7,0 L4,6 Z',
  'not slower': 'M-5,0 A5,5 0 1 1 5,0 A5,5 0 1 1 -5,0 Z',
  'not asserted': 'M-5,0 A5,5 0 1 1 5,0 A5,5 0 1 1 -5,0 Z',
};
const kSpeedBadges = {slower: 'mistrusted', faster: 'pass'};

// Values to mark between `low` and `high`: as many as there is room for, as round as they can be.
function ticks(low, high) {
  const most = 6;
  const decades = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) decades.push(10 ** power);
  const even = (step) => Array.from({length: Math.max(0, Math.floor(high / step + 1e-9))}, (nothing, at) => (at + 1) * step);
  const inside = (values) => values.filter((value) => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9));
  const finer = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].filter((step) => high / step < 1000).map(even);
  return [...finer, decades.flatMap((one) => [one, 2 * one, 5 * one]), decades].map(inside)
    .find((values) => values.length <= most) || [1];
}

function shortly(value) {
  return String(Number(value.toPrecision(3)));
}

// Where a ratio lies, in percent of the width; the range holds 1 and every interval.
function axisOf(rows) {
  const values = rows.filter((row) => row.ratio).flatMap((row) => [row.ratio, ...(row.interval || [])]);
  const low = Math.min(0.95, ...values), high = Math.max(1.05, ...values);
  const at = (value) => `${(5 + 90 * Math.log(value / low) / Math.log(high / low)).toFixed(2)}%`;
  return {at, ticks: ticks(low, high)};
}

function gridOf(axis, height) {
  return axis.ticks.map((value) => svg('line', {x1: axis.at(value), x2: axis.at(value), y1: 0, y2: height, class: 'grid'}));
}

function axisHead(axis) {
  return svg('svg', {class: 'ratio', height: 18, 'aria-hidden': 'true'}, svg('rect', {width: '100%', height: 18}),
    ...axis.ticks.map((value) => svg('text', {x: axis.at(value), y: 13}, shortly(value))));
}

function ratioPlot(row, axis) {
  const middle = 13;
  const drawing = svg('svg', {class: 'ratio', height: 2 * middle, 'aria-hidden': 'true'}, ...gridOf(axis, 2 * middle),
    svg('line', {x1: axis.at(1), x2: axis.at(1), y1: 0, y2: 2 * middle, class: 'one'}));
  if (!row.ratio) return drawing;
  if (row.interval) {
    const [x1, x2] = row.interval.map(axis.at);
    drawing.append(svg('line', {x1, x2, y1: middle, y2: middle, class: 'interval'}));
  }
  // An inner drawing is placed by percent, as a path cannot be.
  drawing.append(svg('svg', {x: axis.at(row.ratio), y: middle, class: 'mark'},
    svg('path', {d: kMarks[row.speed], class: row.speed.replace(' ', '-')})));
  return drawing;
}

function figuresOf(row) {
  if (!row.ratio) return '-';
  const said = make('span', {}, row.ratio.toPrecision(3));
  if (row.interval) {
    const [lower, upper] = row.interval.map((value) => value.toPrecision(3));
    said.append(' ', make('span', {class: 'whole'}, `[${lower}, ${upper}]`));
  }
  return said;
}

function speedCell(row) {
  return make('span', {}, badge(kSpeedBadges[row.speed] || 'unsupported', row.speed),
    ...(row.why ? [make('small', {}, row.why)] : []));
}

function ratiosPart(ratios) {
  const axis = axisOf(ratios.rows);
  const counts = Object.keys(kMarks).concat('not measured')
    .map((speed) => [speed, ratios.rows.filter((row) => row.speed === speed).length])
    .filter(([, count]) => count > 0).map(([speed, count]) => `${count.toLocaleString('en')} ${speed}`);
  const drawn = table(`Times over ${ratios.over}`, ['Workload', 'Plot', 'Ratio [interval]', 'Verdict'],
    ratios.rows.map((row) => [row.workload, ratioPlot(row, axis), figuresOf(row), speedCell(row)]));
  drawn.classList.add('ratios');
  drawn.querySelector('thead th:nth-child(2)').replaceChildren(make('span', {class: 'unseen'}, 'Plot'), axisHead(axis));
  return [make('h3', {}, `Time over ${ratios.over}`),
    make('p', {}, `Of ${plural(ratios.rows.length, 'workload')}: ${counts.join(', ')}. `
      + '1 is as fast; to the left is faster, to the right slower, and the line is the interval.'), drawn];
}

function drawPerformance(run) {
  const all = run.performance || [];
  for (const id of ['performance', 'performance-link']) document.getElementById(id).hidden = all.length === 0;
  document.querySelector('#performance > div').replaceChildren(...all.flatMap((one) => [
    make('p', {class: 'muted'}, make('code', {}, one.library), ` on ${one.machine}. Measured apart from this run, and no part of its verdict.`),
    ...one.notes.map((note) => make('p', {}, note)),
    ...one.ratios.flatMap(ratiosPart)]));
}

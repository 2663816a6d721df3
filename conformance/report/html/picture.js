// Tensors as grids: the last two axes of one slice, each cell with its row-major position.
const kCell = 34, kMostRows = 6, kMostColumns = 8, kCountable = 2 ** 53;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function volume(shape) {
  return shape.reduce((product, size) => product * size, 1);
}

function indexOf(position, shape) {
  const index = [];
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    index.unshift(position % shape[axis]);
    position = Math.floor(position / shape[axis]);
  }
  return index;
}

// Where a window of at most `most` cells begins that holds `marked`.
function windowStart(marked, size, most) {
  return size <= most ? 0 : Math.max(0, Math.min(marked - Math.floor(most / 2), size - most));
}

// A label, the shape in words, and the grid around the element `marked` (or the first one). Of `elements`
// there are fewer than the shape holds where a volume was not kept; those that are missing are hatched.
function tensorGrid(label, shape, marked, elements) {
  const words = `[${shape.join(',')}]`;
  const figure = make('figure', {}, make('figcaption', {}, make('strong', {}, label), ` ${words}`));
  const count = volume(shape);
  if (count === 0 || count >= kCountable) {
    figure.append(make('p', {class: 'muted'}, count === 0 ? 'no elements' : 'too large to draw'));
    return figure;
  }
  const at = marked !== undefined && marked < count ? marked : 0;
  const index = indexOf(at, shape);
  const columns = shape.length > 0 ? shape[shape.length - 1] : 1;
  const rows = shape.length > 1 ? shape[shape.length - 2] : 1;
  const slice = at - (at % (rows * columns));
  const left = windowStart(index.length > 0 ? index[index.length - 1] : 0, columns, kMostColumns);
  const top = windowStart(index.length > 1 ? index[index.length - 2] : 0, rows, kMostRows);
  const across = Math.min(columns, kMostColumns), down = Math.min(rows, kMostRows);
  const holds = marked === at ? `, element ${at} at [${index.join(',')}] marked` : '';
  const drawing = svg('svg', {
    viewBox: `0 0 ${across * kCell + 4} ${down * kCell + 4}`,
    width: across * kCell + 4, height: down * kCell + 4,
    role: 'img', 'aria-label': `${label} of shape ${words}${holds}`,
  });
  let last = null;  // drawn over the edges of its neighbours
  for (let row = 0; row < down; ++row) {
    for (let column = 0; column < across; ++column) {
      const position = slice + (top + row) * columns + left + column;
      const state = position === marked ? 'marked' : position >= elements ? 'missing' : 'plain';
      const x = column * kCell + 2, y = row * kCell + 2;
      const cell = svg('g', {}, svg('rect', {x, y, width: kCell, height: kCell, class: `cell ${state}`}));
      if (state === 'missing') {
        cell.append(svg('line', {x1: x, y1: y + kCell, x2: x + kCell, y2: y, class: 'hatch'}));
      }
      cell.append(svg('text', {x: x + kCell / 2, y: y + kCell / 2 + 4, class: `cell ${state}`}, String(position)));
      if (state === 'marked') last = cell;
      drawing.append(cell);
    }
  }
  if (last) drawing.append(last);
  figure.append(drawing);
  const notes = [];
  if (count > rows * columns) notes.push(`slice [${[...index.slice(0, -2), ':', ':'].join(',')}]`);
  if (rows > down || columns > across) notes.push(`${down} x ${across} of ${rows} x ${columns}`);
  if (notes.length > 0) figure.append(make('p', {class: 'muted'}, notes.join(', ')));
  return figure;
}

// The data, the right output and what came, side by side.
function picture(group) {
  const elements = volume(group.data_shape);
  const row = make('div', {class: 'picture'}, tensorGrid('data', group.data_shape, group.element, elements));
  const same = String(group.expected_shape) === String(group.answered_shape);
  if (group.expected_shape && same) {
    row.append(tensorGrid('output', group.expected_shape, group.element, elements));
  } else {
    if (group.expected_shape) row.append(tensorGrid('expected', group.expected_shape, undefined, elements));
    if (group.answered_shape) row.append(tensorGrid('answered', group.answered_shape, group.element, elements));
  }
  const says = make('p', {class: 'muted'}, 'A cell shows its position in row-major order. ');
  if (group.element !== undefined) {
    says.append(`Marked: element ${group.element}, the first one that is wrong. `);
  }
  if (group.answered_shape && volume(group.answered_shape) > elements) {
    says.append('Struck through: the data has no such element.');
  }
  return make('div', {}, row, says);
}

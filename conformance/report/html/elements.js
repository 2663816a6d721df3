// Makes elements. Text goes in as text, so that nothing an implementation wrote is ever read as HTML.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

function plural(count, one, many = one + 's') {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

function announce(text) {
  document.getElementById('announcement').textContent = text;
}

// The clipboard is closed to pages of some schemes; then the text is selected to be copied by hand.
async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    return document.execCommand('copy');
  }
}

// A command line with a button that copies it.
function command(what, line) {
  const code = make('code', {}, line);
  const button = make('button', {
    type: 'button',
    'aria-label': `Copy the command: ${what}`,
    async onclick() {
      const copied = await copy(line, code);
      button.textContent = copied ? 'Copied' : 'Selected';
      announce(copied ? 'The command was copied' : 'The command is selected');
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    },
  }, 'Copy');
  return make('div', {class: 'command'}, code, button);
}

// Rows of [term, text or element]; a row without anything to say is left out.
function terms(rows) {
  const list = make('dl', {});
  for (const [term, what] of rows) {
    if (what === undefined || what === null || what === '') continue;
    list.append(make('div', {}, make('dt', {}, term), make('dd', {}, what)));
  }
  return list;
}

function badge(kind, text = kind) {
  return make('span', {class: `badge ${kind.replace(/[^a-z]/g, '-')}`}, text);
}

// A table whose rows become cards on a narrow screen: each cell knows its heading.
function table(caption, headings, rows) {
  return make('div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption},
    make('table', {class: 'cards'},
      make('caption', {class: 'unseen'}, caption),
      make('thead', {}, make('tr', {}, ...headings.map((text) => make('th', {scope: 'col'}, text)))),
      make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((cell, at) =>
        make(at === 0 ? 'th' : 'td', at === 0 ? {scope: 'row'} : {'data-heading': headings[at]}, cell)))))));
}

// The first `shown` of them at once, the rest when asked for.
function growing(items, shown, draw) {
  const list = make('div', {});
  let drawn = 0;
  const more = make('button', {type: 'button', onclick: () => grow(200)});
  function grow(count) {
    list.append(...items.slice(drawn, drawn + count).map(draw));
    drawn = Math.min(drawn + count, items.length);
    more.hidden = drawn === items.length;
    more.textContent = `Show more of ${items.length - drawn} left`;
  }
  grow(shown);
  return make('div', {}, list, more);
}

// Drawn when it is opened for the first time, because a report may hold hundreds.
function opening(summary, draw, open = false) {
  const inside = make('div', {class: 'inside'});
  const element = make('details', {open}, make('summary', {}, ...summary), inside);
  const fill = () => { if (element.open && !inside.firstChild) inside.append(...draw()); };
  element.addEventListener('toggle', fill);
  fill();
  return element;
}

// parts.js - numbers as people read them, elements, the filter. SPDX-License-Identifier: MIT

const by = id => document.getElementById(id);

function el(name, props, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(props || {}))
    if (key in e && key !== 'list') e[key] = value;
    else e.setAttribute(key, value);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}

// Three digits and a unit.
function timeText(us) {
  if (!(us > 0)) return '–';
  const [scale, unit] = us < 1 ? [1e3, 'ns'] : us < 1e3 ? [1, 'µs'] : us < 1e6 ? [1e-3, 'ms'] : [1e-6, 's'];
  const x = us * scale;
  return `${x.toFixed(x < 10 ? 2 : x < 100 ? 1 : 0)} ${unit}`;
}
const signed = (x, digits = 1) => (x < 0 ? '−' : '+') + Math.abs(x).toFixed(digits);
const changeText = x => x === null || x === undefined ? '' : `${signed(x)} %`;
const dayText = d3.utcFormat('%d %b %Y');
const whenText = d3.utcFormat('%d %b %Y, %H:%M UTC');
const countText = (n, what, many) => `${d3.format(',')(n)} ${n === 1 ? what : many || what + 's'}`;

const sourceMark = name => name ? el('span', { className: `source ${name}` }, name) : '';

function tip(event, text) {
  const t = by('tip');
  t.hidden = !text;
  if (!text) return;
  t.textContent = text;
  const w = t.offsetWidth, h = t.offsetHeight;
  t.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - w - 8))}px`;
  t.style.top = `${event.clientY + h + 24 > innerHeight ? event.clientY - h - 10 : event.clientY + 16}px`;
}

const color = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// "gemm m=4096 change>3": all of them must hold. field(row, name) is a number,
// a text, or undefined where the row has none of that name.
function parseFilter(text) {
  return text.trim().split(/\s+/).filter(Boolean).map(word => {
    const m = /^([\w-]+)(<=|>=|!=|=|<|>)(.*)$/.exec(word);
    return m ? { name: m[1], op: m[2], value: m[3] } : { word: word.toLowerCase() };
  });
}
const compares = {
  '=': (a, b) => a === b, '!=': (a, b) => a !== b, '<': (a, b) => a < b,
  '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b,
};
function holds(term, row, text, field) {
  if (term.word) return text(row).includes(term.word);
  if (term.value === '') return true; // still being typed
  const own = field(row, term.name);
  if (own === undefined || own === null || own === '') return false;
  const a = Number(own), b = Number(term.value);
  return Number.isNaN(a) || Number.isNaN(b)
    ? compares[term.op](String(own).toLowerCase(), term.value.toLowerCase())
    : compares[term.op](a, b);
}
const filterRows = (rows, query, text, field) => {
  const terms = parseFilter(query);
  return terms.length ? rows.filter(r => terms.every(t => holds(t, r, text, field))) : rows;
};

// table.js - a table of any length: only rows in sight exist. SPDX-License-Identifier: MIT
//
// columns: { label, value(row), cell(row) -> text or element, num, title }. Sorted
// by value() when its heading is pressed; up and down choose a row.

function makeTable(host, options) {
  const ROW = 28, AHEAD = 12;
  const { columns, label, onPick, empty } = options;
  let rows = [], sortBy = options.sortBy ?? -1, down = options.down ?? false, picked = -1;
  const body = el('tbody', {});
  const heads = columns.map((c, k) => {
    const button = el('button', { type: 'button', title: c.title || `Sort by ${c.label}` }, c.label);
    button.addEventListener('click', () => { down = sortBy === k ? !down : !!c.num; sortBy = k; sort(); });
    return el('th', { scope: 'col', className: c.num ? 'num' : '' }, button);
  });
  const table = el('table', { 'aria-label': label, 'aria-rowcount': '0' },
                   el('thead', {}, el('tr', {}, ...heads)), body);
  const none = el('p', { className: 'empty', hidden: true }, empty || 'Nothing fits the filter.');
  const box = el('div', { className: 'list', tabIndex: 0, role: 'region', 'aria-label': label }, table, none);
  host.replaceChildren(box);

  function gap(n) {
    const td = el('td', { colSpan: columns.length });
    td.style.height = `${n * ROW}px`;
    return el('tr', { className: 'gap', 'aria-hidden': 'true' }, td);
  }
  function line(k) {
    const row = rows[k];
    const tr = el('tr', { 'aria-selected': row === picked, 'aria-rowindex': k + 2 });
    tr.dataset.at = k;
    for (const c of columns)
      tr.append(el('td', { className: `${c.num ? 'num' : ''} ${c.look ? c.look(row) : ''}` }, c.cell(row)));
    return tr;
  }
  function draw() {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - AHEAD);
    const to = Math.min(rows.length, from + Math.ceil(box.clientHeight / ROW) + 2 * AHEAD);
    const lines = [];
    if (from) lines.push(gap(from));
    for (let k = from; k < to; k++) lines.push(line(k));
    if (to < rows.length) lines.push(gap(rows.length - to));
    body.replaceChildren(...lines);
    none.hidden = rows.length > 0;
    table.setAttribute('aria-rowcount', rows.length + 1);
  }
  function sort() {
    heads.forEach((h, k) => {
      if (k === sortBy) h.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else h.removeAttribute('aria-sort');
    });
    if (sortBy >= 0) {
      const value = columns[sortBy].value;
      const missing = v => v === null || v === undefined || Number.isNaN(v) || v === '';
      rows = rows.map(r => [value(r), r]).sort(([a], [b]) =>
        missing(a) || missing(b) ? missing(a) - missing(b)
        : (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1)).map(x => x[1]);
    }
    draw();
  }
  function pick(k, silent) {
    if (k < 0 || k >= rows.length) return;
    picked = rows[k];
    const top = k * ROW, head = 34;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + ROW + head > box.scrollTop + box.clientHeight) box.scrollTop = top + ROW + head - box.clientHeight;
    draw();
    if (!silent && onPick) onPick(picked);
  }
  box.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
  body.addEventListener('click', event => {
    const tr = event.target.closest('tr[data-at]');
    if (tr) pick(Number(tr.dataset.at));
  });
  box.addEventListener('keydown', event => {
    const at = rows.indexOf(picked), page = Math.floor(box.clientHeight / ROW) - 2;
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, PageDown: Math.min(rows.length - 1, at + page),
                 PageUp: Math.max(0, at - page), Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || event.target.closest('th')) return;
    event.preventDefault();
    pick(to);
  });
  return {
    show(list) { rows = list.slice(); box.scrollTop = 0; sort(); },
    pick: (row, silent) => pick(rows.indexOf(row), silent),
    mark(row) { picked = row; draw(); },
    rows: () => rows,
    redraw: draw,
    focus: () => box.focus(),
  };
}

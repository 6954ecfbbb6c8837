// main.js - the page. SPDX-License-Identifier: MIT

let chosen = -1, verdict = 'all', candidates = [], candidateShown = [];

/* --- head ----------------------------------------------------------------- */

function head() {
  by('title').textContent = D.sweep;
  by('sub').replaceChildren(`Night of ${whenText(nightDate(D.night))}`, D.with ? `, compared with ${D.with}. ` : '. The first night. ');
  for (const part of D.devices.split('; ').filter(Boolean)) {
    const at = part.lastIndexOf(': ');
    by('sub').append(sourceMark(part.slice(at + 2)), ` ${part.slice(0, at)} `);
  }
  document.title = `${D.sweep}, ${dayText(nightDate(D.night))}`;
  by('notes').hidden = !D.warnings.length;
  by('notes').replaceChildren(...D.warnings.map(w => el('p', {}, `${w[0].toUpperCase()}${w.slice(1)}.`)));
  const count = Object.fromEntries(D.counts.map(([name, , n]) => [name, n]));
  const whole = d3.range(COUNT).filter(i => stateOf(i) === 1).length;
  const tiles = [[count.slower, 'slower', 'slower'], [count.faster, 'faster', 'faster'], [count.same, 'within the noise'],
    [count.failed, 'new failures', 'lost'], [count.kept, 'not run again'], [D.stale, 'stale winners'],
    [`${whole} / ${COUNT}`, 'with a winner']];
  by('summary').replaceChildren(...tiles.map(([n, what, look]) =>
    el('div', {}, el('dt', {}, what), el('dd', { className: n && look ? look : '' }, typeof n === 'number' ? d3.format(',')(n) : n))));
  by('method').textContent = [D.coverage && `Coverage: ${D.coverage}.`, D.method && `Judged: ${D.method}.`].filter(Boolean).join(' ');
  by('foot').textContent = `Made by ${D.program} from ${D.store}. This page is one file: nothing is loaded from anywhere. Drawn with D3.`;
}

/* --- what changed --------------------------------------------------------- */

const looks = { slower: 'slower', faster: 'faster', 'new failure': 'lost', 'still failing': 'lost' };
// What cannot be compared does not stand beside it.
const beforeOf = i => /^another/.test(T(P.verdict[i])) ? 0 : P.before[i];
const problemColumns = [
  { label: 'Verdict', value: i => T(P.verdict[i]), cell: i => T(P.verdict[i]), look: i => looks[T(P.verdict[i])] || '' },
  { label: 'Change', num: true, title: 'Of time, against what it is compared with', value: i => P.change[i], cell: i => changeText(P.change[i]), look: i => looks[T(P.verdict[i])] || 'soft' },
  { label: 'Problem', value: i => P.brief[i], cell: i => P.brief[i] + (P.stale[i] ? ' (stale)' : '') },
  { label: 'Family', value: i => familyOf(i).family, cell: i => familyOf(i).family },
  { label: 'Before', num: true, title: 'Of the same device and source', value: i => beforeOf(i) || null, cell: i => timeText(beforeOf(i)) },
  { label: 'Now', num: true, value: i => P.time[i] || null, cell: i => timeText(P.time[i]) },
  { label: 'Rate', num: true, value: i => P.rate[i] || null, cell: i => P.rate[i] ? `${d3.format(',.0f')(P.rate[i])} ${T(P.unit[i])}` : '' },
  { label: 'Of peak', num: true, value: i => P.share[i] || null, cell: i => P.share[i] ? `${(100 * P.share[i]).toFixed(1)} %` : '' },
  { label: 'Source', value: sourceOf, cell: i => sourceMark(sourceOf(i)) },
];
const problemText = i => `${T(P.verdict[i])} ${sourceOf(i)} ${nameOf(i)} ${P.stale[i] ? 'stale' : ''}`.toLowerCase();
const problemFields = {
  change: i => P.change[i], time: i => P.time[i], before: beforeOf, share: i => P.share[i] ? 100 * P.share[i] : null,
  rate: i => P.rate[i], verdict: i => T(P.verdict[i]), source: sourceOf, family: i => familyOf(i).family, arch: i => familyOf(i).arch,
  device: i => T(P.device[i]), launches: i => P.n[i], stale: i => P.stale[i],
};
function problemField(i, name) {
  const m = new RegExp(`(?:^|,)${name.replace(/[^\w]/g, '')}=([^,]*)`).exec(fullOf(i));
  return m ? m[1] : problemFields[name]?.(i);
}

const problemTable = makeTable(by('problems'), { columns: problemColumns, label: 'Problems of the night', onPick: choose });
const interesting = i => !['within the noise', 'not run again', ''].includes(T(P.verdict[i]));

function showProblems() {
  let rows = d3.range(COUNT).filter(i => T(P.verdict[i]));
  if (verdict === 'changed') rows = rows.filter(interesting);
  else if (verdict !== 'all') rows = rows.filter(i => T(P.verdict[i]) === verdict);
  const weight = i => (looks[T(P.verdict[i])] === 'lost' ? 1e6 : 0) + (T(P.verdict[i]) === 'slower' ? 2e3 : 0) + (interesting(i) ? 1e3 : 0) + Math.abs(P.change[i] || 0);
  rows.sort((a, b) => weight(b) - weight(a));
  problemTable.show(filterRows(rows, by('find').value, problemText, problemField));
}

function verdictButtons() {
  const kinds = D.counts.filter(([, , n]) => n);
  const changed = kinds.filter(([, what]) => !['within the noise', 'not run again'].includes(what));
  const all = [['all', 'All', COUNT], ...(changed.length > 1 ? [['changed', 'Changed', d3.sum(changed, c => c[2])]] : []), ...kinds.map(([, what, n]) => [what, what, n])];
  by('verdicts').replaceChildren(...all.map(([key, what, n]) => {
    const b = el('button', { type: 'button', className: looks[what] || '' }, `${what} ${d3.format(',')(n)}`);
    b.setAttribute('aria-pressed', key === verdict);
    b.addEventListener('click', () => { verdict = key; verdictButtons(); showProblems(); });
    return b;
  }));
}

/* --- one problem ---------------------------------------------------------- */

function fact(name, ...value) {
  return value.some(v => v !== '' && v !== null) ? [el('dt', {}, name), el('dd', {}, ...value)] : [];
}
function provenance(i) {
  const s = sourceOf(i), f = familyOf(i), winner = candidates.find(c => c.winner);
  const config = winner ? f.tunables.map((t, k) => `${t.name}=${valueOf(i, winner, k)}`).filter(x => !x.endsWith('=')).join(', ') : '';
  const spread = P.mad[i] && P.time[i] ? `, MAD ${(100 * P.mad[i] / P.time[i]).toFixed(2)} %` : '';
  by('provenance').replaceChildren(...[
    fact('time', P.time[i] ? `${P.time[i]} µs${P.error[i] ? ` ± ${Math.round(100 * P.error[i])} %` : ''}` : '', P.time[i] ? ' ' : '', sourceMark(s)),
    fact('launches', s === 'measured' ? `median of ${P.n[i]}${spread}` : ''),
    fact('verdict', T(P.verdict[i]), P.change[i] === null ? '' : `, ${changeText(P.change[i])}`, P.p[i] === null ? '' : `, p ${d3.format('.2g')(P.p[i])} before correction`),
    fact('why', T(P.reason[i])),
    fact('rate', P.rate[i] ? `${d3.format(',.6~g')(P.rate[i])} ${T(P.unit[i])}${P.share[i] ? `, ${(100 * P.share[i]).toFixed(1)} % of the peak` : ''}` : ''),
    fact('bound by', T(P.bound[i])),
    fact('device', T(P.device[i])),
    fact('clock', P.clock[i] ? `${P.clock[i]} MHz` : ''),
    fact('made with', T(P.made[i])),
    fact('kernels', P.stale[i] ? 'stale: the templates make others by now' : ''),
    fact('date', P.date[i]),
    fact('night did', { new: 'tuned it for the first time', changed: 'tuned it anew', incumbent: 'timed winner and runner-up again', kept: 'nothing: it is an earlier result' }[T(P.why[i])] || ''),
    fact('problem', fullOf(i)),
    fact('config', config),
    fact('recorded in', `nights/${D.sweep}/${D.night}*.night, candidates in ${f.arch}/${f.family}.journal`),
  ].flat());
}

function choose(i) {
  chosen = i;
  candidates = candidatesOf(i);
  by('problem-name').textContent = nameOf(i);
  by('candidates-name').textContent = nameOf(i);
  by('find-candidate').value = '';
  parallel.clear();
  drawProblemTrend(i);
  provenance(i);
  makeCandidateTable(i);
  showCandidates();
  drawRoof(chosen, pick);
}
function pick(i) { choose(i); problemTable.pick(i, true); }

/* --- candidates ----------------------------------------------------------- */

const parallel = makeParallel(by('parallel'), fillCandidates);
let candidateTable;

function makeCandidateTable(i) {
  const best = candidates.length ? candidates.reduce((a, c) => Math.min(a, c.us), Infinity) : 1;
  const columns = [
    { label: '#', num: true, value: c => c.rank, cell: c => String(c.rank) },
    { label: 'Time', num: true, value: c => c.us, cell: c => timeText(c.us) },
    { label: 'Slower', num: true, title: 'Times the fastest', value: c => c.us, cell: c => `×${(c.us / best).toFixed(3)}` },
    { label: '', value: c => c.winner ? 0 : 1, cell: c => c.winner ? 'winner' : '' },
    ...familyOf(i).tunables.map((t, k) => ({
      label: t.name, num: t.values.every(v => asNumber(v) !== null),
      value: c => asNumber(valueOf(i, c, k)) ?? valueOf(i, c, k), cell: c => valueOf(i, c, k) })),
  ];
  candidateTable = makeTable(by('candidate-table'), { columns, label: 'Candidates', sortBy: 1,
    empty: candidates.length ? 'Nothing fits the filters.' : 'The journal has no candidate of this problem on this device.' });
}
function candidateField(c, name) {
  if (name === 'time') return c.us;
  if (name === 'slower') return c.us / Math.min(...candidates.map(x => x.us));
  const k = familyOf(chosen).tunables.findIndex(t => t.name === name);
  return k < 0 ? undefined : valueOf(chosen, c, k);
}
const candidateText = c => familyOf(chosen).tunables.map((t, k) => `${t.name}=${valueOf(chosen, c, k)}`).join(' ') + (c.winner ? ' winner' : '');

function fillCandidates() {
  const rows = candidateShown.filter(parallel.passes);
  candidateTable.show(rows);
  by('candidates-count').textContent = `${rows.length} of ${candidates.length}`;
}
function showCandidates() {
  candidateShown = filterRows(candidates, by('find-candidate').value, candidateText, candidateField);
  parallel.draw(chosen, candidates, () => candidateShown);
  fillCandidates();
  const tried = D.tried[chosen], shown = D.shown[chosen];
  by('parallel-note').textContent = `A line is a candidate: dark is fast, the thick one is the winner. Drag on an axis to keep what passes there; tunables that do not vary are left out. `
    + (shown < tried ? `The fastest ${shown} of ${tried} candidates` : `All ${countText(tried, 'candidate')}`)
    + ` that were timed on ${sourceOf(chosen) ? `this device, ${sourceOf(chosen)}` : 'the device of its last winner'}${D.failed[chosen] ? `; ${D.failed[chosen]} others failed` : ''}. From ${familyOf(chosen).arch}/${familyOf(chosen).family}.journal.`;
}

/* --- tunables ------------------------------------------------------------- */

function drawMatter() {
  const f = D.families[by('family').value];
  const list = f ? f.tunables.filter(t => t.values.length > 1).sort((a, b) => b.share - a.share) : [];
  const most = Math.max(0.01, d3.max(list, t => t.share) || 0);
  const value = (t, v, k) => {
    const cost = t.costs[k];
    return el('span', {}, cost !== null && cost < 1.0005 + d3.min(t.costs.filter(c => c !== null)) - 1 ? el('b', {}, v) : v, ` ${cost === null ? '–' : `×${cost.toFixed(2)}`}`);
  };
  by('matter').replaceChildren(!list.length || !f.problems
    ? el('p', { className: 'empty' }, 'No problem of this family has 20 recorded candidates.')
    : el('div', { className: 'list', tabIndex: 0 }, el('table', { className: 'matter' },
      el('thead', {}, el('tr', {}, el('th', {}, 'Tunable'), el('th', { colSpan: 2 }, 'Share of variation'), el('th', {}, 'Best time with each value, times the best of all'))),
      el('tbody', {}, ...list.map(t => {
        const bar = el('span', { className: 'bar' });
        bar.style.width = `${100 * t.share / most}%`;
        const order = d3.range(t.values.length).sort((a, b) => byValue(t.values[a], t.values[b]));
        return el('tr', {}, el('td', {}, t.name), el('td', { className: 'num' }, `${(100 * t.share).toFixed(1)} %`), el('td', { className: 'share', style: 'width:22%' }, bar),
          el('td', { className: 'values' }, ...order.map(k => value(t, t.values[k], k))));
      })))));
  by('matter-note').textContent = f && f.problems ? `Of ${countText(f.tried, 'recorded candidate')} of ${countText(f.problems, 'problem')}: what each tunable alone explains of the variation of ln(time) within a problem (epsilon squared), and how much slower the best candidate with each value is (geometric mean). The search tries good values more often, and tunables that matter only together are missed: it is what was seen, not an experiment. From ${f.arch}/${f.family}.journal.` : '';
}

/* --- light and dark, keys, sizes ------------------------------------------ */

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  by('theme').textContent = dark ? 'Light' : 'Dark';
}
const isDark = () => document.documentElement.dataset.theme === 'dark';
function flip() { setTheme(!isDark()); drawCharts(); }

function drawCharts() {
  drawFamilyTrend();
  drawCosts();
  if (chosen >= 0) {
    drawProblemTrend(chosen);
    parallel.draw(chosen, candidates, () => candidateShown);
  }
  drawRoof(chosen, pick);
}

function start() {
  const wanted = matchMedia('(prefers-color-scheme: dark)');
  setTheme(wanted.matches);
  wanted.addEventListener('change', event => { setTheme(event.matches); drawCharts(); });
  head();
  verdict = d3.range(COUNT).some(interesting) && d3.range(COUNT).filter(interesting).length < COUNT ? 'changed' : 'all';
  if (!D.counts.filter(([, what, n]) => n && !['within the noise', 'not run again'].includes(what))[1]) verdict = 'all';
  verdictButtons();
  showProblems();
  by('family').replaceChildren(...D.families.map((f, k) => el('option', { value: String(k) }, `${f.family} on ${f.arch}`)));
  drawMatter();
  drawFamilyTrend();
  drawCosts();
  const first = problemTable.rows()[0];
  if (first !== undefined) { choose(first); problemTable.mark(first); }
  by('find').addEventListener('input', showProblems);
  by('find-candidate').addEventListener('input', showCandidates);
  by('clear').addEventListener('click', () => { by('find-candidate').value = ''; parallel.clear(); showCandidates(); });
  by('family').addEventListener('change', drawMatter);
  by('theme').addEventListener('click', flip);
  document.addEventListener('keydown', event => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === 'Escape' && typing) event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/') { event.preventDefault(); by('find').focus(); }
    if (event.key === 'd') flip();
    if (/^Arrow(Up|Down)$/.test(event.key) && event.target === document.body) problemTable.focus();
  });
  let later = 0, width = innerWidth;
  addEventListener('resize', () => {
    clearTimeout(later);
    later = setTimeout(() => { if (width !== innerWidth) { width = innerWidth; drawCharts(); problemTable.redraw(); } }, 120);
  });
}
start();
document.documentElement.dataset.ready = Math.round(performance.now());

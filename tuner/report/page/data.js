// data.js - what the page has, and how it is read. SPDX-License-Identifier: MIT

const D = JSON.parse(document.getElementById('data').textContent);

// The element is as large as all the rest, and not needed any more.
document.getElementById('data').remove();

function bytes(text) {
  if (Uint8Array.fromBase64)
    return Uint8Array.fromBase64(text);
  const s = atob(text), out = new Uint8Array(s.length);
  for (let i = 0; i < s.length; i++)
    out[i] = s.charCodeAt(i);
  return out;
}

const P = D.problems, N = D.nights.length, COUNT = P.brief.length;
const T = number => D.texts[number];
const TIMES = bytes(D.times), SPREADS = bytes(D.spreads), FLAGS = new Uint8Array(N * COUNT);
const CANDIDATES = bytes(D.candidates);
{ // runs of (how many nights, flags), one problem after the other
  const runs = bytes(D.flags);
  for (let r = 0, problem = 0, night = 0; r < runs.length; r += 2) {
    for (let n = runs[r]; n > 0; n--)
      FLAGS[night++ * COUNT + problem] = runs[r + 1];
    if (night === N) { night = 0; problem++; }
  }
}
D.times = D.spreads = D.flags = D.candidates = null;

// ORDER STEP: tuner/report/page_code.c
const unstep = s => s ? 0.01 * Math.exp((s - 1) / 65534 * 23.02585092994046) : NaN;

// ORDER FLAG: tuner/report/page_data.c
function point(night, problem) {
  const at = night * COUNT + problem, f = FLAGS[at];
  return {
    night, us: unstep(TIMES[2 * at] | TIMES[2 * at + 1] << 8),
    spread: SPREADS[at] * 0.0002, state: f & 3, source: f >> 2 & 3,
    slower: !!(f & 16), faster: !!(f & 32), config: !!(f & 64), throttled: !!(f & 128),
  };
}
const SOURCES = ['', 'measured', 'modelled'];

function nightDate(stamp) {
  const m = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/.exec(stamp);
  return m ? new Date(Date.UTC(m[1], m[2] - 1, m[3], m[4], m[5])) : new Date(NaN);
}
const DATES = D.nights.map(n => nightDate(n[0]));

// The last night: what each problem is, beside its columns.
const sourceOf = i => SOURCES[point(N - 1, i).source];
const stateOf = i => point(N - 1, i).state;
const familyOf = i => D.families[P.family[i]];
// The whole problem: "m=4096,n=512,...".
function fullOf(i) {
  const values = P.values[i].split(',');
  return T(P.keys[i]).split(',').map((key, k) => `${key}=${values[k]}`).join(',');
}
const nameOf = i => `${familyOf(i).family} on ${familyOf(i).arch}, ${P.brief[i]}`;

// Where the candidates of each problem begin: the winner, then those shown.
const FROM = [];
for (let i = 0, at = 0; i < COUNT; i++) {
  FROM.push(at);
  at += (D.shown[i] + 1) * (2 + familyOf(i).tunables.length);
}

function candidatesOf(i) {
  const f = familyOf(i), n = f.tunables.length, out = [];
  const read = k => {
    const at = FROM[i] + k * (2 + n);
    return { us: unstep(CANDIDATES[at] | CANDIDATES[at + 1] << 8),
             at: CANDIDATES.subarray(at + 2, at + 2 + n) };
  };
  const winner = read(0);
  for (let k = 1; k <= D.shown[i]; k++)
    out.push(read(k));
  const same = c => c.at.every((v, t) => v === winner.at[t]);
  const found = out.find(same);
  if (found)
    found.winner = true;
  else if (winner.us)
    out.unshift({ ...winner, winner: true });
  out.forEach((c, k) => { c.rank = k + 1; });
  return out;
}
const valueOf = (i, c, t) => c.at[t] === 255 ? '' : familyOf(i).tunables[t].values[c.at[t]];

// charts.js - trends, roofline, cost. SPDX-License-Identifier: MIT
//
// Measured is a full line and full dots, modelled a dashed line and hollow dots.

function frame(host, margin, label) {
  host.replaceChildren();
  const width = Math.max(280, host.clientWidth), height = host.clientHeight;
  const svg = d3.select(host).append('svg').attr('width', width).attr('height', height)
    .attr('role', 'img').attr('aria-label', label);
  return { svg, width, height, left: margin.left, top: margin.top,
           right: width - margin.right, bottom: height - margin.bottom };
}
function grid(f, x, y, xAxis, yAxis, xTitle, yTitle) {
  const g = f.svg.append('g');
  g.append('g').attr('transform', `translate(0,${f.bottom})`).call(xAxis.tickSizeOuter(0).tickSizeInner(-(f.bottom - f.top)).tickPadding(6));
  g.append('g').attr('transform', `translate(${f.left},0)`).call(yAxis.tickSizeOuter(0).tickSizeInner(-(f.right - f.left)).tickPadding(6));
  g.selectAll('.domain').remove();
  f.svg.append('text').attr('x', f.left - 2).attr('y', 15).attr('text-anchor', 'start').text(yTitle);
  if (xTitle) f.svg.append('text').attr('x', f.right).attr('y', f.height - 4).attr('text-anchor', 'end').text(xTitle);
}
const dateTicks = (x, f) => d3.axisBottom(x).ticks(DATES[N - 1] - DATES[0] < 6e8 ? d3.utcDay.every(f.right - f.left > 500 ? 1 : 2) : Math.max(2, Math.min(8, Math.floor((f.right - f.left) / 110)))).tickFormat(d3.utcFormat(DATES[N - 1] - DATES[0] > 3e10 ? '%b %Y' : '%d %b'));
function dateScale(f) {
  const [a, b] = d3.extent(DATES.filter(d => !isNaN(d)));
  const pad = a < b ? 0 : 432e5;
  return d3.scaleUtc([new Date(+a - pad), new Date(+b + pad)], [f.left + 12, f.right - 12]);
}

const hues = ['#4178a8', '#b0652e', '#3f8a66', '#8a5fa8', '#a8475e', '#7a7d2e', '#2f8d96', '#8c7255'];
const dash = source => source === 'modelled' ? '5 4' : null;

function drawFamilyTrend() {
  const host = by('family-trend');
  const wide = host.clientWidth > 700;
  const f = frame(host, { top: 28, right: wide ? 190 : 14, bottom: 30, left: 52 },
                  'Speed of each family over the nights, relative to its first night');
  const all = D.trends.map((t, k) => ({ ...t, hue: hues[k % hues.length],
    at: t.speed.map((s, n) => ({ n, s })).filter(p => p.s !== null) })).filter(t => t.at.length);
  const values = all.flatMap(t => t.at.map(p => p.s));
  if (!values.length) return host.replaceChildren(el('p', { className: 'empty' }, 'No family has a winner.'));
  let [low, high] = d3.extent(values);
  const room = Math.max(0.01, (high - low) * 0.12);
  const x = dateScale(f), y = d3.scaleLinear([low - room, high + room], [f.bottom, f.top]);
  grid(f, x, y, dateTicks(x, f), d3.axisLeft(y).ticks(6), '', 'speed, first night = 1 (higher is faster)');
  const line = d3.line().x(p => x(DATES[p.n])).y(p => y(p.s));
  const ends = all.map(t => ({ t, y: y(t.at[t.at.length - 1].s) })).sort((a, b) => a.y - b.y);
  for (let k = 1; k < ends.length; k++) ends[k].y = Math.max(ends[k].y, ends[k - 1].y + 30);
  for (const t of all) {
    f.svg.append('path').attr('d', line(t.at)).attr('fill', 'none').attr('stroke', t.hue)
      .attr('stroke-width', 1.8).attr('stroke-dasharray', dash(t.source));
    if (t.at.length === 1)
      f.svg.append('circle').attr('cx', x(DATES[t.at[0].n])).attr('cy', y(t.at[0].s)).attr('r', 4).attr('fill', t.hue);
  }
  if (wide)
    for (const { t, y: at } of ends) {
      const g = f.svg.append('g').attr('transform', `translate(${f.right + 10},${at})`);
      g.append('text').attr('class', 'name').attr('dy', '0.1em').style('fill', t.hue).style('font-weight', 600).text(`${t.family} ${t.speed[N - 1] ? t.speed[N - 1].toFixed(3) : ''}`);
      g.append('text').attr('dy', '1.25em').text(`${t.source}, ${countText(t.problems, 'problem')}`);
    }
  const names = wide ? '' : all.map(t => `${t.family} (${t.source}) ${t.at[t.at.length - 1].s.toFixed(3)}`).join(', ') + '. ';
  by('family-note').textContent = `${names}Geometric mean over the problems of a family, device and source, chained over those that two nights share. ${shownNights()}`;
  hoverDates(f, x, k => all.filter(t => t.speed[k] !== null)
    .map(t => `${t.family} on ${t.device}: ${t.speed[k].toFixed(4)}, ${t.source}`).join('\n'));
}

// The night under the pointer, in words.
function hoverDates(f, x, text) {
  const rule = f.svg.append('line').attr('y1', f.top).attr('y2', f.bottom).attr('stroke', color('soft')).attr('opacity', 0);
  f.svg.on('mousemove', () => {
    const event = d3.event || window.event;
    const [px] = [event.clientX - f.svg.node().getBoundingClientRect().left];
    let best = 0;
    for (let k = 1; k < N; k++) if (Math.abs(x(DATES[k]) - px) < Math.abs(x(DATES[best]) - px)) best = k;
    rule.attr('x1', x(DATES[best])).attr('x2', x(DATES[best])).attr('opacity', 0.5);
    tip(event, `${whenText(DATES[best])}\n${text(best)}`);
  }).on('mouseleave', () => { rule.attr('opacity', 0); tip(null, ''); });
}
const shownNights = () => (N < D.all_nights
  ? `Shown are ${N} of ${D.all_nights} nights: the last ones, and of older ones one a week. `
  : `All ${N} nights. `) + `From ${D.store}/nights/${D.sweep}/*.night.`;

function drawProblemTrend(i) {
  const host = by('problem-trend');
  const f = frame(host, { top: 28, right: 16, bottom: 30, left: 64 }, `Time of ${nameOf(i)} over the nights`);
  const all = d3.range(N).map(k => point(k, i)).filter(p => p.state === 1);
  if (!all.length) {
    by('problem-note').textContent = '';
    return host.replaceChildren(el('p', { className: 'empty' }, 'No night has a winner of this problem.'));
  }
  const high = d3.max(all, p => p.us * (1 + p.spread)), low = d3.min(all, p => p.us * (1 - p.spread));
  const [scale, unit] = high < 1 ? [1e3, 'ns'] : high < 1e3 ? [1, 'µs'] : high < 1e6 ? [1e-3, 'ms'] : [1e-6, 's'];
  const room = Math.max((high - low) * 0.1, high * 0.004);
  const x = dateScale(f), y = d3.scaleLinear([(low - room) * scale, (high + room) * scale], [f.bottom, f.top]);
  grid(f, x, y, dateTicks(x, f), d3.axisLeft(y).ticks(6), '', `time, ${unit} (lower is faster)`);
  const px = p => x(DATES[p.night]), py = us => y(us * scale);
  const ink = p => color(SOURCES[p.source] || 'soft');
  const runs = [];
  for (const p of all) {
    const run = runs[runs.length - 1];
    if (run && run[0].source === p.source) run.push(p); else runs.push([p]);
  }
  for (const run of runs) {
    if (run[0].source === 1)
      f.svg.append('path').attr('fill', ink(run[0])).attr('opacity', 0.14)
        .attr('d', d3.area().x(px).y0(p => py(p.us * (1 - p.spread))).y1(p => py(p.us * (1 + p.spread)))(run));
    f.svg.append('path').attr('fill', 'none').attr('stroke', ink(run[0])).attr('stroke-width', 1.4)
      .attr('stroke-dasharray', dash(SOURCES[run[0].source])).attr('d', d3.line().x(px).y(p => py(p.us))(run));
  }
  const shape = d3.symbol();
  for (const p of all) {
    const told = p.slower || p.faster;
    if (!told && !p.config && N > 60 && p.night !== N - 1) continue;
    f.svg.append('path').attr('transform', `translate(${px(p)},${py(p.us)})${p.faster ? 'rotate(180)' : ''}`)
      .attr('d', shape.type(told ? d3.symbolTriangle : p.config ? d3.symbolDiamond : d3.symbolCircle).size(told ? 80 : p.config ? 52 : 22)())
      .attr('fill', p.slower ? color('slower') : p.faster ? color('faster') : p.source === 2 || p.config ? color('panel') : ink(p))
      .attr('stroke', p.slower ? color('slower') : p.faster ? color('faster') : ink(p)).attr('stroke-width', 1.3);
  }
  by('problem-note').textContent = `▲ slower, ▼ faster beyond the noise than the night before; ◇ another configuration; the band is the spread of single launches (1.48 MAD). Times to 0.04 %. ${shownNights()}`;
  hoverDates(f, x, k => {
    const p = point(k, i);
    return p.state === 1 ? `${timeText(p.us)}, ${SOURCES[p.source]}, launches spread by ${(100 * p.spread).toFixed(2)} %${p.slower ? ', slower' : ''}${p.faster ? ', faster' : ''}${p.config ? ', another configuration' : ''}${p.throttled ? ', throttled' : ''}`
      : ['did not run', '', 'failed', 'cut short'][p.state];
  });
}

let roofPoints = [];
function drawRoof(picked, onPick) {
  const host = by('roof');
  const f = frame(host, { top: 28, right: 20, bottom: 44, left: 72 }, 'Roofline: rate over arithmetic intensity');
  const all = d3.range(COUNT).filter(i => stateOf(i) === 1 && P.flops[i] > 0 && P.bytes[i] > 0 && P.time[i] > 0)
    .map(i => ({ i, x: P.flops[i] / P.bytes[i], y: P.flops[i] / P.time[i] / 1e3, source: sourceOf(i) }));
  const others = COUNT - all.length;
  by('roof-note').textContent = (all.length ? 'Intensity: operations of the problem over the bytes that it must touch once; the roofs are the peaks of the architecture table for the CUs of that device. ' : '')
    + (others ? `${countText(others, 'problem')} of which no operations are counted, or that have no winner, ${others === 1 ? 'is' : 'are'} not drawn. ` : '')
    + `From the night ${D.night}.`;
  if (!all.length) return host.replaceChildren(el('p', { className: 'empty' }, 'No problem states both operations and bytes.'));
  const roofs = [...new Map(all.filter(p => P.fpeak[p.i] > 0).map(p => {
    const key = `${P.fpeak[p.i]} ${P.bpeak[p.i]} ${P.device[p.i]}`;
    return [key, { flops: P.fpeak[p.i], bytes: P.bpeak[p.i], device: T(P.device[p.i]) }];
  })).values()];
  const [x0, x1] = d3.extent(all, p => p.x);
  const top = Math.max(d3.max(all, p => p.y), d3.max(roofs, r => r.flops) || 0);
  const x = d3.scaleLog([x0 / 2, Math.max(x1 * 2, d3.max(roofs, r => r.bytes ? 3 * r.flops / r.bytes : 0) || 0)], [f.left, f.right]);
  const y = d3.scaleLog([d3.min(all, p => p.y) / 2, top * 1.6], [f.bottom, f.top]);
  const plain = d => d3.format(d < 1 ? '.2~f' : ',~f')(d);
  const decades = scale => { const t = scale.ticks(12).filter(d => /^[125]/.test(d.toExponential())); return t.length > 7 ? t.filter(d => /^1/.test(d.toExponential())) : t; };
  grid(f, x, y, d3.axisBottom(x).tickValues(decades(x)).tickFormat(plain),
       d3.axisLeft(y).tickValues(decades(y)).tickFormat(plain), 'intensity, operations a byte', 'rate, GFLOP/s');
  for (const r of roofs) {
    const ridge = r.bytes ? r.flops / r.bytes : x.domain()[0];
    const line = [[Math.max(ridge, x.domain()[0]), r.flops], [x.domain()[1], r.flops]];
    if (r.bytes && ridge > x.domain()[0]) {
      const from = Math.max(x.domain()[0], y.domain()[0] / r.bytes);
      line.unshift([from, from * r.bytes]);
      const [ax, ay, bx, by_] = [x(from), y(from * r.bytes), x(ridge), y(r.flops)];
      f.svg.append('text').attr('transform', `translate(${ax + (bx - ax) * 0.45},${ay + (by_ - ay) * 0.45 - 8})rotate(${Math.atan2(by_ - ay, bx - ax) * 57.29578})`)
        .attr('text-anchor', 'middle').text(`${plain(r.bytes)} GB/s`);
    }
    f.svg.append('path').attr('d', d3.line().x(p => x(p[0])).y(p => y(p[1]))(line)).attr('fill', 'none').attr('stroke', color('text')).attr('stroke-width', 1.3);
    f.svg.append('text').attr('x', f.right).attr('y', y(r.flops) - 6).attr('text-anchor', 'end').text(`${plain(r.flops)} GFLOP/s, ${r.device}`);
  }
  const ratio = devicePixelRatio || 1;
  const canvas = d3.select(host).append('canvas').attr('width', f.width * ratio).attr('height', f.height * ratio)
    .style('width', `${f.width}px`).style('height', `${f.height}px`).style('pointer-events', 'none').node();
  const g = canvas.getContext('2d');
  g.scale(ratio, ratio);
  const dot = (p, r) => { g.beginPath(); g.arc(x(p.x), y(p.y), r, 0, 7); };
  g.lineWidth = 1;
  for (const p of all) {
    dot(p, 3);
    g.globalAlpha = all.length > 500 ? 0.35 : 0.75;
    g.strokeStyle = g.fillStyle = color(p.source || 'soft');
    if (p.source === 'modelled') g.stroke(); else g.fill();
  }
  g.globalAlpha = 1;
  const mine = all.find(p => p.i === picked);
  if (mine) { dot(mine, 6); g.lineWidth = 2; g.strokeStyle = color('text'); g.stroke(); }
  roofPoints = all;
  const near = event => {
    const box = f.svg.node().getBoundingClientRect(), ex = event.clientX - box.left, ey = event.clientY - box.top;
    let best = null, least = 14 * 14;
    for (const p of all) {
      const off = (x(p.x) - ex) ** 2 + (y(p.y) - ey) ** 2;
      if (off < least) { least = off; best = p; }
    }
    return best;
  };
  f.svg.node().onmousemove = event => {
    const p = near(event);
    tip(event, p ? `${nameOf(p.i)}\n${d3.format(',.0f')(p.y)} GFLOP/s at ${p.x.toFixed(1)} operations a byte, ${p.source}${P.share[p.i] ? `\n${(100 * P.share[p.i]).toFixed(1)} % of the peak` : ''}` : '');
  };
  f.svg.node().onmouseleave = () => tip(null, '');
  f.svg.node().onclick = event => { const p = near(event); if (p) onPick(p.i); };
}

function drawCosts() {
  const host = by('costs');
  const f = frame(host, { top: 28, right: 16, bottom: 30, left: 56 }, 'What each night cost');
  const parts = [['compilers', 3, 'measured'], ['devices', 4, 'other'], ['search', 5, 'modelled']];
  const total = D.nights.map(n => n[3] + n[4] + n[5]);
  const [scale, unit] = d3.max(total) > 7200 ? [1 / 3600, 'hours'] : d3.max(total) > 120 ? [1 / 60, 'minutes'] : [1, 'seconds'];
  const x = dateScale(f), y = d3.scaleLinear([0, (d3.max(total) || 1) * scale * 1.05], [f.bottom, f.top]);
  grid(f, x, y, dateTicks(x, f), d3.axisLeft(y).ticks(4), '', `busy ${unit}: `);
  const width = Math.max(1, Math.min(18, (f.right - f.left) / N * 0.7));
  D.nights.forEach((n, k) => {
    let at = 0;
    for (const [, column, ink] of parts) {
      f.svg.append('rect').attr('x', x(DATES[k]) - width / 2).attr('width', width)
        .attr('y', y((at + n[column]) * scale)).attr('height', Math.max(0, y(at * scale) - y((at + n[column]) * scale)))
        .attr('fill', color(ink)).attr('opacity', n[1] ? 0.85 : 0.4);
      at += n[column];
    }
  });
  let left = f.left + 104;
  for (const [label, , ink] of parts) {
    f.svg.append('rect').attr('x', left).attr('y', 6).attr('width', 10).attr('height', 10).attr('fill', color(ink)).attr('opacity', 0.85);
    f.svg.append('text').attr('x', left + 15).attr('y', 15).text(label);
    left += 82;
  }
  by('cost-note').textContent = `Time that compilers, devices and the search were busy; a night that was cut short is pale. This night: ${D.cost}.`;
  hoverDates(f, x, k => parts.map(([label, c]) => `${label} ${(D.nights[k][c] * scale).toFixed(1)} ${unit}`).join(', ') + (D.nights[k][1] ? '' : '\ncut short'));
}

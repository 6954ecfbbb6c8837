// parallel.js - candidates as lines over their tunables. SPDX-License-Identifier: MIT
//
// The time, then an axis for each tunable that varies, the one that explains most
// of the time first. Dragging on an axis keeps
// the lines that pass there; the text filter says the same by keys.

const asNumber = v => v === '' || Number.isNaN(Number(v)) ? null : Number(v);
const byValue = (a, b) => {
  const x = asNumber(a), y = asNumber(b);
  return x !== null && y !== null ? x - y : a < b ? -1 : a > b ? 1 : 0;
};

function makeParallel(host, onBrush) {
  let brushes = {}, problem = -1;

  function axesOf(i, list) {
    const axes = [];
    familyOf(i).tunables.forEach((t, k) => {
      const seen = [...new Set(list.map(c => valueOf(i, c, k)))].sort(byValue);
      if (seen.length > 1) axes.push({ name: t.name, tunable: k, values: seen, share: t.share });
    });
    return axes.sort((a, b) => b.share - a.share);
  }
  // What the brushes let pass.
  const passes = c => Object.values(brushes).every(b => b.of(c) >= b.low && b.of(c) <= b.high);

  function draw(i, list, shown) {
    host.replaceChildren();
    if (i !== problem) { brushes = {}; problem = i; }
    if (!list.length) return host.append(el('p', { className: 'empty' }, 'The journal has no candidate of this problem on this device.'));
    const axes = axesOf(i, list), width = Math.max(host.clientWidth, axes.length * 62 + 130), height = host.clientHeight - 8;
    const top = 40, bottom = height - 18, x = d3.scalePoint(d3.range(axes.length), [130, width - 40]);
    const times = d3.extent(list, c => c.us);
    const y = d3.scaleLog([times[0] * 0.995, Math.max(times[1], times[0] * 1.01) * 1.005], [bottom, top]);
    for (const [k, a] of axes.entries()) {
      a.y = d3.scalePoint(a.values, [bottom - 8, top + 8]);
      a.of = c => a.y(valueOf(i, c, a.tunable));
      a.x = x(k);
    }
    const first = { name: 'time', x: 64, of: c => y(c.us) };
    const ratio = devicePixelRatio || 1;
    const canvas = d3.select(host).append('canvas').attr('width', width * ratio).attr('height', height * ratio)
      .style('width', `${width}px`).style('height', `${height}px`).node();
    const svg = d3.select(host).append('svg').attr('width', width).attr('height', height).attr('role', 'img')
      .attr('aria-label', `Candidates over ${axes.map(a => a.name).join(', ')} and time; the table below has the same`);
    for (const a of [first, ...axes]) {
      const g = svg.append('g').attr('transform', `translate(${a.x},0)`);
      if (a === first)
        g.call(d3.axisLeft(y).tickValues(d3.range(5).map(k => times[0] * (Math.max(times[1], times[0] * 1.01) / times[0]) ** (k / 4))).tickFormat(timeText).tickSize(4));
      else {
        g.call(d3.axisRight(a.y).tickSize(0).tickPadding(5));
        const crowded = a.values.length > (bottom - top) / 14;
        if (crowded) g.selectAll('.tick').filter((_, k) => k % 2).remove();
      }
      g.selectAll('.tick text').style('paint-order', 'stroke').style('stroke', color('panel')).style('stroke-width', 3);
      g.append('text').attr('class', 'name').attr('y', axes.indexOf(a) % 2 ? 14 : 28).attr('text-anchor', 'middle').text(a.name);
      const brush = d3.brushY().extent([[-10, top], [10, bottom]]).on('brush end', function (event) {
        const selection = (d3.event || event).selection;
        if (selection) brushes[a.name] = { low: selection[0], high: selection[1], of: a.of };
        else delete brushes[a.name];
        paint();
        onBrush();
      });
      const b = g.append('g').call(brush);
      if (brushes[a.name]) { brushes[a.name].of = a.of; b.call(brush.move, [brushes[a.name].low, brushes[a.name].high]); }
    }
    function paint() {
      const g = canvas.getContext('2d'), chosen = shown().filter(passes);
      const mix = d3.interpolateRgb(color('fast'), color('slow')), bright = new Set(chosen);
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      g.clearRect(0, 0, width, height);
      const path = c => {
        g.beginPath();
        g.moveTo(first.x, first.of(c));
        for (const a of axes) g.lineTo(a.x, a.of(c));
        g.stroke();
      };
      g.lineWidth = 1;
      g.strokeStyle = color('grid');
      for (const c of list) if (!bright.has(c)) path(c);
      for (const c of chosen.slice().reverse()) {
        const rank = Math.log(c.us / times[0]) / (Math.log(times[1] / times[0]) || 1);
        g.strokeStyle = mix(Math.min(1, Math.sqrt(rank)));
        g.globalAlpha = rank < 0.1 ? 0.9 : 0.45;
        path(c);
      }
      g.globalAlpha = 1;
      const winner = list.find(c => c.winner);
      if (winner && bright.has(winner)) { g.lineWidth = 2.4; g.strokeStyle = color('text'); path(winner); }
    }
    paint();
  }
  return { draw, passes, clear() { brushes = {}; } };
}

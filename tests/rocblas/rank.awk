# rank.awk - the tables of the suites: modelled beside measured values, and the
# limits on them.

# Order the numbers v[1..m] through a heap; at[] becomes their order.
function sift(v, at, root, m,    child, held) {
  held = at[root]
  while ((child = 2 * root) <= m) {
    if (child < m && v[at[child + 1]] > v[at[child]])
      child++
    if (v[held] >= v[at[child]])
      break
    at[root] = at[child]
    root = child
  }
  at[root] = held
}

function order(v, at, m,    i, held) {
  for (i = 1; i <= m; i++)
    at[i] = i
  for (i = int(m / 2); i >= 1; i--)
    sift(v, at, i, m)
  for (i = m; i > 1; i--) {
    held = at[1]; at[1] = at[i]; at[i] = held
    sift(v, at, 1, i - 1)
  }
}

# Equal values share the mean of their ranks.
function rank(v, r, m,    at, i, j, l) {
  order(v, at, m)
  for (i = 1; i <= m; i = j) {
    for (j = i; j <= m && v[at[j]] == v[at[i]]; j++)
      ;
    for (l = i; l < j; l++)
      r[at[l]] = (i + j - 1) / 2
  }
}

function quantile(v, m, q,    at, i) {
  order(v, at, m)
  i = int(q * (m - 1) + 0.5) + 1
  return v[at[i]]
}

function spearman(x, y, m,    rx, ry, i, mean, xy, xx, yy) {
  rank(x, rx, m)
  rank(y, ry, m)
  mean = (m + 1) / 2
  for (i = 1; i <= m; i++) {
    xy += (rx[i] - mean) * (ry[i] - mean)
    xx += (rx[i] - mean) ^ 2
    yy += (ry[i] - mean) ^ 2
  }
  return xx * yy > 0 ? xy / sqrt(xx * yy) : 0
}

function head() {
  printf "%-28s %5s %9s %7s %8s %8s\n", "", "rows", "Spearman", "scale",
         "median %", "90th %"
}

# One line; x[] measured, y[] modelled, after the scale. Sets rho, half, most.
function report(title, scale, x, y, m,    i, e) {
  for (i = 1; i <= m; i++) {
    e[i] = x[i] != 0 ? (y[i] / x[i] - 1) * 100 : 100
    e[i] = e[i] < 0 ? -e[i] : e[i]
  }
  rho = spearman(x, y, m)
  half = quantile(e, m, 0.5)
  most = quantile(e, m, 0.9)
  printf "%-28s %5d %9.3f %7s %8.1f %8.1f\n", title, m, rho, scale, half, most
}

# Does the last line miss a limit?
function missed() {
  return rho < 0.95 || half > 10 || most > 25
}

function limits(title) {
  print "limits, of " title ": Spearman at least 0.95, median at most 10, " \
        "90th at most 25"
}

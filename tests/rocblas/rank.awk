# rank.awk - order statistics for the tables of the suites.

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

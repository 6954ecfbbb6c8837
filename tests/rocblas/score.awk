# score.awk - modelled against measured speeds: rows of rocblas_time.
#
# Prints rank correlation, the one clock scale (median of measured over
# modelled) and the errors after it: for all, on which the limits are, for
# each K, and for the rows whose figures are sound. Exit status: 1 where a
# limit is missed.
#
# The measured figures are points of a straight line that was fitted to time
# over K = 32 to 16384. Where time did not grow in proportion, the line may
# meet K = 0 below 0: then its figures for small K are not what was measured,
# and may be negative or above what the card can do. Sound: the line starts
# above 0 and the figure is below the peak.

BEGIN {
  FS = "\t"
  peak = 14750 # GFLOP/s: 64 CUs at 1.8 GHz
}

$1 == "row" { next }

{
  n++
  k[n] = $2
  measured[n] = $3 + 0
  modelled[n] = $4 + 0
  sound[n] = $11 > 0 && $3 > 0 && $3 < peak
  ks[$2] = 1
}

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

# One line; sets rho, half and most.
function score(title, want, only_sound,    x, y, r, e, m, p, i, scale) {
  m = p = 0
  for (i = 1; i <= n; i++)
    if ((!want || k[i] == want) && (!only_sound || sound[i])) {
      x[++m] = measured[i]
      y[m] = modelled[i]
      if (modelled[i] > 0)
        r[++p] = measured[i] / modelled[i]
    }
  if (!p)
    return
  scale = quantile(r, p, 0.5)
  for (i = 1; i <= m; i++) {
    e[i] = x[i] != 0 ? (y[i] * scale / x[i] - 1) * 100 : 100
    e[i] = e[i] < 0 ? -e[i] : e[i]
  }
  rho = spearman(x, y, m)
  half = quantile(e, m, 0.5)
  most = quantile(e, m, 0.9)
  printf "%-24s %5d %9.3f %7.3f %8.1f %8.1f\n", title, m, rho, scale, half,
         most
}

END {
  if (!n) {
    print "no rows"
    exit 1
  }
  printf "%-24s %5s %9s %7s %8s %8s\n", "", "rows", "Spearman", "scale",
         "median %", "90th %"
  score("all")
  bad = rho < 0.95 || half > 10 || most > 25
  m = split("256 1024 4096", sizes, " ")
  for (i = 1; i <= m; i++)
    score("K " sizes[i], sizes[i])
  score("all that are sound", 0, 1)
  for (i = 1; i <= m; i++)
    score("K " sizes[i] " that are sound", sizes[i], 1)
  print "limits: Spearman at least 0.95, median at most 10, 90th at most 25"
  exit bad
}

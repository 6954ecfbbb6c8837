# score.awk - modelled against published speeds: rows of rocblas_time. Runs
# after rank.awk and fit.awk.
#
# Prints rank correlation, the one clock scale (median of published over
# modelled) and the errors after it: for all, on which the limits are, for
# each K, and for the rows whose figures are sound. Exit status: 1 where a
# limit is missed.
#
# The published figures are points of a straight line (fit.awk), and so are the
# modelled ones that are judged. "raw" compares the same published figures with
# the modelled speed at that K alone. Sound: the published line starts above 0
# and the figure is below the peak.

BEGIN {
  peak = 14750 # GFLOP/s: 64 CUs at 1.8 GHz
  nk = split("256 1024 4096", judged, " ")
}

function judge(    i, want) {
  for (i = 1; i <= nk; i++) {
    want = judged[i]
    n++
    k[n] = want
    measured[n] = published(want)
    by_time[n] = raw(want)
    by_line[n] = fitted(want)
    sound[n] = intercept > 0 && measured[n] > 0 && measured[n] < peak
  }
}

# One line of those that are wanted.
function score(title, modelled, want, only_sound,    x, y, r, m, p, i, scale) {
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
  for (i = 1; i <= m; i++)
    y[i] *= scale
  report(title, sprintf("%.3f", scale), x, y, m)
}

function score_all(name, modelled,    i) {
  score(name ", all", modelled)
  bad = missed()
  for (i = 1; i <= nk; i++)
    score(name ", K " judged[i], modelled, judged[i])
  score(name ", all that are sound", modelled, 0, 1)
  for (i = 1; i <= nk; i++)
    score(name ", K " judged[i] ", sound", modelled, judged[i], 1)
}

END {
  if (!n) {
    print "no rows"
    exit 1
  }
  head()
  score_all("raw", by_time)
  score_all("line", by_line)
  limits("line, all")
  exit bad
}

# score.awk - modelled against recorded times: rows of clblast_time. Runs after
# rank.awk.
#
# Prints the rank correlation, one scale (median of recorded over modelled,
# because the card's clock is not recorded), the errors after it, by what bounds
# the kernel as well, and how near to the best recorded time the best of the
# model's first ten comes. Exit status: 1 where a goal is missed.

BEGIN { FS = "\t" }

{
  recorded[++n] = $1
  modelled[n] = $2
  ratio[n] = $1 / $2
  bound[n] = $3
  staged[n] = $18 + $19 # matrices: columns SA and SB of the table
  big[n] = $6 >= 64 && $7 >= 64
}

# Rows of a kind: "" for all.
function is(i, kind) {
  return !kind || kind == bound[i] || kind == staged[i] " staged" ||
         (kind == "2 staged, 64x64" && staged[i] == 2 && big[i])
}

function score(title, kind,    x, y, i, m) {
  m = 0
  for (i = 1; i <= n; i++)
    if (is(i, kind)) {
      x[++m] = recorded[i]
      y[m] = modelled[i] * scale
    }
  if (m)
    report(title, sprintf("%.3f", scale), x, y, m)
}

# The best recorded time over that of the best among the model's first ten.
function hold(    at, i, best, found) {
  order(modelled, at, n)
  for (i = 1; i <= n; i++)
    best = !best || recorded[i] < best ? recorded[i] : best
  for (i = 1; i <= 10 && i <= n; i++)
    found = !found || recorded[at[i]] < found ? recorded[at[i]] : found
  return 100 * best / found
}

function goal(name, have, want, most,    by) {
  by = most ? have - want : want - have
  printf("%-34s %8.3f, goal %s %g: %s\n", name, have,
         most ? "at most" : "at least", want,
         by > 0 ? sprintf("missed by %.3f", by) : "reached")
  bad += by > 0
}

END {
  if (!n) {
    print "no rows"
    exit 1
  }
  scale = quantile(ratio, n, 0.5)
  head()
  kinds = split("2 staged;2 staged, 64x64;1 staged;0 staged;valu;lds;l1;l2;" \
                "hbm;latency", kind, ";")
  for (k = 1; k <= kinds; k++)
    score(kind[k], kind[k])
  score("all", "")
  goal("Spearman", rho, 0.92)
  goal("median error, %", half, 12, 1)
  goal("90th percentile of the error, %", most, 35, 1)
  goal("the first ten hold of the best, %", hold(), 98)
  exit (bad > 0)
}

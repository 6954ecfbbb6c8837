# lines.awk - modelled against published lines: rows of rocblas_time of several
# files. Runs after rank.awk and fit.awk.
#
# For each file one scale, the median of published over modelled speeds, as the
# clocks of its session are not known. Points of both lines at three K: below
# these, lines that start below 0 say nothing. Exit status: 1 where a limit on
# all is missed.

BEGIN { nk = split("1024 4096 16384", judged, " ") }

$1 == "row" { next }

# The rows of one kernel follow each other.
$11 != kernel { finish_kernel(); kernel = $11; slope = $3; intercept = $4 }
{ keep() }

# "sgemm nt" of Cijk_Ailk_Bjlk_SB_...
function file_of(name) {
  return "sgemm " (name ~ /^Cijk_Ailk/ ? "n" : "t") \
         (name ~ /^Cijk_...._Bljk/ ? "n" : "t")
}

function finish_kernel(    f, i, r) {
  if (!kernel)
    return
  f = file_of(kernel)
  if (!(f in rows))
    file[++files] = f
  line()
  for (i = 1; i <= nk; i++) {
    r = ++rows[f]
    k[f, r] = judged[i]
    measured[f, r] = 1000 * judged[i] / (intercept + slope * judged[i])
    modelled[f, r] = 1000 * judged[i] / (a + b * judged[i])
  }
  split("", time)
}

function report_file(f,    i, j, m, x, y, r, scale) {
  for (i = 1; i <= rows[f]; i++)
    r[i] = measured[f, i] / modelled[f, i]
  scale = quantile(r, rows[f], 0.5)
  for (j = 1; j <= nk; j++) {
    m = 0
    for (i = 1; i <= rows[f]; i++)
      if (k[f, i] == judged[j]) {
        all++
        all_x[all] = x[++m] = measured[f, i]
        all_y[all] = y[m] = scale * modelled[f, i]
      }
    report(f ", K " judged[j], sprintf("%.3f", scale), x, y, m)
  }
}

END {
  finish_kernel()
  if (!files) {
    print "no rows"
    exit 1
  }
  head()
  for (i = 1; i <= files; i++)
    report_file(file[i])
  report("all", "", all_x, all_y, all)
  bad = missed()
  limits("all")
  exit bad
}

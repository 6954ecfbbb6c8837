# measured.awk - modelled against measured speeds: rows of rocblas_measured.
# Runs after rank.awk.
#
# Each file's speeds are of a session of its own, whose clock is not known: one
# scale for each, the median of measured over modelled. Prints rank
# correlation, scale and the errors after it for each file and for all. Exit
# status: 1 where a limit on all is missed.

BEGIN { FS = "\t" }

{
  if (!($1 in rows))
    file[++files] = $1
  r = ++rows[$1]
  measured[$1, r] = $5
  modelled[$1, r] = 2e-3 * $2 * $3 * $4 / $6
}

# "SS nn" of TensileLibrary_Type_SS_Contraction_l_Ailk_Bljk_Cijk_Dijk_gfx906.co
function short_name(name,    part) {
  split(name, part, "_Contraction_l_|_gfx906")
  sub(/.*Type_/, "", part[1])
  return part[1] " " (part[2] ~ /^Ailk/ ? "n" : "t") \
         (part[2] ~ /Bljk/ ? "n" : "t")
}

function report_file(name,    i, m, x, y, r, scale) {
  m = rows[name]
  for (i = 1; i <= m; i++)
    r[i] = measured[name, i] / modelled[name, i]
  scale = quantile(r, m, 0.5)
  for (i = 1; i <= m; i++) {
    all_x[++n] = x[i] = measured[name, i]
    all_y[n] = y[i] = modelled[name, i] * scale
  }
  report(short_name(name), sprintf("%.3f", scale), x, y, m)
}

END {
  if (!files) {
    print "no rows"
    exit 1
  }
  head()
  for (f = 1; f <= files; f++)
    report_file(file[f])
  report("all", "", all_x, all_y, n)
  limits("all")
  exit missed()
}

# files.awk - rows of several files: each file's session had a clock of its own,
# which is not known, so each has one scale, the median of measured over
# modelled. Runs after rank.awk.

# "nt" of what names a contraction, Ailk_Bjlk.
function layout(text) {
  return (text ~ /Ailk/ ? "n" : "t") (text ~ /Bljk/ ? "n" : "t")
}

# Keep a measured and a modelled value of a file, reported under its part.
function add(name, part, x, y,    r) {
  if (!(name in rows))
    file[++files] = name
  if (!(part in seen)) {
    seen[part]
    part_name[++parts] = part
  }
  r = ++rows[name]
  part_of[name, r] = part
  measured[name, r] = x
  modelled[name, r] = y
}

function report_file(name,    i, p, m, x, y, r, scale) {
  for (i = 1; i <= rows[name]; i++)
    r[i] = measured[name, i] / modelled[name, i]
  scale = quantile(r, rows[name], 0.5)
  for (p = 1; p <= parts; p++) {
    m = 0
    for (i = 1; i <= rows[name]; i++)
      if (part_of[name, i] == part_name[p]) {
        all_x[++all] = x[++m] = measured[name, i]
        all_y[all] = y[m] = modelled[name, i] * scale
      }
    report(name part_name[p], sprintf("%.3f", scale), x, y, m)
  }
}

# Each file, and all. 1 where a limit on all is missed.
function report_files(    f) {
  if (!files) {
    print "no rows"
    return 1
  }
  head()
  for (f = 1; f <= files; f++)
    report_file(file[f])
  report("all", "", all_x, all_y, all)
  limits("all")
  return missed()
}

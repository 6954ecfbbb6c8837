# llama.awk - modelled figures of llama.cpp's products beside measured ones: a
# modelled time in us before each row of tests/data/mi50_llama.tsv. Runs after
# rank.awk. Exit status: 1 where one is further off than it may be.

BEGIN {
  FS = "\t"
  printf "%-22s %9s %13s %7s\n", "", "modelled", "measured", "off, %"
}

{
  us = $1; m = $7; k = $8; n = $9; low = $10; high = $11
  work = $3 == "TOPS" ? 2 * m * k * n / 1e6 : m * k / 32 * $6 / 1e3
  value = us ? work / us : 0
  off = value < low ? value / low - 1 : value > high ? value / high - 1 : 0
  printf "%-5s %5d x %5d, %3d %9.1f %6g..%-6g %+6.0f  %s", $4, m, k, n, value,
         low, high, 100 * off, $3
  if ($2 == "rank") {
    x[++rows] = low
    y[rows] = value
    print ""
  } else {
    wrong = 100 * off > $2 || 100 * off < -$2
    bad += wrong
    print ", may be " $2 ": " (wrong ? "missed" : "reached")
  }
}

END {
  rho = spearman(x, y, rows)
  bad += rho < 0.8
  printf "order of the last %d: Spearman %.3f, 0.8 wanted: %s\n", rows, rho,
         rho < 0.8 ? "missed" : "reached"
  exit (bad > 0)
}

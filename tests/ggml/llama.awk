# llama.awk - modelled figures of llama.cpp's products beside measured ones: rows of
# tests/data/mi50_llama.tsv, before each the modelled time in us, what bounds the
# kernel, and the time's error bar. Runs after rank.awk. Exit status: 1 where one is further off than it may be.

BEGIN {
  FS = "\t"
  printf "%-22s %8s %5s %13s %6s\n", "", "modelled", "+-, %", "measured",
         "off, %"
}

{
  us = $1; m = $9; k = $10; n = $11; low = $12; high = $13
  work = $5 == "TOPS" ? 2 * m * k * n / 1e6 : m * k / 32 * $8 / 1e3
  value = us ? work / us : 0
  off = value < low ? value / low - 1 : value > high ? value / high - 1 : 0
  printf "%-5s %5d x %5d, %3d %8.1f %5.0f %6g..%-6g %+5.0f  %s, %s", $6, m, k, n,
         value, 100 * $3, low, high, 100 * off, $5, $2
  in_it += value <= high * (1 + $3) && value * (1 + $3) >= low
  if ($4 == "rank") {
    x[++rows] = low
    y[rows] = value
    print ""
  } else {
    wrong = 100 * off > $4 || 100 * off < -$4
    bad += wrong
    print "; may be " $4 ": " (wrong ? "missed" : "reached")
  }
}

END {
  print in_it " of " NR " are in their error bars"
  rho = spearman(x, y, rows)
  bad += rho < 0.8
  printf "order of the last %d: Spearman %.3f, 0.8 wanted: %s\n", rows, rho,
         rho < 0.8 ? "missed" : "reached"
  exit (bad > 0)
}

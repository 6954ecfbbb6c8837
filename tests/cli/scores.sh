# scores.sh - how the long suites compare modelled with published speeds: rows
# whose rank correlation, scale and errors are known beforehand.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

rocblas=$(dirname "$0")/../rocblas

# rows OFF - what rocblas_time would print of six kernels that take what their
# lines say, but the last two OFF times as long.
rows()
{
  awk -v off="$1" 'BEGIN {
    OFS = "\t"
    print "row", "k", "slope", "intercept", "time_us", "", "", "", "", "",
          "kernel"
    n = split("32 64 96 128 256 512 1024 2048 4096 8192 16384", k, " ")
    for (row = 0; row < 6; row++)
      for (i = 1; i <= n; i++) {
        slope = 0.1 + row / 20
        took = (20 + slope * k[i]) * (row < 4 ? 1 : off)
        print row, k[i], slope, 20, took * 8192 * 4096 * 2 / 1e6 - 1100, "",
              "", "", "", "", "Cijk_Ailk_Bljk_" row
      }
  }'
}

# scored SCRIPT OFF STATUS - what SCRIPT prints of rows OFF.
scored()
{
  last="$1 of rows $2"
  rows "$2" >"$work/rows"
  awk -f "$rocblas/rank.awk" -f "$rocblas/fit.awk" -f "$rocblas/files.awk" \
    -f "$rocblas/$1" "$work/rows" >"$out" 2>"$err"
  got=$?
  [ $got -eq "$3" ] || fail "$last: status $got, not $3"
}

scored score.awk 1 0
says "line, all                       18     1.000   1.000      0.0      0.0"
says "raw, K 4096                      6     1.000   1.000      0.0      0.0"
scored score.awk 0.5 1 # ranks 1 3 5 6 2 4: 1 - 6 * 22 / 210
says "line, K 1024                     6     0.371   1.000      0.0    100.0"
scored lines.awk 1 0
says "sgemm nn, K 16384                6     1.000   1.000      0.0      0.0"
says "all                             18     1.000              0.0      0.0"
scored lines.awk 0.5 1
says "limits, of all: Spearman at least 0.95"

# points BAR - of bars.awk: 40 kernels, two and two 1 to 20 % off to both sides,
# and one that is right.
points()
{
  awk -v bar="$1" 'BEGIN {
    OFS = "\t"
    for (i = 0; i <= 40; i++) {
      off = 1 + int((i + 1) / 2) / 100
      print "card", "one", "p", i, "valu",
            int((i + 1) / 2) % 2 ? 10 * off : 10 / off, 10, bar
    }
  }'
}

# 33 of 41 are at most 16 % off, that is 80.5 %; 31 at most 15 %, that is 75.6 %.
# Without any one of them it still takes 16 % to hold 32 of the other 40.
for bar in "0.16 0 80.5" "0.15 1 75.6"; do
  # shellcheck disable=SC2086  # words
  set -- "$1" $bar
  last="bars $2"
  points "$2" >"$work/points"
  awk -f "$rocblas/rank.awk" -f "$rocblas/../bars/bars.awk" "$work/points" \
    >"$out" 2>"$err"
  got=$?
  [ $got -eq "$3" ] || fail "$last: status $got, not $3"
  says "valu            41   0.160        80"
  says "card          41 points:  80.5 % left out,  $4 % in the program's bars"
done
end

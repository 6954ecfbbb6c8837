# losses.awk - losses of fitted answers: see the suite of this name. Losses below
# 0, of kernels that tuning did not find, count as such.
# SPDX-License-Identifier: MIT
function report(what, list, n,    i, k, t) {
  if (!n) return
  for (i = 2; i <= n; i++) # insertion sort: mawk has no asort
    for (k = i; k > 1 && list[k - 1] > list[k]; k--) {
      t = list[k]; list[k] = list[k - 1]; list[k - 1] = t
    }
  middle = list[int((n + 1) / 2)]
  high = list[int((n * 95 + 99) / 100)]
  printf "%-34s %5d %7.1f %% %7.1f %% %7.1f %%\n", what, n, 100 * middle,
         100 * high, 100 * list[n]
}
# The constants of ship/estimate.c were found on those of these that shipped then: 319 of
# gemm, on 2026-11-28.
function trained(problem,    part, key) {
  split(problem, part, /[=,]/)
  return (part[2] * 7 + part[4] * 13 + part[6] * 29) % 11 % 2 == 0
}
$3 == "none" { none++; next }
{
  loss = $3 / $2 - 1
  all[++n] = loss
  if (trained($1)) seen[++s] = loss
  else other[++o] = loss
  kept += loss <= $5 + 1e-9
  off = log($4 / $3)
  error[++e] = off < 0 ? -off : off
  if (loss > 0.15) worst[++w] = sprintf("%7.1f %%  %s by %s", 100 * loss, $1, $6)
}
END {
  printf "%-34s %5s %9s %9s %9s\n", "loss, modelled", "n", "median", "95th", "most"
  report("sizes that constants were fitted to", seen, s)
  report("other sizes", other, o)
  report("error of the estimate", error, e)
  report("all", all, n)
  printf "promised loss kept: %d of %d; no kernel fits: %d\n", kept, n, none
  for (i = 1; i <= w; i++) print worst[i]
  exit !(n >= 200 && middle <= 0.03 && high <= 0.15 && none == 0)
}

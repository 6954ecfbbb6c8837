# lines.awk - rows of rocblas_time as points: bars.awk says what these are. Runs
# after rank.awk, fit.awk and files.awk; points of both lines at the K of ./check
# lines.

BEGIN { nk = split("1024 4096 16384", judged, " ") }

# When a kernel's line is known these are still of that kernel.
{ kind[$2] = $12; error[$2] = $13 }

function judge(name,    i, k) {
  for (i = 1; i <= nk; i++) {
    k = judged[i]
    print "lines\t" layout(name) "\t" k "\t" name "\t" kind[k] "\t" \
          1 / published(k) "\t" 1 / fitted(k) "\t" error[k]
  }
}

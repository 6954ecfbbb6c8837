# lines.awk - modelled against published lines: rows of rocblas_time of several
# files. Runs after rank.awk, fit.awk and files.awk.
#
# Points of both lines at three K: below these, lines that start below 0 say
# nothing. Exit status: 1 where a limit on all is missed.

BEGIN { nk = split("1024 4096 16384", judged, " ") }

function judge(name,    i) {
  for (i = 1; i <= nk; i++)
    add("sgemm " layout(name), ", K " judged[i], published(judged[i]),
        fitted(judged[i]))
}

END { exit report_files() }

# measured.awk - modelled against measured speeds: rows of rocblas_measured.
# Runs after rank.awk and files.awk.
#
# Prints rank correlation, scale and the errors after it for each file and for
# all. Exit status: 1 where a limit on all is missed.

BEGIN { FS = "\t" }

{ add(short_name($1), "", $5, 2e-3 * $2 * $3 * $4 / $6) }

# "SS nn" of TensileLibrary_Type_SS_Contraction_l_Ailk_Bljk_Cijk_Dijk_gfx906.co
function short_name(name,    part) {
  split(name, part, "_Contraction_l_|_gfx906")
  sub(/.*Type_/, "", part[1])
  return part[1] " " layout(part[2])
}

END { exit report_files() }

# measured.awk - rows of rocblas_measured as points: bars.awk says what these
# are. Each file's session had a clock of its own; each row is another product.

BEGIN { FS = OFS = "\t" }

{ print "measured", $1, NR, $8, $9, 2e-3 * $2 * $3 * $4 / $5, $6, $10 }

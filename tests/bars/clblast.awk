# clblast.awk - rows of clblast_time as points: bars.awk says what these are.

BEGIN { FS = OFS = "\t" }

{ print "clblast", "clblast", "4096", NR, $(NF - 1), $1, $2, $NF }

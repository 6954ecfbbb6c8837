# cells.awk - llama.cpp's and our modelled times of products of quantised weights, with
# shares of the limit: of 53.0 Top/s by v_dot4, or of 860 GB/s, which MI50s read at
# most. Fields: type, m, k, n, limit, bytes of 32 weights, their us, ours, family. Last
# line: what passed, the decoders' (`decoded`) included; a cell passes where ours is no
# slower. Exit status: 1 where something failed.

# What of the limit so many us are.
function share(us) {
  if (!us)
    return 0
  return 100 * ($5 == "dot4" ? 2 * $2 * $3 * $4 / us / 52.992e6 : $2 * $3 / 32 * $6 / us / 860e3)
}

BEGIN {
  split(decoded, said, " ")
  passed = said[1] + 0
  failed = said[3] + (decoded == "")
  printf "%-5s %5s %6s %4s %6s %20s %20s %6s\n", "", "m", "k", "n", "limit",
         "llama.cpp, modelled", "ours, modelled", "times"
}

{
  fine = $7 > 0 && NF == 9 && $8 <= $7
  if (NF == 9)
    printf "%-5s %5d %6d %4d %6s %11.1f us %3.0f %% %11.1f us %3.0f %% %6.2f%s\n", $1, $2,
           $3, $4, $5, $7, share($7), $8, share($8), $7 / $8, fine ? "" : "  slower"
  else
    print $1, $2, $3, $4 ": no time of ours"
  passed += fine
  failed += !fine
}

END {
  print passed " passed, " failed " failed"
  exit failed > 0
}

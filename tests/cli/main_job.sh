# main_job.sh - `tune gemm --arch gfx906` at 4096^3 from empty caches: enough
# candidates, a good winner, nothing done twice, and the winner's machine code.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

# field NAME FILE - the number (or text) of that field of the last line.
field()
{
  tail -1 "$2" | sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"
}

expect 0 gemm --arch gfx906 --device sim --json --quiet
cp "$out" "$work/first"
# It goes on until 60 candidates have brought nothing.
[ "$(grep -c '"status":"ok"' "$out")" -ge 60 ] || fail "under 60 good ones"
gflops=$(field gflops "$out")
echo "winner: $gflops GFLOP/s of 13248, modelled"
# 90 % of 60 CUs x 128 flops a clock x 1725 MHz
awk -v g="$gflops" 'BEGIN { exit !(g >= 0.90 * 60 * 128 * 1.725) }' ||
  fail "the winner reaches under 90 % of the peak"

entries=$(find "$XDG_CACHE_HOME" -type f | wc -l)
lines=$(wc -l <"$XDG_DATA_HOME/tune/gfx906/gemm.journal")
expect 0 gemm --arch gfx906 --device sim --json --quiet
cmp -s "$out" "$work/first" || fail "the second run says something else"
[ "$(find "$XDG_CACHE_HOME" -type f | wc -l)" -eq "$entries" ] ||
  fail "something was compiled again"
[ "$(wc -l <"$XDG_DATA_HOME/tune/gfx906/gemm.journal")" -eq "$lines" ] ||
  fail "something was timed again"

# The winner alone, in a cache of its own: the largest entry is its code (the
# other is what asks whether there is a real device).
command -v llvm-objdump-15 >/dev/null || {
  echo "skipped: the winner's code (llvm-objdump-15 is missing)"
  end
}
config=$(tail -1 "$work/first" | sed -n 's/.*"config":{\([^}]*\)}.*/\1/p' |
  tr -d '"' | tr ':' '=')
export XDG_CACHE_HOME=$work/alone
expect 0 gemm --arch gfx906 --device sim --set "$config" --db "$work/other" \
  --json --quiet
[ "$(field spills "$out")" = 0 ] || fail "the winner spills registers"
code_in "$work/alone" "$work/winner.co"
llvm-objdump-15 -d --mcpu=gfx906 "$work/winner.co" >"$out" 2>"$err" ||
  fail "no disassembly"

# Of the loops (branches back to <gemm+0xN>), the one with most FMAs. It reads
# LDS 128 bits a lane and instruction, at one place or at two.
awk '
  function hex(digits,   i, n) {
    for (i = 1; i <= length(digits); i++)
      n = 16 * n + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
    return n
  }
  /^[0-9a-f]+ </ { start = hex($1) }
  match($0, /\/\/ [0-9A-F]+:/) {
    n++
    at[n] = hex(substr($0, RSTART + 3, RLENGTH - 4)) - start
    name[n] = $1
    if (/s_c?branch/ && match($0, /\+0x[0-9a-f]+>/)) {
      target = hex(substr($0, RSTART + 3, RLENGTH - 4))
      if (target < at[n]) { loops++; from[loops] = target; last[loops] = n }
    }
  }
  END {
    for (l = 1; l <= loops; l++) {
      fma = wide = spills = 0
      for (i = last[l]; i > 0 && at[i] >= from[l]; i--) {
        fma += name[i] ~ /^v_fmac?_f32/
        wide += name[i] ~ /^ds_read(_b128|2(st64)?_b64)$/
        spills += name[i] ~ /^(scratch|buffer)_/
      }
      if (fma > best) { best = fma; reads = wide; spilt = spills }
    }
    printf "inner loop: %d FMAs, %d LDS reads of 128 bits, %d spills\n", best, reads, spilt
    exit !(best >= 64 && reads > 0 && spilt == 0)
  }' "$out" >"$work/loop" || fail "the inner loop is not as it should be"
cat "$work/loop"
end

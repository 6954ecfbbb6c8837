# repeat.sh - a seeded run on the simulated device gives the same times with
# one worker and with two, whatever each of them has tried before.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

for jobs in 1 2; do
  expect 0 gemm --arch gfx906 --device sim --m 512 --n 512 --k 1024 \
    --search random --evals 24 --seed 3 --jobs $jobs --db "$work/$jobs" \
    --json --quiet
  grep '"type":"candidate"' "$out" |
    sed 's/.*"config":\({[^}]*}\).*"time_us":\([0-9.]*\).*/\1 \2/' |
    sort >"$work/times.$jobs"
done
[ "$(wc -l <"$work/times.1")" -eq 24 ] || fail "not 24 candidates"
cmp -s "$work/times.1" "$work/times.2" ||
  fail "$(diff "$work/times.1" "$work/times.2" | head -4)"
end

# near.sh - a run begins with the winners of near problems.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

table=$work/data/tune/gfx906/gemm.table
problem="gemm --arch gfx906 --device sim --m 80 --n 64 --k 32"

# The configurations that a run tried, as JSON objects, in its order.
tried()
{
  grep '"type":"candidate"' "$out" | sed 's/.*"config":\({[^}]*}\).*/\1/'
}

expect 0 $small --evals 6 --json --quiet
tail -1 "$out" | sed 's/.*"config":\({[^}]*}\).*/\1/' >"$work/winner"
expect 0 $problem --evals 6 --json --quiet --db "$work/cold"
tried >"$work/cold.tried"

# The first candidate is the other's winner; nothing else changes the store.
expect 0 $problem --evals 6 --json --quiet
tried >"$work/near.tried"
head -1 "$work/near.tried" | cmp -s - "$work/winner" ||
  fail "it does not begin with the winner of the near problem"
[ "$(sort -u "$work/near.tried" | grep -c .)" -eq 6 ] || fail "not 6 configs"
expect 0 $problem --evals 6
says "begun with 1 winner of near problems"
says "6 of 6 from the journal"
fits

# What has been tuned since then does not change a run that is repeated.
sleep 1.1
expect 0 gemm --arch gfx906 --device sim --m 96 --n 64 --k 32 --evals 4 \
  --search random
expect 0 $problem --evals 6
says "begun with 1 winner of near problems"
says "6 of 6 from the journal"
expect 0 $problem --evals 1 --seed 2
says "begun with 1 winner"
says " 1 ok"
expect 0 $problem --evals 6 --seed 3
says "begun with 2 winners"

# Afresh it is as with an empty store, and so are the searches that must be.
expect 0 $problem --evals 6 --json --quiet --afresh
tried | cmp -s - "$work/cold.tried" || fail "afresh is not as if cold"
for search in random exhaustive; do
  expect 0 $problem --evals 2 --search $search
  says_not "begun with"
done
expect 0 $problem --set raster=1
says_not "begun with"

# Damage in the table costs the damaged rows, and no more.
sed -i 's/^\(.*m=64,n=64.*\)status=ok/\1status=on/' "$table"
expect 0 $problem --evals 2 --seed 4
says "gemm.table:"
says "begun with 1 winner"
end

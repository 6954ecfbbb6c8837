# failures.sh - candidates and families that go wrong, each in its own way.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

# family FROM TO: a copy of gemm as ./mine.lua with one change to its text.
family()
{
  rm -rf "$work/data"
  cp templates/gemm.lua "$work/mine.lua"
  cp templates/gemm.hip "$work/mine.hip"
  sed -i "s|$1|$2|" "$work/mine.${3:-hip}"
  ! cmp -s "$work/mine.${3:-hip}" "templates/gemm.${3:-hip}" ||
    fail "gemm has no '$1' to change"
}
mine="$work/mine.lua --arch gfx906 --device sim --m 32 --n 32 --k 16 --beta 0"
mine="$mine --evals 2 --quiet"

family 'unsigned across' 'unsigned  across'
expect 0 $mine
says "mine on gfx906"
says "2 ok"

family 'unsigned across' 'unsinged across'
expect 1 $mine
says "compile"
says "mine.hip:"
says "unsinged"

family 'unsigned across' 'unsigned $acros'
expect 1 $mine
says "mine.hip:"
says "acros"

family 'unsigned across' 'unsigned $(nil + 1)'
expect 1 $mine
says "mine.hip:"

family '^@ local operand <' '@ while true do end\n@ local operand <'
expect 1 $mine
says "mine.hip:"

family 'meaning =' 'meaning ==' lua
expect 1 $mine
says "mine.lua:"

family 'launch = function' 'lunch = function' lua
expect 1 $mine
says "field 'launch' is missing"

# Results that are a little wrong, are not written, or land elsewhere.
family '^  store_c(c' '  alpha *= 1.001f; store_c(c'
expect 1 $mine --set split_k=1
says "wrong"
says "must be"

family '^  store_c(c' '  if (k < 0) store_c(c'
expect 1 $mine --set split_k=1
says "wrong"

family '^  store_c(c' '  c[-1] = 1; store_c(c'
expect 1 $mine --set split_k=1
says "memory before c was written"

family '^  store_c(c' '  c[1ll << 40] = 1; store_c(c'
expect 1 $mine --set split_k=1
says "crash"

# A configuration by hand that is wrong: no other one's success is shown.
family '^  store_c(c' '  alpha *= $(tile_m == 32 and "1.001f" or "1"); store_c(c'
expect 0 $mine --set split_k=1,tile_m=16
expect 1 $mine --set split_k=1,tile_m=32
says "wrong"
says_not "config"

family '^  store_c(c' '  while (k) asm volatile(""); store_c(c'
expect 1 $mine --set split_k=1 --timeout 2
says "timeout"

# What was found out is not tried again, unless there is more time, or on
# request.
tried()
{
  expect 1 $mine --set split_k=1 "$@"
  says "timeout"
  grep -c . "$work/data/tune/gfx906/mine.journal"
}
[ "$(tried --timeout 2)" -eq 1 ] || fail "the timeout was tried again"
says "--retry timeout,crash tries again"
[ "$(tried --timeout 1)" -eq 1 ] || fail "it was tried again with less time"
[ "$(tried --timeout 2.5)" -eq 2 ] || fail "it was not with more time"
says_not "--retry"
[ "$(tried --timeout 2.5)" -eq 2 ] || fail "it was tried again"
[ "$(tried --timeout 1 --retry crash)" -eq 2 ] || fail "it was no crash"
[ "$(tried --timeout 1 --retry crash,timeout)" -eq 3 ] ||
  fail "--retry does not try again"
# A winner that a family has outgrown.
family 'unsigned across' 'unsigned  across'
expect 0 $mine
sed -i 's|^local space <const> = {|&{ "late", { 1 }, "came later" },|' "$work/mine.lua"
expect 2 emit "$work/mine.lua" --arch gfx906 --m 32 --n 32 --k 16 --beta 0
says "the stored winner does not fit mine.lua any more (late is missing"
says 'run `tune mine --arch gfx906 ...` again, or give --set'

end

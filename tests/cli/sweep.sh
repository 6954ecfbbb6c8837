# sweep.sh - tune sweep: many problems of a file, and what a night has of them.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

store=$work/store
sweep=$work/tiny.lua

# write EVALS EXTRA - a sweep of four small problems
write()
{
  cat >"$sweep" <<END
local small <const> = { { n = 64, k = 32 }, { n = 32, k = 32 } }
return {
  arch = "gfx906",
  device = "sim",
  evals = $1,
  problems = { gemm { small, m = { 16, 64 } }, $2 },
}
END
}

# night N FIELD - the field of each problem in the N-th night, sorted
night()
{
  file=$(find "$store/nights" -name '*.night' | sort | sed -n "$1p")
  grep 'kind=problem' "$file" | tr ' ' '\n' | grep "^$2=" | sort | uniq -c |
    sed 's/^ *//'
}

# once - no candidate was measured twice under the same conditions
once()
{
  for journal in "$store"/gfx906/*.journal; do
    again=$(grep -o ' config=[^ ]*\| problem=[^ ]*\| seed=[^ ]*' "$journal" |
      paste -d' ' - - - | sort | uniq -d)
    [ -z "$again" ] || fail "$last: measured twice: $again"
  done
}

is()
{
  [ "$1" = "$2" ] || fail "$last: $1, not $2"
}

# files that are wrong, each with its line
bad()
{
  printf '%b' "$1" >"$work/bad.lua"
  expect "$3" sweep "$work/bad.lua" --db "$store"
  says "$2"
}
bad 'return {\n arch = "gfx906",\n problems = { gem {} },\n}' \
  "bad.lua:3: 'gem' is not defined; did you mean 'gemm'?" 1
bad 'return {\n arch = "gfx906",\n problems = {\n gemm { mm = 1 } },\n}' \
  "bad.lua:4: 'mm' is not a key of gemm" 1
bad 'return {\n arch = "gfx906",\n problems = {\n gemm { m = 0 } },\n}' \
  "bad.lua:4: m is 0; it must be from 1 to" 2
bad 'return {\n arch = "gfx907",\n problems = { gemm {} },\n}' \
  "bad.lua:2: 'gfx907' is not a known arch" 2
bad 'return {\n arch = "gfx906",\n evals = 0,\n problems = { gemm {} },\n}' \
  "bad.lua:3: evals 0: must be a whole number" 1
bad 'return {\n arch = "gfx906",\n evils = 3,\n problems = { gemm {} },\n}' \
  "bad.lua:3: 'evils' is no field of a sweep; did you mean 'evals'?" 1
bad 'local x = 1\nwhile x do end' "bad.lua:2: still running" 1
bad 'return {\n arch = "gfx906"\n problems = {} }' "bad.lua:3: '}' expected" 1
bad 'return { arch = "gfx906", problems = {} }' "problems is an empty list" 1
expect 1 sweep "$work/none.lua"
says "none.lua: cannot read"
expect 2 sweep "$sweep" --shard 3/2
says "must be I/N"
[ ! -e "$store" ] || fail "a sweep that is wrong has written something"

# a first night, whose problems are also the report's
write 2 "lane { evals = 3 }"
expect 0 sweep "$sweep" --db "$store" --dry-run
says "5: 5 new"
expect 0 sweep "$sweep" --db "$store" --json --quiet
is "$(grep -c '"type": *"problem"' "$out")" 5
says '"whole":true'
is "$(night 1 why)" "5 why=new"
is "$(night 1 status)" "5 status=ok"
expect 0 report tiny --db "$store"
says "5 of 5 problems (100.0 %): 5 with a winner"
lines=$(cat "$store"/gfx906/*.journal | wc -l)

# nothing has changed: nothing is measured
expect 0 sweep "$sweep" --db "$store"
is "$(night 2 why)" "5 why=kept"
is "$(cat "$store"/gfx906/*.journal | wc -l)" "$lines"
expect 0 sweep "$sweep" --db "$store" --status
says "whole; 5 of 5 problems"

# more candidates are asked for: those are tried, and no other again
write 3 "lane { evals = 3 }"
expect 0 sweep "$sweep" --db "$store"
is "$(night 3 why)" "4 why=changed
1 why=kept"
[ "$(cat "$store"/gfx906/*.journal | wc -l)" -ge "$((lines + 4))" ] ||
  fail "$last: no more candidates than before"
once
end

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

# trials - records that are no finalist's
trials()
{
  cat "$store"/gfx906/*.journal | grep -vc ' final=1 '
}

# once - no candidate was measured twice under the same conditions, but for finals
once()
{
  for journal in "$store"/gfx906/*.journal; do
    again=$(grep -v ' final=1 ' "$journal" |
      grep -o ' config=[^ ]*\| problem=[^ ]*\| seed=[^ ]*' |
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
bad 'return {\n arch = "gfx906", unchanged = "far",\n problems = { gemm {} },\n}' \
  'unchanged must be "keep"' 1
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
cp "$(dirname "$0")"/families/scale.* "$work"
write 2 "lane { evals = 3 }, family \"./scale.lua\" { n = 5000, evals = 3 }"
expect 0 sweep "$sweep" --db "$store" --dry-run
says "6: 6 new"
says "not known: no night has recorded what 6 of these"
expect 0 sweep "$sweep" --db "$store" --json --quiet
is "$(grep -c '"type": *"problem"' "$out")" 6
says '"whole":true'
is "$(night 1 why)" "6 why=new"
is "$(night 1 status)" "6 status=ok"
expect 0 report tiny --db "$store"
says "6 of 6 problems (100.0 %): 6 with a winner"
lines=$(cat "$store"/gfx906/*.journal | wc -l)

# nothing has changed: nothing is measured
expect 0 sweep "$sweep" --db "$store"
is "$(night 2 why)" "6 why=kept"
is "$(cat "$store"/gfx906/*.journal | wc -l)" "$lines"
expect 0 sweep "$sweep" --db "$store" --status
says "whole; 6 of 6 problems"
fits
expect 0 sweep "$sweep" --db "$store" --dry-run
says "about 0 s"
fits

# more candidates are asked for: those are tried, and no other again
write 3 "lane { evals = 3 }, family \"./scale.lua\" { n = 5000, evals = 3 }"
expect 0 sweep "$sweep" --db "$store"
is "$(night 3 why)" "4 why=changed
2 why=kept"
is "$(night 3 changed)" "4 changed=evals"
[ "$(cat "$store"/gfx906/*.journal | wc -l)" -ge "$((lines + 4))" ] ||
  fail "$last: no more candidates than before"
once

# a family has changed: its problems alone are tuned anew, winner and runner-up
# first
table=$store/gfx906/scale.table
first=$(grep -o ' config=[^ ]*' "$table" | cut -d= -f2-)
second=$(grep -o ' runner_up=[^ ]*' "$table" | cut -d= -f2-)
before=$(wc -l <"$store/gfx906/scale.journal")
echo '// changed' >>"$work/scale.hip"
expect 0 sweep "$sweep" --db "$store" --jobs 1
is "$(night 4 why)" "1 why=changed
5 why=kept"
is "$(night 4 changed)" "1 changed=template"
is "$(sed "1,${before}d" "$store/gfx906/scale.journal" |
  grep -o ' config=[^ ]*' | cut -d= -f2- | sed -n 1,2p)" "$first
$second"

# a card that is not timed has no time
cat >"$work/counted.lua" <<'END'
return { arch = "gfx90a", device = "sim", evals = 1, problems = { lds {} } }
END
expect 0 sweep "$work/counted.lua" --db "$work/counted"
says " cycles of static cost, counted (new"

# winners and runners-up again, but for what was measured in the second in which
# the night begins
sleep 1
sed -i 's/arch = /unchanged = "measure", arch = /' "$sweep"
lines=$(trials)
expect 0 sweep "$sweep" --db "$store"
is "$(night 5 why)" "6 why=incumbent"
is "$(trials)" "$((lines + 12))"

# of that the rows still say how many candidates were searched
sed -i 's/unchanged = "measure", //' "$sweep"
expect 0 sweep "$sweep" --db "$store"
is "$(night 6 why)" "6 why=kept"

# time is up: at once nothing is written; later the night has no end, and goes on:
# a problem that was tried with few of its candidates is not done
expect 1 sweep "$sweep" --db "$work/late" --seconds 0.001
says "the time was up before compiler and device"
[ ! -e "$work/late" ] || fail "$last: has written something"
sweep=$work/long.lua
write 2000 "lane {}"
sweep=$work/tiny.lua
for seconds in 4 16 64; do
  "$tune" sweep "$work/long.lua" --db "$work/late" --seconds $seconds \
    >"$out" 2>"$err" && ! grep -q "candidates 0," "$out" && break
done
last="a night of $seconds s"
says "the time was up; the same command again goes on"
says "problems   0 of 5"
! grep -q "candidates 0," "$out" || fail "$last: counts no candidate"
expect 0 sweep "$work/long.lua" --db "$work/late" --status
says "NOT RUNNING, and not at its end"

# shards: each problem is in one
for i in 1 2 3; do
  expect 0 sweep "$sweep" --db "$work/shard$i" --shard $i/3
done
is "$(cat "$work"/shard?/nights/tiny/*-of-3.night | grep -c kind=problem)" 6
is "$(cat "$work"/shard?/nights/tiny/*-of-3.night | tr ' ' '\n' |
  grep '^problem=' | sort -u | wc -l)" 6

# the winners of the nearest problems are timed on what has not changed, each once
store=$work/near sweep=$work/afresh.lua
write 3 "afresh = true"
sed -i 's/, afresh = true }/}, afresh = true/' "$sweep"
expect 0 sweep "$sweep" --db "$store"
table=$store/gfx906/gemm.table
[ "$(grep -o ' config=[^ ]*' "$table" | sort -u | wc -l)" -gt 1 ] ||
  fail "$last: all problems have the same winner"
lines=$(wc -l <"$store/gfx906/gemm.journal")
sed -i 's/arch = /unchanged = "near", arch = /' "$sweep"
cp "$table" "$work/before.table"
expect 0 sweep "$sweep" --db "$store" --dry-run
says "4: 4 near"
expect 0 sweep "$sweep" --db "$store" --jobs 1
is "$(night 2 why)" "4 why=near"
once
[ "$(wc -l <"$store/gfx906/gemm.journal")" -gt "$lines" ] ||
  fail "$last: timed nothing"
grep -q ' tried=[^ ]*,' "$table" || fail "$last: no row has what was timed"
is "$(grep -c ' asked=3 ' "$table")" 4

# a night that was killed between its records and the table puts its rows there
tried() { grep -o ' problem=[^ ]*\| tried=[^ ]*' "$table"; }
known=$(tried)
mv "$work/before.table" "$table"
find "$store/nights" -name '*.night' | sort | tail -1 | xargs sed -i '$d'
expect 0 sweep "$sweep" --db "$store"
is "$(tried)" "$known"

# times that rows have are not taken again where there is no journal, as of tables that
# ship
mkdir -p "$work/shipped/gfx906"
cp "$table" "$work/shipped/gfx906"
expect 0 sweep "$sweep" --db "$work/shipped"
says "4 near"
says "candidates 0"

# what measures few configurations of a problem forgets no others, nor how many were
# searched
others() { grep -o ' tried=[^ ]*' "$table" | tr -cd : | wc -c; }
count=$(others)
expect 0 gemm --arch gfx906 --device sim --m 64 --n 64 --k 32 --set stages=1 --db "$store"
[ "$(others)" -gt "$count" ] || fail "$last: times of others are lost"
is "$(grep -c ' asked=3 ' "$table")" 4
count=$(others)
sleep 1
sed -i 's/unchanged = "near"/unchanged = "measure"/' "$sweep"
expect 0 sweep "$sweep" --db "$store"
is "$(night 3 why)" "4 why=incumbent"
[ "$(others)" -ge "$count" ] || fail "$last: times of others are lost"

# another card than last night: it is said, and its results stand beside
store=$work/cards sweep=$work/card.lua
cat >"$sweep" <<END
return { arch = "gfx906", device = "sim", evals = 2, problems = { lane {} } }
END
expect 0 sweep "$sweep" --db "$store"
HIPSIM_CARD=radeon-vii expect 0 sweep "$sweep" --db "$store"
says "the devices are others than in the last night (gfx906: simulated MI50"
is "$(night 2 changed)" "1 changed=device"
is "$(grep -c ' source=modelled ' "$store/gfx906/lane.table")" 2
expect 0 sweep "$sweep" --db "$store"
is "$(night 3 why)" "1 why=kept"
end

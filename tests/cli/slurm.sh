# slurm.sh - tune sweep --slurm, with a stand-in for sbatch; with a real Slurm:
# ./check slurm.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

store="$work/a store" # a blank is no matter
sweep=$work/tiny.lua
mine="$store-slurm/tiny"
cat >"$sweep" <<'END'
return {
  arch = "gfx906", device = "sim", evals = 2,
  problems = { gemm { m = { 16, 64 }, n = 64, k = 32 } },
}
END

# An sbatch that gives job 71, then 72, and writes down what it was asked; with
# REFUSE=N it refuses the N-th, as Slurm does.
mkdir "$work/bin"
cat >"$work/bin/sbatch" <<'END'
#!/bin/sh
echo "$@" >>"$ASKED"
n=$(grep -c . "$ASKED")
[ "$n" != "${REFUSE:-}" ] || {
  echo "sbatch: error: invalid partition specified: moon" >&2
  echo "sbatch: error: Batch job submission failed: Invalid partition name" >&2
  exit 1
}
echo "$((70 + n));cluster"
END
printf '#!/bin/sh\necho scancel "$@" >>"$ASKED"\n' >"$work/bin/scancel"
chmod +x "$work/bin/sbatch" "$work/bin/scancel"
export ASKED=$work/asked

submit()
{
  want_status=$1
  shift
  : >"$ASKED"
  PATH=$work/bin:$PATH expect "$want_status" sweep "$sweep" --db "$store" "$@"
}

# What makes no sense is said before anything is written.
submit 2 --slurm 2 --shard 1/2
says "--slurm and --shard do not go together"
submit 2 --cpus 4
says "it needs --slurm"
submit 2 --slurm 2 --partition 'a b'
says "must be the name of a partition"
submit 2 --slurm 0
submit 2 --slurm 2 --db "$work/50%"
says "--db is given twice"
PATH=$work/bin:$PATH expect 2 sweep "$sweep" --slurm 2 --db "$work/50%"
says "choose another with --db"
echo 'return {' >"$work/bad.lua"
PATH=$work/bin:$PATH expect 1 sweep "$work/bad.lua" --slurm 2 --db "$store"
says "bad.lua:"
submit 0 --slurm 2 --dry-run --cpus 3 --gpus 1 --partition farm --evals 3 \
  --seconds 60 --retry timeout,crash
for line in '#SBATCH --array=1-2' '#SBATCH --cpus-per-task=3' \
  '#SBATCH --gres=gpu:1' '#SBATCH --partition=farm' '#SBATCH --requeue' \
  ' --evals 3 --seconds 60 --retry timeout,crash'; do
  says "$line"
done
[ ! -s "$ASKED" ] || fail "--dry-run has asked sbatch"
[ ! -e "$store-slurm" ] || fail "something was written"

# Slurm that refuses; a merge that it refuses takes the array with it.
expect_refused()
{
  says "Slurm refused"
  says "Batch job submission failed: Invalid partition name"
}
REFUSE=1 submit 1 --slurm 2
expect_refused
REFUSE=2 submit 1 --slurm 2
expect_refused
grep -qx 'scancel 71' "$ASKED" || fail "the array stays in the queue"
: >"$ASKED"
PATH=/nowhere expect 1 sweep "$sweep" --slurm 2 --db "$store"
says "sbatch is not found"

# Both jobs, and what they do: here one after the other.
submit 0 --slurm 2
says "job 71, one for each of 2 shards"
says "job 72 merges"
grep -qF -e "--dependency=afterany:71 $mine/merge.sh" "$ASKED" ||
  fail "$last: the merge does not wait: $(cat "$ASKED")"
for script in task merge; do
  sh -n "$mine/$script.sh" || fail "$script.sh"
done
for i in 1 2; do
  SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 sh "$mine/task.sh" >"$out" \
    2>"$err" || fail "task $i"
done
sh "$mine/merge.sh" >"$out" 2>"$err" || fail "merge"
[ "$(cat "$store"/nights/tiny/*.night | grep -c 'kind=problem.*status=ok')" = 2 ] ||
  fail "problems are missing"
grep -q tiny "$mine/report.txt" || fail "no report"

# Another number of shards begins with what the store has.
submit 0 --slurm 3
for i in 1 2 3; do
  SLURM_ARRAY_TASK_ID=$i SLURM_CPUS_PER_TASK=1 sh "$mine/task.sh" >"$out" \
    2>"$err" || fail "task $i of 3"
done
grep -h ' why=new' "$mine"/shard-*-of-3/nights/tiny/*-of-3.night &&
  fail "it does not know what the store has"

end

# conditions.sh BUILD - on a real NVIDIA GPU: clocks, power, temperature and
# throttling beside measurements, against what nvidia-smi says. Prints what was
# recorded, and what looking at the card costs.
#
#   sh tests/cuda/conditions.sh build/release
#
# SPDX-License-Identifier: MIT
. tests/cli/lib.sh

smi()
{
  nvidia-smi --id=0 --query-gpu="$1" --format=csv,noheader,nounits
}

field() # NAME: of the winner's row
{
  sed -n "s/.*[ ]$1=\([^ ]*\).*/\1/p" "$work/data/tune/$arch/gemm.table" |
    sed 's/%20/ /g' | head -1
}

between() # NAME LEAST MOST
{
  value=$(field "$1")
  awk -v v="$value" -v a="$2" -v b="$3" \
    'BEGIN { exit !(v != "" && v + 0 >= a && v + 0 <= b) }' ||
    fail "$1 is '$value', must be $2 to $3"
}

command -v nvidia-smi >/dev/null || {
  echo "conditions.sh: no nvidia-smi, so no NVIDIA GPU: nothing was tested"
  exit 77
}
last="tune list devices"
"$tune" list devices >"$out" 2>"$err"
sed -n '/measured/,/conditions/p' "$out" | head -8
tr '\n' ' ' <"$out" | tr -s ' ' >"$work/line" # it is broken for 80 columns
for text in "nvidia $(smi driver_version); conditions by NVML: " \
  "core clock, memory clock, power, temperature, throttling"; do
  grep -qF "$text" "$work/line" || fail "$last: does not say: $text"
done
arch=$(sed -n 's/^0 .*, \(sm_[0-9]*\), measured/\1/p' "$out")

# A product that keeps the card busy: 2 n^3 operations.
gemm="gemm --arch $arch --device 0 --m 4096 --n 4096 --k 4096 --evals 24"
expect 0 $gemm --quiet --seconds 120
grep -E '^  (time|conditions|driver) ' "$out"
between sclk_mhz $(($(smi clocks.max.sm) / 4)) "$(smi clocks.max.sm)"
between mclk_mhz $(($(smi clocks.max.memory) / 2)) "$(smi clocks.max.memory)"
between power_w 60 "$(smi power.max_limit | awk '{ print int($1 * 1.1) }')"
between temp_c 20 100
between throttled 0 15
[ "$(field driver)" = "nvidia $(smi driver_version)" ] || fail "driver"
case $(field firmware) in
*"$(smi vbios_version)"*) ;;
*) fail "firmware is $(field firmware), not with $(smi vbios_version)" ;;
esac
rows=$(grep -c ' status=ok ' "$work/data/tune/$arch/gemm.journal")
seen=$(grep ' status=ok ' "$work/data/tune/$arch/gemm.journal" |
  grep -c ' sclk_mhz=.* throttled=')
[ "$rows" -eq "$seen" ] || fail "$seen of $rows rows have conditions"
echo "rows with conditions: $seen of $rows"

# What looking costs, and that it does not change the times: the same candidate
# five times each way, in turn, so that a drift of the clock hurts both alike.
for size in 4096 256; do
  one="gemm --arch $arch --device 0 --m $size --n $size --k $size --quiet"
  rm -rf "$work/data"
  expect 0 $one --evals 12
  set_of=$(field config)
  for way in 1 2 3 4 5; do
    for nvml in libnvidia-ml.so.1 /nowhere/libnvidia-ml.so.1; do
      rm -rf "$work/one"
      TUNE_NVML=$nvml expect 0 $one --set "$set_of" --json --db "$work/one"
      us=$(sed -n 's/.*"time_us":\([0-9.]*\).*/\1/p' "$out" | tail -1)
      echo "$size $nvml $us" >>"$work/times"
    done
  done
done
sort "$work/times" | awk '
  { key = $1 " " ($2 ~ /nowhere/ ? "not looked at" : "looked at"); n[key]++
    us[key, n[key]] = $3 }
  END { for (key in n) { # medians of five
          for (i = 1; i <= 5; i++) for (k = i + 1; k <= 5; k++)
            if (us[key, k] < us[key, i]) {
              t = us[key, i]; us[key, i] = us[key, k]; us[key, k] = t }
          printf "%s: %.2f us, of %.2f to %.2f\n", key, us[key, 3], us[key, 1],
            us[key, 5]
          print key "\t" us[key, 3] >"'"$work/medians"'" } }'
for size in 4096 256; do
  grep "^$size " "$work/medians" | cut -f2 | sort -n |
    awk 'NR == 1 { a = $1 } NR == 2 { exit !($1 <= 1.02 * a) }' ||
    fail "of $size: looking at the card changes the time by more than 2 %"
done
end

# faults.sh - every kind of bad candidate, a fifth of all, among good ones.
# SPDX-License-Identifier: MIT
#
# Each costs itself alone: none of the good is lost or called bad, and each of
# the bad is called what it is. FAULTS="OPTIONS" runs it elsewhere or larger:
#
#   FAULTS="--arch sm_90 --device 0 --serials 25 --timeout 2" \
#     sh tests/cli/faults.sh BUILD
. "$(dirname "$0")/lib.sh"

options=${FAULTS:---arch gfx906 --device sim --serials 1 --timeout 8}
arch=$(echo "$options" | sed 's/.*--arch \([^ ]*\).*/\1/')
expect 0 tests/cli/families/faults.lua $options --search exhaustive \
  --evals 1000 --quiet
cat "$out"

# Each line of the journal: KIND STATUS.
journal=$work/data/tune/$arch/faults.journal
sed -n 's/.* config=[^ ]*fault=\([a-z_]*\)[^ ]* .*/\1 &/p' "$journal" |
  grep -v ' final=1' |
  sed 's/^\([a-z_]*\) .* status=\([a-z]*\).*/\1 \2/; s/^good_/good/' |
  sort | uniq -c >"$work/kinds"
cat "$work/kinds"
while read -r kind status; do
  wrong=$(awk -v k="$kind" -v s="$status" '$2 == k && $3 != s' "$work/kinds")
  [ -z "$wrong" ] || fail "$kind is called other than $status: $wrong"
  grep -q " $kind $status\$" "$work/kinds" || fail "no $kind is $status"
done <<END
good ok
hang timeout
fault crash
guard wrong
input wrong
resource resource
wrong wrong
rtc_crash crash
rtc_hang timeout
END
good=$(awk '$2 == "good" { n += $1 } END { print n }' "$work/kinds")
bad=$(awk '$2 != "good" { n += $1 } END { print n }' "$work/kinds")
[ "$good" -eq $((4 * bad)) ] || fail "$good good and $bad bad candidates"
end

# nightly.sh - a sweep every night on one machine: what is installed for systemd
# and cron runs this program, and systemd takes it.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

DESTDIR=$work/root cmake --install "$1" --component tune >"$out" 2>"$err" ||
  fail "cmake --install"
for name in systemd/user/tune-sweep@.service systemd/user/tune-sweep@.timer \
  tune-sweep.cron; do
  found=$(find "$work/root" -path "*/$name")
  [ -f "$found" ] || fail "$name is not installed"
  cp "$found" "$work"
done

# Verified is a copy whose program is there.
last="systemd-analyze verify"
mkdir "$work/units"
for unit in service timer; do
  sed "s|=tune |=$(readlink -f "$tune") |" "$work/tune-sweep@.$unit" \
    >"$work/units/tune-sweep@mi50.$unit"
done
if command -v systemd-analyze >/dev/null; then
  XDG_RUNTIME_DIR=$work systemd-analyze --user --man=no verify "$work"/units/* >"$out" 2>&1 ||
    fail "$last: refused"
  says_not "units/"
  systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' \
    "$work/tune-sweep@.timer")" >"$out" 2>&1 || fail "$last: OnCalendar"
fi

# What they call runs: the line of the service, and that of cron, with a sweep
# of one problem in place of theirs.
mkdir -p "$work/.config/tune" "$work/bin"
ln -s "$(readlink -f "$tune")" "$work/bin/tune"
cat >"$work/.config/tune/mi50.lua" <<'END'
return {
  arch = "gfx906", device = "sim", evals = 2,
  problems = { gemm { m = 64, n = 64, k = 32 } },
}
END
line=$(sed -n 's/^0 1 \* \* \*  //p' "$work/tune-sweep.cron")
PATH=$work/bin:$PATH sh -c "$line" >"$out" 2>"$err" || fail "cron: $line"
says "mi50"
[ -d "$work/data/tune/nights/mi50" ] || fail "cron: no night"
for command in ExecStart ExecStopPost; do
  line=$(sed -n "s/^$command=//p" "$work/tune-sweep@.service" |
    sed "s|%E|$work/.config|; s|%i|mi50|")
  PATH=$work/bin:$PATH sh -c "$line" >"$out" 2>"$err" || fail "$command: $line"
done
says "mi50"

end

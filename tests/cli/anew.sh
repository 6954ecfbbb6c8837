# anew.sh - which results count again, and what a run says of those that don't.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

tiny="$small --evals 2 --search random --quiet"
expect 0 $tiny
says_not anew

# The same model, in another file: what the linker and strip(1) left counts.
strip -o "$work/libhipsim.so" "$1/libhipsim.so"
! cmp -s "$work/libhipsim.so" "$1/libhipsim.so" || fail "strip did nothing"
export TUNE_RUNTIME=$work/libhipsim.so
expect 0 $tiny
says "2 of 2 from the journal"
says_not anew

# It is the sources' hash, by the build's own script.
version=$(sed -n 's/.*MODEL_VERSION "\(.*\)"/\1/p' \
  "$1/runtimes/sim/api/model_version.h")
says "-$version"

# Another model.
sed -i "s/$version/0123456789ab/" "$work/libhipsim.so"
expect 0 $tiny
says "0 of 2 from the journal"
says "notice: results in the journal are measured anew: the runtime has changed"
says "-$version, now 5.2"
says "-0123456789ab)"
says "anew       2 of 2: the runtime"
fits
expect 0 $tiny
says "2 of 2 from the journal"
says_not anew
unset TUNE_RUNTIME

# Other templates; where both are new, both are named.
mkdir "$work/mine"
cp templates/* "$work/mine"
echo "// changed" >>"$work/mine/gemm.hip"
expect 0 $tiny --templates "$work/mine" --json
says "measured anew: the templates have changed ("
says_not "runtime has changed ("
export TUNE_RUNTIME=$work/libhipsim.so
echo "// again" >>"$work/mine/gemm.hip"
sed -i "s/0123456789ab/0123456789ac/" "$work/libhipsim.so"
expect 0 $tiny --templates "$work/mine"
says "the templates have changed ("
says ") and the runtime has changed ("
fits
end

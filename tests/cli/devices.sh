# devices.sh - runtimes that are slow, and machines with several devices.
# Stands in: the simulator, passing for a real runtime as in measured.sh, under
# tests/devices.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

mkdir "$work/lib"
sed 's/hipsimSetMode/hipsimXxxMode/g; s/hipsimReport/hipsimXxxort/g
     s/hipsimInstruction/hipsimXxxtruction/g' "$1/libhipsim.so" \
  >"$work/lib/libhipsim.so"
export LD_LIBRARY_PATH=$work/lib TUNE_RUNTIME=$1/tests/devices/libdevices.so
tiny="gemm --arch gfx906 --m 32 --n 32 --k 16"

# took SECONDS: the last command must not have taken longer.
took()
{
  [ $(($(date +%s) - begun)) -le "$1" ] || fail "$last: took longer than $1 s"
}

DEVICES=3 expect 0 list devices
says "2    simulated MI50"

# A driver that takes its time has only that of the run, and another device,
# here the simulated one, does not stand in for it.
begun=$(date +%s)
DEVICES_INIT=30 expect 1 $tiny --seconds 2
took 4
says "the time was up before compiler and device had answered"
end

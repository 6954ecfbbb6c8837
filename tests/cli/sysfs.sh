# sysfs.sh - a tree that stands for /sys, with the files of amdgpu for the cards
# of tests/devices; sourced.
# SPDX-License-Identifier: MIT
#
#   card I SCLK MCLK WATTS DEGREES STATUS    (re)write what device I says; STATUS
#                                            as a printf escape of four bytes
#   pass_for_real FOLDER    a simulator there, that passes for a real runtime

card()
{
  at=$work/sys/bus/pci/devices/0000:$(printf %02x $((10 + $1))):00.0
  mkdir -p "$at/hwmon/hwmon$1" "$at/fw_version"
  echo "$2000000" >"$at/hwmon/hwmon$1/freq1_input"
  echo "$3000000" >"$at/hwmon/hwmon$1/freq2_input"
  echo "$4000000" >"$at/hwmon/hwmon$1/power1_average"
  echo "$5000" >"$at/hwmon/hwmon$1/temp1_input"
  echo 113-D1631700-111 >"$at/vbios_version"
  echo 0x00282d00 >"$at/fw_version/smc_fw_version"
  # gpu_metrics 1.0: 80 bytes, of which all but head and status are not set
  { printf '\120\0\1\0'
    head -c 64 /dev/zero | tr '\0' '\377'
    printf "$6"
    head -c 8 /dev/zero | tr '\0' '\377'; } >"$at/gpu_metrics.new"
  mv "$at/gpu_metrics.new" "$at/gpu_metrics"
}

pass_for_real()
{
  mkdir -p "$1"
  sed 's/hipsimSetMode/hipsimXxxMode/g; s/hipsimReport/hipsimXxxort/g
       s/hipsimInstruction/hipsimXxxtruction/g' "$libhipsim" >"$1/libhipsim.so"
}

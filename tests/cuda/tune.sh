# tune.sh BUILD FAKE_CUDA FAKE_NVRTC FAKE_NVML - tune on NVIDIA's side, without a GPU.
# SPDX-License-Identifier: MIT
. tests/cli/lib.sh

# With no driver there is no device, and it is said.
export HIPCUDA_DRIVER=/nowhere/libcuda.so.1 HIPCUDA_NVRTC="$3"
expect 0 list devices
says "NVIDIA GPU: none found"
says "nvrtc-12.6"
fits
gemm="gemm --arch sm_90 --m 128 --n 128 --k 64 --search random --quiet"
expect 1 $gemm
says "there is no device for sm_90"
says "no libcuda.so.1"

# A device that does nothing: all the way, to results that are wrong.
export HIPCUDA_DRIVER="$2" TUNE_NVML="$4" FAKE_NVML="$work/state"
echo 1980 2619 345678 54 0 >"$FAKE_NVML"
expect 0 list devices
says "nvidia 580.159.04; conditions by NVML: core clock, memory clock, power,"
says "0    Fake GPU, sm_90, measured"
says "3 CUs at 1980 MHz"
fits
expect 1 $gemm --evals 3
says "wrong"
grep -q 'arch=sm_90 .*compiler=nvrtc-12.6 .*runtime=cuda-12.6' \
  "$work/data/tune/sm_90/gemm.journal" || fail "$last: nothing in the journal"
expect 1 $gemm --evals 3 --device sim
says "there is no simulated device for sm_90"
expect 0 emit gemm --arch sm_90 --set tile_m=64
says "gemm for sm_90"

end

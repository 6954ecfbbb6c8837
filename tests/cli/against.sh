# against.sh - a library's product beside the winner: a stub of rocBLAS.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

mkdir "$work/lib"
cc -shared -fPIC -D__HIP_PLATFORM_AMD__ -o "$work/lib/librocblas.so.4" \
  "$(dirname "$0")/../devices/rocblas.c" -lamdhip64 >"$out" 2>&1 ||
  fail "rocblas.c does not build"
against="$small --evals 1 --quiet --against"

# Where it cannot be done, that is said before anything is tuned.
export TUNE_ROCBLAS="$work/nothing.so"
expect 1 $against rocblas
says "--against rocblas: TUNE_ROCBLAS: $work/nothing.so"
expect 2 $against cublas
says "--against cublas: must be rocblas"
expect 2 lane --arch gfx906 --device sim --against rocblas
says "lane is no matrix product"
[ ! -e "$work/data" ] || [ -z "$(find "$work/data" -size +0)" ] ||
  fail "it tuned all the same"
TUNE_ROCBLAS=$1/libhipsim.so expect 1 $against rocblas
says "is it a rocBLAS?"

# It is found by its usual name.
unset TUNE_ROCBLAS
export LD_LIBRARY_PATH="$work/lib"
expect 0 $against rocblas
says "  against    rocblas-4.9.9-stub: "
says "; this is "
fits

# And by its path. The ratio is that of the two times, of which ours is the
# winner's; a layout, strides and factors are what they are for ours.
export TUNE_ROCBLAS="$work/lib/librocblas.so.4" LD_LIBRARY_PATH=''
expect 0 gemm --arch gfx906 --device sim --m 33 --n 21 --k 40 --lda 44 \
  --layout tn --alpha 2 --beta 0.5 --evals 1 --quiet --json --against rocblas
tail -1 "$out" | sed 's/.*"against":{\([^}]*\)}.*/\1/' | tr ',' '\n' |
  tr -d '"' >"$work/fields"
ours=$(tail -1 "$out" | sed 's/"against":{[^}]*}//
  s/.*"time_us":\([0-9.]*\).*/\1/')
awk -F: -v ours="$ours" '{ value[$1] = $2 }
  END { r = value["time_us"] / value["ours_us"] / value["ratio"]
        exit !(value["status"] == "ok" && value["ours_us"] == ours &&
               value["kernel"] == "Cijk_stub" && r > 0.999 && r < 1.001) }' \
  "$work/fields" || fail "$last: ours $ours, and $(tr '\n' ' ' <"$work/fields")"

# `tune explain` puts both kernels side by side: of the same product both have the
# stub's ratio of times, and each has its own instructions.
expect 0 explain gemm --arch gfx906 --device sim --m 33 --n 21 --k 40 --lda 44 \
  --layout tn --alpha 2 --beta 0.5 --against rocblas
shows "^  against    rocblas-4.9.9-stub: Cijk_stub" \
  "modelled, whole launch +ours +rocblas-4.9.9-  +ratio" \
  "^  time, us +[0-9.]+ +[0-9.]+ +[0-9.]+$" "^  VALU instructions +[0-9]+ +[0-9]+" \
  "^  LDS instructions +[1-9][0-9]* +0$" "^  bytes from HBM " "^  VGPRs +[0-9]+ " \
  "times executed, by waves" "^  v_"
expect 2 explain gemm --arch gfx906 --device sim --m 33 --n 21 --k 40 --json \
  --against rocblas
says "--against goes with neither --vary nor --json"

# Other types; what the library has not is said.
for type in "f16" "f16 --type_c f32" "i8 --alpha 3 --beta -2"; do
  # shellcheck disable=SC2086  # words
  expect 0 gemm --arch gfx906 --device sim --m 33 --n 21 --k 40 --layout tn \
    --evals 1 --quiet --against rocblas --dtype $type
  says "  against    rocblas-4.9.9-stub: "
done
expect 1 gemm --arch gfx906 --device sim --m 33 --n 21 --k 40 --evals 1 --quiet \
  --against rocblas --dtype bf16
says "rocblas_gemm_ex: rocblas_status_not_implemented"
expect 2 gemm --arch gfx906 --device sim --dtype i4 --against rocblas
says "no product of i4"
expect 2 gemm --arch gfx906 --device sim --m 33 --n 21 --k 40 --batch 2 \
  --against rocblas
says "leave batch at 0"

# A library that is wrong, or refuses: the winner is shown, and what happened.
export STUB_FAULT=wrong
expect 1 $against rocblas
says "  config  "
says "  against    rocblas-4.9.9-stub: wrong: c["
STUB_FAULT=status expect 1 $against rocblas
says "rocblas-4.9.9-stub: launch: rocblas_sgemm: rocblas_status_not_implemented"
end

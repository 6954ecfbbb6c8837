# llama.sh - ship/llama/apply on a tree with a function of the name that it looks for,
# and what it lays there between stand-ins for ggml's types: which products are served
# by the shipped table, and that these are right.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
lib=$1 root=$(cd "$(dirname "$0")/../.." && pwd)

tree=$work/ggml/src/ggml-cuda
mkdir -p "$tree"
cat >"$tree/ggml-cuda.cu" <<'CU'
#include "ggml-cuda/common.cuh"
#include "ggml.h"
static void ggml_cuda_mul_mat(ggml_backend_cuda_context & ctx, const ggml_tensor * src0,
                              const ggml_tensor * src1, ggml_tensor * dst);
static void ggml_cuda_mul_mat_id(ggml_backend_cuda_context & ctx, ggml_tensor * dst) {
}
static void ggml_cuda_mul_mat(ggml_backend_cuda_context & ctx, const ggml_tensor * src0,
                              const ggml_tensor * src1, ggml_tensor * dst) {
    own++;
}
CU

# apply STATUS: run it on the tree.
apply()
{
  want=$1 last="apply"
  sh "$root/ship/llama/apply" "$work/ggml" "$tune" >"$out" 2>"$err"
  got=$?
  [ $got -eq "$want" ] || fail "$last: status $got, not $want"
}

cp "$tree/ggml-cuda.cu" "$work/before"
apply 0
says '+#include "ggml-cuda/tuned.cuh"'
says '+    if (ggml_cuda_tuned_mul_mat(ctx, src0, src1, dst)) {'
says '+    if (ggml_cuda_tuned_mul_mat_id(ctx, dst)) {'
[ "$(grep -c '^[-+][^-+]' "$out")" = 7 ] || fail "$last: more than 7 lines"
patch -R -s -o "$work/back" "$tree/ggml-cuda.cu" "$out" &&
  cmp -s "$work/back" "$work/before" || fail "$last: what it prints is no patch"
cp "$tree/ggml-cuda.cu" "$work/after"
apply 1
cmp -s "$tree/ggml-cuda.cu" "$work/after" || fail "$last: changed twice"

# A release in which the function is another: nothing changes.
rm "$tree"/tuned*
grep -v '^    own' "$work/before" | sed 's/ggml_cuda_mul_mat(/ggml_cuda_product(/' \
  >"$tree/ggml-cuda.cu"
cp "$tree/ggml-cuda.cu" "$work/other"
apply 1
cmp -s "$tree/ggml-cuda.cu" "$work/other" && [ ! -e "$tree/tuned.cu" ] ||
  fail "$last: changed what it does not know"
cp "$work/before" "$tree/ggml-cuda.cu"
apply 0

if ! command -v hipcc >/dev/null; then
  echo "no hipcc (Debian package hipcc): not compiled"
  end
  exit
fi
last="hipcc products.hip"
here=$(dirname "$0")/llama
hipcc --offload-arch=gfx906 -DGGML_USE_HIP -O1 -I "$tree" -I "$here" -o "$work/products" \
  "$here/products.hip" >"$out" 2>&1 || fail "it does not compile"
last="products"
GGML_TUNED=stats LD_PRELOAD=$lib/libhipsim.so "$work/products" >"$out" 2>"$err" ||
  fail "$last: wrong"
says "all right"
cp "$err" "$out"
says "ggml tuned: 5 of 7 quantised products served"
last="products off"
GGML_TUNED=off LD_PRELOAD=$lib/libhipsim.so "$work/products" off >"$out" 2>"$err" ||
  fail "$last: served"
end

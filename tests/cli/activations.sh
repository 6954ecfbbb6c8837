# activations.sh - what the emitted text says of gelu, gelu_tanh and silu, compiled for
# the host, is what their definitions say in double precision: at two million numbers, at
# infinities and NaN; and texts of gemm and skinny compile without HIP's headers.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

for name in gelu gelu_tanh silu; do
  expect 0 emit gemm --arch gfx906 --m 16 --n 16 --k 16 --activation $name \
    --set tile_m=16
  sed -n "/^static.* $name(/,/^}/p" "$out" >"$work/$name.h"
  sed -n '/^static.* exponential(/,/^}/p; /^static.* inverse(/,/^}/p' "$out" >"$work/both.h"
  [ "$(cat "$work/$name.h" "$work/both.h" | grep -c '^}')" = 3 ] ||
    fail "$name is not in the text"
done
cat >"$work/compare.cc" <<'END'
#include <math.h>
#include <stdio.h>
#define __device__
// v_rcp_f32 is off by an ulp at most. This is, but for 1.
#define __builtin_amdgcn_rcpf(x) (1 / (x) * ((x) == 1 ? 1 : 1 + 0x1p-23f))
#include "both.h"
#include "gelu.h"
#include "gelu_tanh.h"
#include "silu.h"

// Forms that keep their digits where the results are small.
static double gelu_by_erfc(double x) { return x / 2 * erfc(-x / sqrt(2)); }
static double gelu_by_exp(double x)
{
  return x / (1 + exp(-2 * sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
static double silu_by_exp(double x) { return x / (1 + exp(-x)); }

static int compare(const char *name, float (*got)(float), double (*want)(double))
{
  double most = 0;
  for (int i = -1000000; i <= 1000000; i++) {
    float x = i * 1e-4f;
    double w = want(x), error = fabs(got(x) - w) / (fabs(w) + 0x1p-100);
    most = error > most ? error : most;
  }
  int ends = got(INFINITY) == INFINITY && got(-INFINITY) == 0 && got(0) == 0 &&
             got(-1e30f) == 0 && got(1e30f) == 1e30f && isnan(got(NAN));
  printf("%s: off by %.3g of itself at most\n", name, most);
  return ends && most < 0x1p-15; // z * z has 24 bits, and is 84 at most
}

int main()
{
  int right = compare("gelu", gelu, gelu_by_erfc) &
              compare("gelu_tanh", gelu_tanh, gelu_by_exp) &
              compare("silu", silu, silu_by_exp);
  return !right;
}
END
clang -x c++ -O1 -o "$work/compare" "$work/compare.cc" -lm
"$work/compare" ||
  fail "an activation is not what its definition says"

# plain ARGS... - the text compiles with clang alone.
plain()
{
  expect 0 emit --arch gfx906 "$@"
  clang -x hip --offload-arch=gfx906 --cuda-device-only -nogpuinc -nogpulib -O3 -c \
    -o "$work/plain.o" "$out" || fail "$last does not compile without HIP's headers"
}
plain gemm --m 4 --n 64 --k 0 --beta 1 --bias col --set tile_m=4
plain gemm --dtype i8 --type_c f16 --scale both --activation gelu --set tile_m=64
plain gemm --dtype f16 --m 64 --n 64 --batch 2 --batch_by pointers --set split_k=2
plain gemm --dtype i4 --set tile_m=64,stream_k=1
plain skinny --dtype bf16 --m 4 --bias col --activation silu --up 1 --set split_k=2
plain skinny --dtype i8 --m 2 --batch 2 --batch_by pointers --set split_k=1
end

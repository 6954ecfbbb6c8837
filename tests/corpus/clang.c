/* clang.c - a topic by clang as a program, for what hiprtc does not know. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "tests/corpus/corpus.h"

#define BITCODE "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/"

/* Of ROCm's device library. */
static const char *const libraries[] = {
    "ocml", "ockl", "hip", "oclc_daz_opt_off", "oclc_finite_only_off",
    "oclc_unsafe_math_off", "oclc_correctly_rounded_sqrt_on",
    "oclc_abi_version_500",
};

/* Any architecture with waves of 32 lanes will do, and of 64. */
static const char *const by_lanes[2][2] = {
    {"oclc_wavefrontsize64_off", "oclc_isa_version_1036"},
    {"oclc_wavefrontsize64_on", "oclc_isa_version_940"},
};

/* HIP's headers of Debian 12 call what LLVM has no more. */
static const char head[] =
    "#include <hip/hip_runtime.h>\n"
    "typedef _Float16 reciprocals __attribute__((ext_vector_type(2)));\n"
    "static __device__ _Float16 __llvm_amdgcn_rcp_f16(_Float16 x)\n"
    "{ return __builtin_amdgcn_rcph(x); }\n"
    "static __device__ reciprocals __llvm_amdgcn_rcp_2f16(reciprocals x)\n"
    "{ x.x = __builtin_amdgcn_rcph(x.x); x.y = __builtin_amdgcn_rcph(x.y); return x; }\n"
    "#include <hip/hip_fp16.h>\n"
    "#define atomicInc(p, v) \\\n"
    "  __builtin_amdgcn_atomic_inc32(p, v, __ATOMIC_RELAXED, \"\")\n"
    "#define atomicDec(p, v) \\\n"
    "  __builtin_amdgcn_atomic_dec32(p, v, __ATOMIC_RELAXED, \"\")\n";

static void link_library(struct str *s, const char *name)
{
  str_addf(s, " -Xclang -mlink-builtin-bitcode -Xclang " BITCODE "%s.bc", name);
}

static void command(struct str *s, const char *program, const char *arch,
                    int lanes, const char *level, const char *to)
{
  str_addf(s, "%s -x hip --offload-arch=%s --offload-device-only "
           "--no-gpu-bundle-output -nogpulib -ffp-contract=off "
           "-D__AMDGCN_WAVEFRONT_SIZE=%d -mcode-object-version=5 %s -o %s -",
           program, arch, lanes, level, to);
  for (size_t n = 0; n < sizeof libraries / sizeof *libraries; n++)
    link_library(s, libraries[n]);
  for (size_t n = 0; n < 2; n++)
    link_library(s, by_lanes[lanes == 64][n]);
  str_add(s, " 2>/dev/null");
}

static int run(const char *shell, const char *text)
{
  FILE *in = popen(shell, "w");
  if (!in)
    return -1;
  fputs(head, in);
  fputs(text, in);
  return pclose(in);
}

char *clang_compile(const char *program, const char *arch, int lanes,
                    const char *level, const char *text, size_t *bytes)
{
  char to[] = "/tmp/corpus-XXXXXX";
  struct str shell = {0}, code = {0};
  int made = mkstemp(to);
  if (made < 0)
    return NULL;
  close(made);
  command(&shell, program, arch, lanes, level, to);
  int bad = run(str_text(&shell), text) || file_read(to, 64 << 20, &code, NULL);
  unlink(to);
  str_free(&shell);
  *bytes = code.len;
  if (!bad)
    return code.at;
  str_free(&code);
  return NULL;
}

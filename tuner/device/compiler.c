/* compiler.c - see compiler.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/compiler.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rocm.h"
#include "tuner/device/comgr.h"
#include "tuner/device/offline.h"

/* A function of the compiler as an address in its library. */
static const void *symbol_of(const struct rtc *r)
{
  const void *symbol;
  memcpy(&symbol, &r->hiprtcVersion, sizeof symbol);
  return symbol;
}

/* "5.2.21153" of "/usr/lib/libamdhip64.so.5.2.21153", or "" */
static void file_version(const struct rtc *r, char *out, size_t room)
{
  char path[PATH_MAX];
  rocm_file(symbol_of(r), path);
  const char *so = strstr(basename(path), ".so.");
  out[0] = 0;
  if (so && strchr(so + 4, '.'))
    snprintf(out, room, "%s", so + 4);
}

void compiler_targets(const struct rtc *r, struct str *out)
{
  struct comgr c;
  char targets[1024];
  if (!r->hipcudaCompiler) {
    if (!comgr_open(&c, symbol_of(r), NULL))
      comgr_targets(&c, out);
  } else if (r->hipcudaTargets) {
    r->hipcudaTargets(targets, sizeof targets);
    str_add(out, targets);
  }
}

static int has_word(const char *words, const char *word)
{
  size_t n = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += n)
    if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
      return 1;
  return 0;
}

/* ERR_FAILED where it must not be asked for a. */
static int knows(const struct rtc *r, const struct arch *a, struct err *e)
{
  char version[COMPILER_VERSION];
  struct str targets = {0};
  compiler_targets(r, &targets);
  int known = !targets.len || has_word(targets.at, arch_name(a));
  str_free(&targets);
  if (known)
    return 0;
  compiler_version(r, version);
  return err_set(e, ERR_FAILED, "the compiler %s does not know %s; install a "
                 "newer one: `tune list devices` shows what each knows",
                 version, arch_name(a));
}

/* hiprtc if it can, else clang; what hiprtc lacks is said where neither can. */
static int open_amd(struct rtc *r, const struct arch *a, struct err *e)
{
  char version[COMPILER_VERSION];
  struct err why = {0};
  if (!rtc_open(r, NULL, &why) && !knows(r, a, &why))
    return 0;
  *r = (struct rtc){0};
  if (!arch_fact(a, "clang_22"))
    return err_set(e, ERR_FAILED, "%s", why.text);
  if (!offline_version(version, sizeof version, NULL))
    return 0;
  return err_set(e, ERR_FAILED, "no compiler for %s: %s; or " OFFLINE_INSTALL,
                 arch_name(a), why.text);
}

int compiler_open(struct rtc *r, const struct arch *a, struct err *e)
{
  char path[PATH_MAX];
  if (arch_fact(a, "amdgcn"))
    return open_amd(r, a, e);
  hip_beside(NULL, "libhipcuda.so", path);
  return rtc_open(r, path, e) ? e->code : knows(r, a, e);
}

void compiler_version(const struct rtc *r, char out[COMPILER_VERSION])
{
  if (!r->library) {
    offline_version(out, COMPILER_VERSION, NULL);
    return;
  }
  if (r->hipcudaCompiler) {
    r->hipcudaCompiler(out, COMPILER_VERSION);
    return;
  }
  char version[COMPILER_VERSION - 8];
  int major = 0, minor = 0;
  file_version(r, version, sizeof version);
  if (!version[0] && r->hiprtcVersion(&major, &minor) == HIPRTC_SUCCESS)
    snprintf(version, sizeof version, "%d.%d", major, minor);
  snprintf(out, COMPILER_VERSION, "hiprtc-%s", version);
}

void compiler_options(const struct arch *a, struct str *out)
{
  str_addf(out, "--gpu-architecture=%s -O3", arch_name(a));
}

static void read_log(const struct rtc *r, hiprtcProgram program,
                     struct str *log)
{
  size_t n = 0;
  if (r->hiprtcGetProgramLogSize(program, &n) != HIPRTC_SUCCESS || n < 2)
    return;
  char *text = malloc(n);
  if (text && r->hiprtcGetProgramLog(program, text) == HIPRTC_SUCCESS)
    str_add_bytes(log, text, n - 1);
  free(text);
}

static hiprtcResult read_code(const struct rtc *r, hiprtcProgram program,
                              struct str *code)
{
  size_t n = 0;
  hiprtcResult rc = r->hiprtcGetCodeSize(program, &n);
  char *bytes = rc == HIPRTC_SUCCESS ? malloc(n) : NULL;
  if (bytes && (rc = r->hiprtcGetCode(program, bytes)) == HIPRTC_SUCCESS)
    str_add_bytes(code, bytes, n);
  free(bytes);
  return rc;
}

/* compiler_options(), and more. */
enum {OPTIONS = 4};
struct options {
  char target[64];
  const char *at[OPTIONS];
  int n;
};

static void set_options(struct options *o, const struct arch *a)
{
  snprintf(o->target, sizeof o->target, "--gpu-architecture=%s", arch_name(a));
  o->at[0] = o->target;
  o->at[1] = "-O3";
  o->n = 2;
}

int compiler_precompiles(const struct rtc *r)
{
  return r->library && !r->hipcudaCompiler;
}

void compiler_precompile(const struct rtc *r, const struct arch *a)
{
  struct options o;
  hiprtcProgram program;
  set_options(&o, a);
  o.at[o.n++] = "-Xclang";
  o.at[o.n++] = "-emit-pch";
  if (r->hiprtcCreateProgram(&program, "\n", "", 0, NULL, NULL) != HIPRTC_SUCCESS)
    return;
  r->hiprtcCompileProgram(program, o.n, o.at);
  r->hiprtcDestroyProgram(&program);
}

static int ask_hiprtc(const struct rtc *r, const struct arch *a,
                      const char *file, const char *text, struct str *code,
                      struct str *log, struct err *e)
{
  struct options o;
  set_options(&o, a);
  hiprtcProgram program;
  hiprtcResult rc = r->hiprtcCreateProgram(&program, text, file, 0, NULL,
                                           NULL);
  if (rc != HIPRTC_SUCCESS)
    return err_set(e, ERR_FAILED, "hiprtcCreateProgram: %s",
                   r->hiprtcGetErrorString(rc));
  rc = r->hiprtcCompileProgram(program, o.n, o.at);
  read_log(r, program, log);
  if (rc == HIPRTC_SUCCESS)
    rc = read_code(r, program, code);
  r->hiprtcDestroyProgram(&program);
  if (rc != HIPRTC_SUCCESS)
    return err_set(e, ERR_FAILED, "hiprtc: %s", r->hiprtcGetErrorString(rc));
  return 0;
}

int compiler_run(const struct rtc *r, const struct arch *a, const char *file,
                 const char *text, struct str *code, struct str *log,
                 struct err *e)
{
  struct str named = {0}; /* hiprtc 5.2 ignores the name that it is given */
  str_addf(&named, "#line 1 \"%s\"\n%s", file, text);
  int rc = r->library ? ask_hiprtc(r, a, file, named.at, code, log, e)
                      : offline_run(a, named.at, code, log, e);
  str_free(&named);
  return rc;
}

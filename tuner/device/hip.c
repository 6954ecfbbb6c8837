/* hip.c - see hip.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/hip.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {BESIDE = 128}; /* bytes of a path from the program's folder on */

struct symbol {
  const char *name;
  size_t offset; /* of the pointer in struct hip or struct rtc */
  int optional;
};

static const struct symbol hip_symbols[] = {
#define X(name) {#name, offsetof(struct hip, name), 0},
  HIP_CALLS(X)
#undef X
#define X(name) {#name, offsetof(struct hip, name), 1},
  HIPSIM_CALLS(X)
  HIPCUDA_CALLS(X)
#undef X
};

static const struct symbol rtc_symbols[] = {
#define X(name) {#name, offsetof(struct rtc, name), 0},
  RTC_CALLS(X)
#undef X
#define X(name) {#name, offsetof(struct rtc, name), 1},
  HIPCUDA_RTC_CALLS(X)
#undef X
};

/* Newest first: a machine that has two has the newer one for a reason. */
static const char *const hip_names[] = {"libamdhip64.so.7", "libamdhip64.so.6",
                                        "libamdhip64.so.5", NULL};
static const char *const rtc_names[] = {"libhiprtc.so.7", "libhiprtc.so.6",
                                        "libamdhip64.so.5", NULL};

static int load(void *library, const struct symbol *s, size_t n, void *table,
                const char *path, struct err *e)
{
  for (size_t i = 0; i < n; i++) {
    void *at = dlsym(library, s[i].name);
    if (!at && !s[i].optional)
      return err_set(e, ERR_FAILED, "%s: has no %s; is it a HIP library of "
                     "ROCm 5 or newer?", path ? path : "the HIP library",
                     s[i].name);
    memcpy((char *)table + s[i].offset, &at, sizeof at);
  }
  return 0;
}

static void *open_at(const char *path, const char *const *names,
                     struct err *e)
{
  if (!path)
    return rocm_open(names, e);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    err_set(e, ERR_FAILED, "%s", dlerror());
  return library;
}

void hip_beside(const char *variable, const char *name, char out[PATH_MAX])
{
  const char *given = variable ? getenv(variable) : NULL;
  if (given && *given) {
    snprintf(out, PATH_MAX, "%s", given);
    return;
  }
  ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - BESIDE);
  out[n > 0 ? n : 0] = 0;
  char *slash = strrchr(out, '/'), *to = slash ? slash + 1 : out;
  snprintf(to, BESIDE, "%s", name);
  if (access(out, R_OK) != 0) /* installed, not where it was built */
    snprintf(to, BESIDE, "%s/%s", PRIVATE_LIBRARIES, name);
}

int hip_open(struct hip *h, const char *path, struct err *e)
{
  struct err why = {0};
  *h = (struct hip){.library = open_at(path, hip_names, &why)};
  if (!h->library)
    return err_set(e, ERR_FAILED, "cannot load %s: %s%s%s", path ? path
                   : "a HIP runtime", why.text, path ? "" : "; ", path ? ""
                   : ROCM_INSTALL);
  return load(h->library, hip_symbols,
              sizeof hip_symbols / sizeof *hip_symbols, h, path, e);
}

int rtc_open(struct rtc *r, const char *path, struct err *e)
{
  struct err why = {0};
  *r = (struct rtc){.library = open_at(path, rtc_names, &why)};
  if (!r->library)
    return err_set(e, ERR_FAILED, "cannot load the compiler hiprtc: %s%s%s",
                   why.text, path ? "" : "; ", path ? "" : ROCM_INSTALL);
  return load(r->library, rtc_symbols,
              sizeof rtc_symbols / sizeof *rtc_symbols, r, path, e);
}

void hip_version(const struct hip *h, char *out, size_t room)
{
  int v = 0;
  if (h->hipcudaRuntime) {
    h->hipcudaRuntime(out, room);
    return;
  }
  h->hipRuntimeGetVersion(&v);
  snprintf(out, room, "%d.%d.%d%s%s", v / 10000000, v / 100000 % 100,
           v % 100000, h->hipsimVersion ? "-" : "",
           h->hipsimVersion ? h->hipsimVersion() : "");
}

void hip_file(void *library, const char *function, char out[PATH_MAX])
{
  rocm_file(dlsym(library, function), out);
}

void hip_paths(struct rocm_paths *out)
{
  rocm_paths(out, ROCM_OPT, hip_names);
}

void rtc_paths(struct rocm_paths *out)
{
  rocm_paths(out, ROCM_OPT, rtc_names);
}

/* hip.c - see hip.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/hip.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
                     "ROCm 5 or newer?", path, s[i].name);
    memcpy((char *)table + s[i].offset, &at, sizeof at);
  }
  return 0;
}

static void *open_first(const char *path, const char *const *names,
                        const char **found)
{
  const char *given[] = {path, NULL};
  for (const char *const *at = path ? given : names; *at; at++) {
    void *library = dlopen(*at, RTLD_NOW | RTLD_LOCAL);
    *found = *at;
    if (library)
      return library;
  }
  return NULL;
}

void hip_beside(const char *variable, const char *name, char out[PATH_MAX])
{
  const char *given = variable ? getenv(variable) : NULL;
  if (given && *given) {
    snprintf(out, PATH_MAX, "%s", given);
    return;
  }
  ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 32);
  out[n > 0 ? n : 0] = 0;
  char *slash = strrchr(out, '/');
  snprintf(slash ? slash + 1 : out, 32, "%s", name);
}

int hip_open(struct hip *h, const char *path, struct err *e)
{
  const char *found = NULL;
  *h = (struct hip){.library = open_first(path, hip_names, &found)};
  if (!h->library)
    return err_set(e, ERR_FAILED, "cannot load %s: %s%s", path ? path
                   : "a HIP runtime", dlerror(), path ? ""
                   : "; install the package libamdhip64-5");
  return load(h->library, hip_symbols,
              sizeof hip_symbols / sizeof *hip_symbols, h, found, e);
}

int rtc_open(struct rtc *r, const char *path, struct err *e)
{
  const char *found = NULL;
  *r = (struct rtc){.library = open_first(path, rtc_names, &found)};
  if (!r->library)
    return err_set(e, ERR_FAILED, "cannot load the compiler hiprtc: %s%s",
                   dlerror(), path ? ""
                   : "; install the package libamdhip64-5");
  return load(r->library, rtc_symbols,
              sizeof rtc_symbols / sizeof *rtc_symbols, r, found, e);
}

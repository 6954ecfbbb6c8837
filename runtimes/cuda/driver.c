/* driver.c - loading libcuda and libnvrtc; see driver.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof array / sizeof *array)

struct symbol {
  const char *name;
  size_t offset; /* of the pointer in the table */
};

static const struct symbol driver_symbols[] = {
#define X(name, ...) {#name, offsetof(struct driver, name)},
    DRIVER_CALLS(X)
#undef X
};

static const struct symbol nvrtc_symbols[] = {
#define X(name, ...) {#name, offsetof(struct nvrtc, name)},
    NVRTC_CALLS(X)
#undef X
};

/* Newest first. The last is where NVIDIA's own packages put it, which the
 * linker does not search by itself. */
static const char *const driver_names[] = {"libcuda.so.1", NULL};
static const char *const nvrtc_names[] = {
    "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so",
    NULL};

/* The libraries are the process's, as with any other linked library. */
static struct {
  pthread_once_t once;
  int loaded;
  CUresult result;
  struct driver calls;
} driver = {.once = PTHREAD_ONCE_INIT};

static struct {
  pthread_once_t once;
  int loaded;
  const char *path;
  struct nvrtc calls;
} nvrtc = {.once = PTHREAD_ONCE_INIT};

static int fill(void *library, const struct symbol *s, size_t n, void *table)
{
  for (size_t i = 0; i < n; i++) {
    void *at = dlsym(library, s[i].name);
    if (!at)
      return 0;
    memcpy((char *)table + s[i].offset, &at, sizeof at);
  }
  return 1;
}

/* The first library that is there and has all that we need. */
static const char *load(const char *given, const char *const *names,
                        const struct symbol *s, size_t n, void *table)
{
  const char *only[] = {given, NULL};
  for (const char *const *at = given && *given ? only : names; *at; at++) {
    void *library = dlopen(*at, RTLD_NOW | RTLD_LOCAL);
    if (library && fill(library, s, n, table))
      return *at;
    if (library)
      dlclose(library);
  }
  return NULL;
}

static void load_driver(void)
{
  driver.loaded = load(getenv("HIPCUDA_DRIVER"), driver_names, driver_symbols,
                       LENGTH(driver_symbols), &driver.calls) != NULL;
  driver.result = driver.loaded ? driver.calls.cuInit(0)
                                : CU_SHARED_OBJECT_INIT_FAILED;
}

static void load_nvrtc(void)
{
  nvrtc.path = load(getenv("HIPCUDA_NVRTC"), nvrtc_names, nvrtc_symbols,
                    LENGTH(nvrtc_symbols), &nvrtc.calls);
  nvrtc.loaded = nvrtc.path != NULL;
}

const struct driver *driver_open(CUresult *why)
{
  pthread_once(&driver.once, load_driver);
  if (why)
    *why = driver.result;
  return driver.result == CU_SUCCESS ? &driver.calls : NULL;
}

const struct nvrtc *nvrtc_open(const char **path)
{
  pthread_once(&nvrtc.once, load_nvrtc);
  if (path)
    *path = nvrtc.path;
  return nvrtc.loaded ? &nvrtc.calls : NULL;
}

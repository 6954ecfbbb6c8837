/* library.c - rocBLAS and HIP among the loaded libraries. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ship/rocblas/mode.h"

struct name {
  const char *name;
  size_t offset;
};

static const struct name library_names[] = {
#define X(name, arguments, names) {#name, offsetof(struct library, name)},
    PRODUCT_CALLS(X)
#undef X
#define X(type, name, arguments) {#name, offsetof(struct library, name)},
    LIBRARY_CALLS(X)
#undef X
};

static const struct name runtime_names[] = {
#define X(type, name, arguments) {#name, offsetof(struct runtime, name)},
    RUNTIME_CALLS(X)
#undef X
};

enum {
  LIBRARY_NAMES = sizeof library_names / sizeof *library_names,
  RUNTIME_NAMES = sizeof runtime_names / sizeof *runtime_names,
  RELAXED = 2, /* hipStreamCaptureModeRelaxed */
};

static struct library library;
static struct runtime runtime;
static int ready; /* both are complete; atomic */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *symbol(void *from, const char *name)
{
  return dlsym(from, name);
}

/* --- rocBLAS ------------------------------------------------------------- */

/* The path of the loaded library whose file begins with librocblas.so. */
static int is_rocblas(struct dl_phdr_info *info, size_t size, void *out)
{
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *file = slash ? slash + 1 : info->dlpi_name;
  (void)size;
  if (strncmp(file, "librocblas.so", strlen("librocblas.so")) != 0)
    return 0;
  snprintf(out, PATH_MAX, "%s", info->dlpi_name);
  return 1;
}

/* rocBLAS as dlsym() takes it, or NULL where none is loaded. */
static void *find_library(void)
{
  char path[PATH_MAX];
  if (symbol(RTLD_NEXT, "rocblas_sgemm"))
    return RTLD_NEXT;
  return dl_iterate_phdr(is_rocblas, path) ? dlopen(path, RTLD_NOW | RTLD_NOLOAD)
                                           : NULL;
}

static void find_all(void *from, const struct name *names, size_t n, void *into)
{
  for (size_t i = 0; i < n; i++) {
    void *at = symbol(from, names[i].name);
    memcpy((char *)into + names[i].offset, &at, sizeof at);
  }
}

/* --- HIP ----------------------------------------------------------------- */

/* The library that rocBLAS's own calls of HIP end in is among what rocBLAS was
 * linked to, unless everybody sees one. */
static void *find_runtime(void *rocblas)
{
  Dl_info info;
  if (symbol(RTLD_DEFAULT, "hipModuleLaunchKernel"))
    return RTLD_DEFAULT;
  if (rocblas == RTLD_NEXT && dladdr((void *)library.rocblas_sgemm, &info))
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  return rocblas;
}

/* ROCm 6 changed the struct and gave the function another name; 5 has the
 * older one alone. The offsets are those of gcnArchName in
 * hip/hip_runtime_api.h of 6.0 and 5.2. */
static void find_properties(void *from)
{
  static const struct {
    const char *name;
    size_t arch_at;
  } either[] = {{"hipGetDevicePropertiesR0600", 1160},
                {"hipGetDeviceProperties", 396}};
  for (size_t i = 0; i < 2 && !runtime.properties; i++) {
    void *at = symbol(from, either[i].name);
    memcpy(&runtime.properties, &at, sizeof at);
    runtime.arch_at = either[i].arch_at;
  }
}

static void find_stream_device(void *from)
{
  void *at = symbol(from, "hipStreamGetDevice");
  memcpy(&runtime.hipStreamGetDevice, &at, sizeof at);
}

static const char *first_missing(void)
{
  for (size_t i = 0; i < RUNTIME_NAMES; i++) {
    void *at;
    memcpy(&at, (char *)&runtime + runtime_names[i].offset, sizeof at);
    if (!at)
      return runtime_names[i].name;
  }
  if (!runtime.properties)
    return "hipGetDeviceProperties";
  if (!library.rocblas_get_stream || !library.rocblas_get_pointer_mode ||
      !library.rocblas_is_device_memory_size_query)
    return "rocblas_get_stream";
  return NULL;
}

/* Once: what is missing may still come with a library that is loaded later. */
static void say_missing(void)
{
  static int said;
  if (runtime.missing && !said++)
    mode_say("%s is in none of the loaded libraries; products go to rocBLAS",
             runtime.missing);
}

static void find(void)
{
  void *rocblas = find_library();
  if (!rocblas)
    return;
  find_all(rocblas, library_names, LIBRARY_NAMES, &library);
  void *hip = find_runtime(rocblas);
  find_all(hip, runtime_names, RUNTIME_NAMES, &runtime);
  find_properties(hip);
  find_stream_device(hip);
  runtime.missing = first_missing();
  say_missing();
  __atomic_store_n(&ready, runtime.missing == NULL, __ATOMIC_RELEASE);
}

static void find_once(void)
{
  if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
    return;
  pthread_mutex_lock(&lock);
  if (!ready) {
    runtime.missing = "rocblas_sgemm";
    find();
  }
  pthread_mutex_unlock(&lock);
}

const struct library *library_get(void)
{
  find_once();
  return &library;
}

const struct runtime *runtime_get(void)
{
  find_once();
  return &runtime;
}

void runtime_forget_error(const struct runtime *r)
{
  (void)r->hipGetLastError();
}

int runtime_relax(const struct runtime *r)
{
  int mode = RELAXED;
  return r->hipThreadExchangeStreamCaptureMode(&mode) ? -1 : mode;
}

void runtime_restore(const struct runtime *r, int mode)
{
  if (mode >= 0)
    (void)r->hipThreadExchangeStreamCaptureMode(&mode);
}

/* --- the files beside it ------------------------------------------------- */

static int any(const char *pattern)
{
  glob_t found;
  int none = glob(pattern, 0, NULL, &found);
  if (!none)
    globfree(&found);
  return !none;
}

int library_has_kernels(const char *arch)
{
  /* of AMD's and Debian's packages, from the folder of librocblas.so */
  static const char *const folders[] = {"rocblas/library", "rocblas/*/library",
                                        "rocblas/*"};
  const char *given = getenv("ROCBLAS_TENSILE_LIBPATH");
  char pattern[2 * PATH_MAX];
  Dl_info info;
  if (given && *given) {
    snprintf(pattern, sizeof pattern, "%s/*%s*", given, arch);
    return any(pattern);
  }
  if (!library_get()->rocblas_sgemm ||
      !dladdr((void *)library.rocblas_sgemm, &info))
    return 0;
  const char *slash = strrchr(info.dli_fname, '/');
  int n = slash ? (int)(slash - info.dli_fname) : 0;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(pattern, sizeof pattern, "%.*s/%s/*%s*", n, info.dli_fname,
             folders[i], arch);
    if (any(pattern))
      return 1;
  }
  return 0;
}

/* device_probe.c - finding devices: see device.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tuner/cache.h"
#include "tuner/device.h"
#include "tuner/hip.h"
#include "tuner/message.h"
#include "tuner/worker.h"

/* Seconds. The first call into a real runtime initialises the driver. */
enum { PROBE_LIMIT = 30, COMPILE_LIMIT = 60 };

static const char probe_text[] =
    "extern \"C\" __attribute__((global)) void probe(int *out)\n"
    "{\n"
    "  *out = 1906;\n"
    "}\n";

enum { PROBE_ANSWER = 1906 };

/* --- in the child: one runtime ------------------------------------------- */

struct runtime {
  const char *path; /* NULL: the usual names */
  const struct str *code;
};

/* The strongest test of an arch: does its code run and do what it says? */
static int runs(const struct hip *h, const struct str *code)
{
  hipModule_t module;
  hipFunction_t function;
  void *out = NULL;
  int answer = 0;
  if (h->hipModuleLoadData(&module, code->at) != hipSuccess)
    return 0;
  void *args[] = {&out};
  int ran =
      h->hipModuleGetFunction(&function, module, "probe") == hipSuccess
      && h->hipMalloc(&out, sizeof answer) == hipSuccess
      && h->hipMemset(out, 0, sizeof answer) == hipSuccess
      && h->hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, args,
                                  NULL) == hipSuccess
      && h->hipDeviceSynchronize() == hipSuccess
      && h->hipMemcpy(&answer, out, sizeof answer, hipMemcpyDeviceToHost)
             == hipSuccess;
  if (out)
    h->hipFree(out);
  h->hipModuleUnload(module);
  return ran && answer == PROBE_ANSWER;
}

static int look_at(const struct hip *h, int index, const struct str *code,
                   struct str *reply)
{
  char name[128] = "";
  int cus = 0;
  size_t memory = 0;
  if (h->hipSetDevice(index) != hipSuccess
      || h->hipDeviceGetName(name, sizeof name, index) != hipSuccess
      || h->hipDeviceGetAttribute(&cus, hipDeviceAttributeMultiprocessorCount,
                                  index) != hipSuccess
      || h->hipDeviceTotalMem(&memory, index) != hipSuccess)
    return 0;
  pack_u64(reply, (uint64_t)index);
  pack_text(reply, name[0] ? name : "AMD GPU");
  pack_u64(reply, (uint64_t)cus);
  pack_u64(reply, memory);
  pack_u64(reply, code && runs(h, code));
  return 1;
}

/* "5.2.21153": HIP packs its version as major * 10^7 + minor * 10^5 + patch. */
static void runtime_version(const struct hip *h, char *out, size_t room)
{
  int v = 0;
  h->hipRuntimeGetVersion(&v);
  snprintf(out, room, "%d.%d.%d", v / 10000000, v / 100000 % 100, v % 100000);
}

/* Reply: error text, or "", modelled, version, count, devices. */
static void list_runtime(const struct runtime *r, struct str *reply)
{
  struct hip h;
  struct err e = {0};
  struct str list = {0};
  char version[64];
  int n = 0;
  uint64_t found = 0;
  hipError_t rc = hipSuccess;
  if (!hip_open(&h, r->path, &e)) {
    rc = h.hipInit(0);
    if (rc == hipSuccess)
      rc = h.hipGetDeviceCount(&n);
    if (rc != hipSuccess)
      err_set(&e, ERR_FAILED, "none found (%s)", h.hipGetErrorString(rc));
  }
  pack_text(reply, e.text);
  if (e.code)
    return;
  for (int i = 0; i < n; i++)
    found += (uint64_t)look_at(&h, i, r->code, &list);
  runtime_version(&h, version, sizeof version);
  pack_u64(reply, h.hipsimReport != NULL);
  pack_text(reply, version);
  pack_u64(reply, found);
  str_add_bytes(reply, list.at, list.len);
  str_free(&list);
}

static void runtime_body(int fd, void *user)
{
  struct str message = {0};
  if (!message_read(fd, &message))
    return;
  str_clear(&message);
  list_runtime(user, &message);
  message_write(fd, &message);
}

/* --- in the coordinator -------------------------------------------------- */

/* A modelled time depends on the model, so its version is the library's. */
static void model_version(const char *path, char *version, size_t room)
{
  struct str bytes = {0};
  char hash[HASH_TEXT];
  if (file_read(path, 64 << 20, &bytes, NULL) == 0) {
    hash_hex(bytes.at, bytes.len, hash);
    size_t n = strlen(version);
    snprintf(version + n, room - n, "-%.12s", hash);
  }
  str_free(&bytes);
}

static void take_devices(struct devices *d, const struct runtime *r,
                         struct unpack *in)
{
  int modelled = (int)unpack_u64(in);
  char version[64];
  snprintf(version, sizeof version, "%s", unpack_text(in));
  if (modelled && r->path)
    model_version(r->path, version, sizeof version);
  for (uint64_t n = unpack_u64(in); n > 0 && d->n < DEVICES; n--) {
    struct device *at = &d->list[d->n];
    *at = (struct device){.modelled = modelled};
    at->index = (int)unpack_u64(in);
    snprintf(at->name, sizeof at->name, "%s", unpack_text(in));
    at->cus = (int)unpack_u64(in);
    at->memory = (double)unpack_u64(in);
    at->fits = (int)unpack_u64(in);
    snprintf(at->library, sizeof at->library, "%s", r->path ? r->path : "");
    snprintf(at->runtime, sizeof at->runtime, "%s", version);
    if (in->bad)
      return;
    d->n++;
  }
}

static void probe(struct devices *d, const struct runtime *r,
                  const char *what)
{
  struct str request = {0}, reply = {0};
  struct err e = {0};
  size_t before = d->n;
  if (!worker_ask(runtime_body, (void *)r, &request, PROBE_LIMIT, &reply,
                  &e)) {
    struct unpack in = unpack_from(&reply);
    err_set(&e, 0, "%s", unpack_text(&in));
    if (!e.text[0])
      take_devices(d, r, &in);
    if (in.bad)
      err_set(&e, 0, "it answered rubbish");
  }
  if (d->n == before)
    str_addf(&d->notes, "%s: %s\n", what, e.text[0] ? e.text : "none found");
  str_free(&reply);
}

/* $TUNE_RUNTIME, or libhipsim.so beside the program. */
static void simulator_path(char path[PATH_MAX])
{
  const char *given = getenv("TUNE_RUNTIME");
  if (given && *given) {
    snprintf(path, PATH_MAX, "%s", given);
    return;
  }
  ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 16);
  path[n > 0 ? n : 0] = 0;
  char *slash = strrchr(path, '/');
  strcpy(slash ? slash + 1 : path, "libhipsim.so");
}

void devices_find(struct devices *out, const struct str *code)
{
  char simulator[PATH_MAX];
  simulator_path(simulator);
  *out = (struct devices){0};
  probe(out, &(struct runtime){NULL, code}, "AMD GPU");
  probe(out, &(struct runtime){simulator, code}, "simulated device");
}

void devices_free(struct devices *d)
{
  str_free(&d->notes);
}

const char *device_source(const struct device *d)
{
  return d->modelled ? "modelled" : "measured";
}

/* --- choosing ------------------------------------------------------------ */

static const struct device *first(const struct devices *d, int modelled)
{
  for (size_t i = 0; i < d->n; i++)
    if (d->list[i].modelled == modelled && d->list[i].fits)
      return &d->list[i];
  return NULL;
}

static int choose_number(const struct devices *d, const char *wish,
                         const struct arch *a, const struct device **out,
                         struct err *e)
{
  char *end;
  long number = strtol(wish, &end, 10);
  if (*end || end == wish || number < 0)
    return err_set(e, ERR_USAGE, "--device %s: must be auto, sim or a number "
                   "of `tune list devices`", wish);
  for (size_t i = 0; i < d->n; i++)
    if (!d->list[i].modelled && d->list[i].index == number) {
      *out = &d->list[i];
      return (*out)->fits ? 0 : err_set(e, ERR_FAILED, "device %ld (%s) does "
                                        "not run code for %s", number,
                                        (*out)->name, arch_name(a));
    }
  return err_set(e, ERR_FAILED, "there is no device %ld; `tune list devices` "
                 "shows what there is", number);
}

static int none(const struct devices *d, const char *what,
                const struct arch *a, struct err *e)
{
  struct str seen = {0};
  for (size_t i = 0; i < d->n; i++)
    str_addf(&seen, "\n%s: does not run code for %s", d->list[i].name,
             arch_name(a));
  if (d->notes.len)
    str_addf(&seen, "\n%.*s", (int)d->notes.len - 1, d->notes.at);
  err_set(e, ERR_FAILED, "there is no %sdevice for %s%s", what, arch_name(a),
          str_text(&seen));
  str_free(&seen);
  return e->code;
}

int device_choose(const struct devices *d, const char *wish,
                  const struct arch *a, const struct device **out,
                  struct str *why, struct err *e)
{
  if (strcmp(wish, "sim") == 0) {
    *out = first(d, 1);
    str_add(why, "asked for by --device sim");
    return *out ? 0 : none(d, "simulated ", a, e);
  }
  if (strcmp(wish, "auto") != 0) {
    str_addf(why, "asked for by --device %s", wish);
    return choose_number(d, wish, a, out, e);
  }
  *out = first(d, 0);
  if (*out) {
    str_addf(why, "a real %s is here", arch_name(a));
    return 0;
  }
  *out = first(d, 1);
  str_addf(why, "no real %s is here", arch_name(a));
  return *out ? 0 : none(d, "", a, e);
}

/* --- the compiler -------------------------------------------------------- */

/* Reply: error text, version, code. */
static void make_code(const struct arch *a, struct str *reply)
{
  struct rtc r;
  struct err e = {0};
  struct str code = {0}, log = {0}, options = {0}, folder = {0};
  char version[COMPILER_VERSION] = "", key[HASH_TEXT];
  if (!rtc_open(&r, NULL, &e) && !compiler_knows(&r, a, &e)) {
    compiler_version(&r, version);
    compiler_options(a, &options);
    cache_folder(&folder);
    cache_key(probe_text, options.at, version, key);
    if (!cache_take(folder.at, key, &code)
        && !compiler_run(&r, a, "probe.hip", probe_text, &code, &log, &e))
      cache_put(folder.at, key, &code);
  }
  pack_text(reply, e.text);
  pack_text(reply, version);
  pack_bytes(reply, code.at, code.len);
}

static void code_body(int fd, void *user)
{
  struct str message = {0};
  if (!message_read(fd, &message))
    return;
  str_clear(&message);
  make_code(user, &message);
  message_write(fd, &message);
}

int device_code(const struct arch *a, char version[COMPILER_VERSION],
                struct str *code, struct err *e)
{
  struct str request = {0}, reply = {0};
  int rc = worker_ask(code_body, (void *)a, &request, COMPILE_LIMIT, &reply,
                      e);
  if (rc) {
    str_free(&reply);
    return err_prefix(e, "compiling a trivial kernel for %s", arch_name(a));
  }
  struct unpack in = unpack_from(&reply);
  const char *text = unpack_text(&in);
  size_t n;
  snprintf(version, COMPILER_VERSION, "%s", unpack_text(&in));
  const void *bytes = unpack_bytes(&in, &n);
  if (text[0])
    rc = err_set(e, ERR_FAILED, "%s", text);
  else if (in.bad)
    rc = err_set(e, ERR_FAILED, "the compiler's process answered rubbish");
  else
    str_add_bytes(code, bytes, n);
  str_free(&reply);
  return rc;
}

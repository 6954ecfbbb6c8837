/* device_find.c - finding devices: see device.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tuner/device/device.h"
#include "tuner/device/hip.h"
#include "tuner/device/message.h"
#include "tuner/device/health.h"
#include "tuner/device/turn.h"
#include "tuner/device/worker.h"

/* Seconds. The first call into a real runtime initialises the driver. */
enum {FIND_LIMIT = 30};

/* --- in the child: one runtime ------------------------------------------- */

struct runtime {
  const char *path; /* NULL: the usual names */
  const struct arch *arch; /* that a simulated device is to be; NULL: any */
  const struct str *code;
  double until;
  int fd; /* of the child, to its parent */
};

static int attribute(const struct hip *h, int index, hipDeviceAttribute_t id)
{
  int value = 0;
  return h->hipDeviceGetAttribute(&value, id, index) == hipSuccess ? value : 0;
}

/* The arch's name, where an attribute that all versions share says it. */
static void arch_of(const struct hip *h, int index, char *out, size_t room)
{
  struct hipsim_device sim = {.size = sizeof sim};
  if (h->hipsimDevice && h->hipsimDevice(&sim) == hipSuccess) {
    snprintf(out, room, "%s", sim.arch);
    return;
  }
  int major = attribute(h, index, hipDeviceAttributeComputeCapabilityMajor);
  int minor = attribute(h, index, hipDeviceAttributeComputeCapabilityMinor);
  int gcn = attribute(h, index, hipDeviceAttributeGcnArch);
  out[0] = 0;
  if (h->hipcudaRuntime && major)
    snprintf(out, room, "sm_%d%d", major, minor);
  else if (gcn)
    snprintf(out, room, "gfx%d", gcn);
}

static void pack_speeds(const struct hip *h, int index, struct str *reply)
{
  static const hipDeviceAttribute_t ids[] = {
      hipDeviceAttributeClockRate, hipDeviceAttributeL2CacheSize,
      hipDeviceAttributeMemoryClockRate, hipDeviceAttributeMemoryBusWidth};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    pack_u64(reply, (uint64_t)attribute(h, index, ids[i]));
}

static void waits(void *user)
{
  const struct runtime *r = user;
  if (!clock_past(r->until))
    worker_waits(r->fd);
}

/* The strongest test of an arch: its code runs and does what it says. */
static int runs_code(const struct hip *h, const struct runtime *r,
                     const char *bus_id)
{
  struct device d = {.modelled = h->hipsimReport != NULL};
  struct err e = {0};
  if (!r->code)
    return 0;
  snprintf(d.bus_id, sizeof d.bus_id, "%s", bus_id);
  struct turn turn = turn_open(&d);
  int fits = !turn_take(&turn, waits, (void *)r, &e) &&
             !health_once(h, r->code, NULL);
  turn_close(&turn); /* which gives it back */
  return fits;
}

static int look_at(const struct hip *h, int index, const struct runtime *r,
                   struct str *reply)
{
  char name[128] = "", arch[32], bus_id[32] = "";
  int cus = 0;
  size_t memory = 0;
  if (h->hipSetDevice(index) != hipSuccess ||
      h->hipDeviceGetName(name, sizeof name, index) != hipSuccess ||
      h->hipDeviceGetAttribute(&cus, hipDeviceAttributeMultiprocessorCount,
                               index) != hipSuccess ||
      h->hipDeviceTotalMem(&memory, index) != hipSuccess)
    return 0;
  pack_u64(reply, (uint64_t)index);
  arch_of(h, index, arch, sizeof arch);
  if (h->hipDeviceGetPCIBusId(bus_id, sizeof bus_id, index) != hipSuccess)
    bus_id[0] = 0;
  pack_text(reply, name[0] ? name : "AMD GPU");
  pack_text(reply, arch);
  pack_u64(reply, (uint64_t)cus);
  pack_u64(reply, memory);
  pack_speeds(h, index, reply);
  pack_text(reply, bus_id);
  pack_u64(reply, (uint64_t)runs_code(h, r, bus_id));
  return 1;
}

static int is_timed(const struct hip *h)
{
  struct hipsim_device sim = {.size = sizeof sim};
  return !h->hipsimDevice || h->hipsimDevice(&sim) != hipSuccess || sim.timed;
}

static const char *reason(const struct hip *h, hipError_t rc)
{
  const char *said = h->hipsimError ? h->hipsimError() : "";
  return *said ? said : h->hipGetErrorString(rc);
}

/* Reply: error text, or "", modelled, timed, version, count, devices. */
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
    if (h.hipsimArch && r->arch)
      h.hipsimArch(arch_name(r->arch));
    rc = h.hipInit(0);
    if (rc == hipSuccess)
      rc = h.hipGetDeviceCount(&n);
    if (rc != hipSuccess)
      err_set(&e, ERR_FAILED, "none found (%s)", reason(&h, rc));
  }
  pack_text(reply, e.text);
  if (e.code)
    return;
  for (int i = 0; i < n; i++)
    found += (uint64_t)look_at(&h, i, r, &list);
  hip_version(&h, version, sizeof version);
  pack_u64(reply, h.hipsimReport != NULL);
  pack_u64(reply, (uint64_t)is_timed(&h));
  pack_text(reply, version);
  pack_u64(reply, found);
  str_add_bytes(reply, list.at, list.len);
  str_free(&list);
}

static void runtime_body(int fd, void *user)
{
  struct runtime r = *(const struct runtime *)user;
  struct str message = {0};
  if (!message_read(fd, &message))
    return;
  str_clear(&message);
  r.fd = fd;
  list_runtime(&r, &message);
  message_write(fd, &message);
}

/* --- in the coordinator -------------------------------------------------- */

static void take_devices(struct devices *d, const struct runtime *r,
                         struct unpack *in)
{
  int modelled = (int)unpack_u64(in), timed = (int)unpack_u64(in);
  char version[64];
  snprintf(version, sizeof version, "%s", unpack_text(in));
  for (uint64_t n = unpack_u64(in); n > 0 && d->n < DEVICES; n--) {
    struct device *at = &d->list[d->n];
    *at = (struct device){.modelled = modelled, .counted = !timed, .number = -1};
    at->index = (int)unpack_u64(in);
    snprintf(at->name, sizeof at->name, "%s", unpack_text(in));
    snprintf(at->arch, sizeof at->arch, "%s", unpack_text(in));
    at->cus = (int)unpack_u64(in);
    at->memory = (double)unpack_u64(in);
    at->clock_mhz = (double)unpack_u64(in) / 1000; /* HIP says kHz */
    at->l2_bytes = (double)unpack_u64(in);
    at->memory_mhz = (double)unpack_u64(in) / 1000;
    at->bus_bits = (double)unpack_u64(in);
    snprintf(at->bus_id, sizeof at->bus_id, "%s", unpack_text(in));
    at->fits = (int)unpack_u64(in);
    snprintf(at->library, sizeof at->library, "%s", r->path ? r->path : "");
    snprintf(at->runtime, sizeof at->runtime, "%s", version);
    if (in->bad)
      return;
    d->n++;
  }
}

static void find_in(struct devices *d, const struct runtime *r,
                    const char *what)
{
  struct str request = {0}, reply = {0};
  struct err e = {0};
  size_t before = d->n;
  if (!worker_ask(runtime_body, (void *)r, &request,
                  clock_limit(r->until, FIND_LIMIT), &reply, &e)) {
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

/* Real devices have the numbers that --device takes, in this order. */
static void number(struct devices *d)
{
  int next = 0;
  for (size_t i = 0; i < d->n; i++)
    if (!d->list[i].modelled)
      d->list[i].number = next++;
}

/* A card of each arch that the simulated device can be. */
static void find_simulated(struct devices *d, const char *path, double until)
{
  const struct arch *a;
  struct str notes = d->notes;
  for (size_t i = 0; (a = arch_at(i)); i++) {
    d->notes = (struct str){0};
    find_in(d, &(struct runtime){path, a, NULL, until, -1}, "simulated device");
    str_free(&d->notes);
  }
  d->notes = notes;
}

void devices_find(struct devices *out, const struct arch *a,
                  const struct str *code, double until)
{
  char simulator[PATH_MAX], cuda[PATH_MAX];
  hip_beside("TUNE_RUNTIME", "libhipsim.so", simulator);
  hip_beside(NULL, "libhipcuda.so", cuda);
  *out = (struct devices){0};
  find_in(out, &(struct runtime){NULL, a, code, until, -1}, "AMD GPU");
  find_in(out, &(struct runtime){cuda, a, code, until, -1}, "NVIDIA GPU");
  if (a)
    find_in(out, &(struct runtime){simulator, a, code, until, -1},
            "simulated device");
  else
    find_simulated(out, simulator, until);
  number(out);
}

void devices_free(struct devices *d)
{
  str_free(&d->notes);
}

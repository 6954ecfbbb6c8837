/* card_nvml.c - a card by NVIDIA's library NVML, where a driver has it.
 *
 * Its functions and numbers are declared here, so that building needs no CUDA;
 * they are part of the ABI (docs.nvidia.com, NVML API reference). A function
 * that this version of the library lacks, or the card does not support, leaves
 * its value unknown.
 */
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/conditions/card.h"

typedef struct nvmlDevice_st *nvmlDevice;

enum {NVML_SUCCESS = 0};
enum {CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0};
enum {VERSION = 96}; /* bytes of a text; the longest needs 80 */

/* X(name, parameters...); all return 0, or a number that says why not. */
#define NEEDED_CALLS(X) \
  X(nvmlInit_v2, void) \
  X(nvmlShutdown, void) \
  X(nvmlDeviceGetHandleByPciBusId_v2, const char *bus_id, nvmlDevice *device)

/* Reasons have the new name since driver 535. */
#define OTHER_CALLS(X) \
  X(nvmlDeviceGetClockInfo, nvmlDevice device, int type, unsigned *mhz) \
  X(nvmlDeviceGetPowerUsage, nvmlDevice device, unsigned *milliwatts) \
  X(nvmlDeviceGetTemperature, nvmlDevice device, int sensor, unsigned *degrees) \
  X(nvmlDeviceGetCurrentClocksEventReasons, nvmlDevice device, \
    unsigned long long *reasons) \
  X(nvmlDeviceGetCurrentClocksThrottleReasons, nvmlDevice device, \
    unsigned long long *reasons) \
  X(nvmlSystemGetDriverVersion, char *text, unsigned room) \
  X(nvmlDeviceGetVbiosVersion, nvmlDevice device, char *text, unsigned room) \
  X(nvmlDeviceGetGspFirmwareVersion, nvmlDevice device, char *text)

struct nvml {
  void *library;
  nvmlDevice device;
#define X(name, ...) int (*name)(__VA_ARGS__);
  NEEDED_CALLS(X)
  OTHER_CALLS(X)
#undef X
};

/* Reasons that hold the clock down though there is work; the others are that
 * there is none, or what a user has set. */
static const struct {
  unsigned long long bits;
  enum throttle kind;
} reasons_known[] = {
    {0x04, THROTTLE_POWER},   /* software power cap */
    {0x80, THROTTLE_POWER},   /* power brake */
    {0x20, THROTTLE_THERMAL}, /* software thermal slowdown */
    {0x40, THROTTLE_THERMAL}, /* hardware thermal slowdown */
    {0x08, THROTTLE_OTHER},   /* hardware slowdown, of either */
};

/* --- a reading ------------------------------------------------------------ */

static double clock_of(const struct nvml *n, int type)
{
  unsigned mhz = 0;
  if (!n->nvmlDeviceGetClockInfo ||
      n->nvmlDeviceGetClockInfo(n->device, type, &mhz) != NVML_SUCCESS)
    return 0;
  return card_mhz(mhz);
}

static double power(const struct nvml *n)
{
  unsigned mw = 0;
  if (!n->nvmlDeviceGetPowerUsage ||
      n->nvmlDeviceGetPowerUsage(n->device, &mw) != NVML_SUCCESS)
    return 0;
  return card_watts(mw / 1e3);
}

static double temperature(const struct nvml *n)
{
  unsigned c = 0;
  if (!n->nvmlDeviceGetTemperature ||
      n->nvmlDeviceGetTemperature(n->device, TEMPERATURE_GPU, &c) !=
          NVML_SUCCESS)
    return 0;
  return card_celsius(c);
}

static int throttle(const struct nvml *n)
{
  unsigned long long reasons = 0;
  int (*ask)(nvmlDevice, unsigned long long *) =
      n->nvmlDeviceGetCurrentClocksEventReasons
          ? n->nvmlDeviceGetCurrentClocksEventReasons
          : n->nvmlDeviceGetCurrentClocksThrottleReasons;
  int out = 0;
  if (!ask || ask(n->device, &reasons) != NVML_SUCCESS)
    return -1;
  for (size_t i = 0; i < sizeof reasons_known / sizeof *reasons_known; i++)
    if (reasons & reasons_known[i].bits)
      out |= reasons_known[i].kind;
  /* a thermal or power slowdown by hardware sets the general bit, too */
  return out & ~THROTTLE_OTHER ? out & ~THROTTLE_OTHER : out;
}

static void nvml_read(struct card *c, struct reading *out)
{
  const struct nvml *n = c->state;
  *out = (struct reading){.sclk_mhz = clock_of(n, CLOCK_SM),
                          .mclk_mhz = clock_of(n, CLOCK_MEMORY),
                          .power_w = power(n),
                          .temp_c = temperature(n),
                          .throttle = throttle(n)};
}

/* --- versions ------------------------------------------------------------- */

static void add_version(int code, const char *text, const char *before,
                        struct str *out)
{
  if (code != NVML_SUCCESS || !*text)
    return;
  str_addf(out, "%s%s", out->len ? ", " : "", before);
  for (; *text; text++)
    if (isprint((unsigned char)*text))
      str_add_bytes(out, text, 1);
}

static void find_versions(const struct nvml *n, struct card *c)
{
  char text[VERSION] = "";
  int code = n->nvmlSystemGetDriverVersion
                 ? n->nvmlSystemGetDriverVersion(text, VERSION - 1) : -1;
  add_version(code, text, "nvidia ", &c->driver);
  memset(text, 0, sizeof text);
  code = n->nvmlDeviceGetVbiosVersion
             ? n->nvmlDeviceGetVbiosVersion(n->device, text, VERSION - 1) : -1;
  add_version(code, text, "vbios ", &c->firmware);
  memset(text, 0, sizeof text);
  code = n->nvmlDeviceGetGspFirmwareVersion
             ? n->nvmlDeviceGetGspFirmwareVersion(n->device, text) : -1;
  add_version(code, text, "gsp ", &c->firmware);
}

/* --- opening -------------------------------------------------------------- */

static int load(struct nvml *n, struct err *e)
{
  const char *given = getenv("TUNE_NVML");
  n->library = dlopen(given && *given ? given : "libnvidia-ml.so.1",
                      RTLD_NOW | RTLD_LOCAL);
  if (!n->library)
    return err_set(e, ERR_FAILED, "%s", dlerror());
#define X(name, ...) \
  *(void **)&n->name = dlsym(n->library, #name);
  NEEDED_CALLS(X)
  OTHER_CALLS(X)
#undef X
#define X(name, ...) \
  if (!n->name) \
    return err_set(e, ERR_FAILED, "the library has no " #name);
  NEEDED_CALLS(X)
#undef X
  return 0;
}

static int begin(struct nvml *n, const char *bus_id, struct err *e)
{
  int code = n->nvmlInit_v2();
  if (code != NVML_SUCCESS)
    return err_set(e, ERR_FAILED, "nvmlInit_v2 gave %d", code);
  code = n->nvmlDeviceGetHandleByPciBusId_v2(bus_id, &n->device);
  if (code == NVML_SUCCESS)
    return 0;
  n->nvmlShutdown();
  return err_set(e, ERR_FAILED, "it has no card %s (%d)", bus_id, code);
}

static int nvml_open(struct card *c, const char *bus_id, struct err *e)
{
  struct nvml *n = c->state = mem_alloc(sizeof *n);
  if (!load(n, e) && !begin(n, bus_id, e)) {
    find_versions(n, c);
    return 0;
  }
  if (n->library)
    dlclose(n->library);
  free(n);
  return ERR_FAILED;
}

static void nvml_close(struct card *c)
{
  struct nvml *n = c->state;
  n->nvmlShutdown();
  dlclose(n->library);
  free(n);
}

const struct card_source card_nvml = {"NVML", nvml_open, nvml_read,
                                      nvml_close};

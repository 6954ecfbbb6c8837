/* fake_nvml.c - stands in for libnvidia-ml: one card, whose state the file that
 * FAKE_NVML names has, a line of numbers, read anew at each question:
 *
 *   SM_MHZ MEMORY_MHZ MILLIWATTS DEGREES REASONS
 *
 * A number that is -1, or that the line lacks, is one that the card does not
 * support.
 */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tests/cuda/fake.h"

enum {SM, MEMORY, MILLIWATTS, DEGREES, REASONS, VALUES};
enum {INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, NOT_LOADED = 9};

static long value(int which)
{
  long v[VALUES] = {-1, -1, -1, -1, -1};
  const char *path = getenv("FAKE_NVML");
  FILE *file = path ? fopen(path, "r") : NULL;
  if (!file)
    return -1;
  for (int i = 0; i < VALUES && fscanf(file, "%ld", &v[i]) == 1;)
    i++;
  fclose(file);
  return v[which];
}

static int give(int which, unsigned *out)
{
  long v = value(which);
  if (v < 0)
    return NOT_SUPPORTED;
  *out = (unsigned)v;
  return 0;
}

int nvmlInit_v2(void)
{
  return getenv("FAKE_NVML_NONE") ? NOT_LOADED : 0;
}

int nvmlShutdown(void)
{
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id, void **device)
{
  static int card;
  *device = &card;
  return strcasecmp(bus_id, FAKE_BUS_ID) ? NOT_FOUND : 0;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
  (void)device;
  return type == 1 ? give(SM, mhz)
                   : type == 2 ? give(MEMORY, mhz) : INVALID_ARGUMENT;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
  (void)device;
  return give(MILLIWATTS, milliwatts);
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees)
{
  (void)device;
  return sensor ? INVALID_ARGUMENT : give(DEGREES, degrees);
}

/* It is of a driver before 535. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device,
                                              unsigned long long *reasons)
{
  unsigned v = 0;
  int code = give(REASONS, &v);
  (void)device;
  *reasons = v;
  return code;
}

int nvmlSystemGetDriverVersion(char *text, unsigned room)
{
  snprintf(text, room, "580.159.04");
  return 0;
}

int nvmlDeviceGetVbiosVersion(void *device, char *text, unsigned room)
{
  (void)device;
  snprintf(text, room, "96.00.A5.00.03");
  return 0;
}

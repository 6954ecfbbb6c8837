/* devices.c - stands in for a HIP runtime: so many devices of the runtime
 * that is linked below it, slow or stuck where the environment says so. Device i
 * has the PCI bus id 0000:XX:00.0, where XX is 10 + i in hexadecimal.
 *
 *   DEVICES=N            there are N devices (1)
 *   DEVICES_INIT=S       hipInit takes S seconds
 *   DEVICES_LAUNCH=US    each launch takes at least so long
 *   DEVICES_LOG=FILE     gets a line for each of these: its parent, when it
 *                        began and when it ended, in microseconds
 *   DEVICES_HANG=NAME    a launch of the kernel NAME never ends
 *   DEVICES_STUCK=1      neither does its process when it is killed, for
 *                        half a minute
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <fcntl.h>
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <time.h>
#include <unistd.h>

enum {STUCK = 30}; /* seconds */

static hipFunction_t hangs;

static double number(const char *name)
{
  const char *text = getenv(name);
  return text ? strtod(text, NULL) : 0;
}

static void take(double seconds)
{
  if (seconds > 0)
    usleep((useconds_t)(1e6 * seconds));
}

static int count(void)
{
  int n = (int)number("DEVICES");
  return n > 0 ? n : 1;
}

/* The call of the runtime below. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

hipError_t hipInit(unsigned flags)
{
  take(number("DEVICES_INIT"));
  return NEXT(hipInit)(flags);
}

hipError_t hipGetDeviceCount(int *n)
{
  *n = count();
  return hipSuccess;
}

hipError_t hipSetDevice(int index)
{
  if (index >= count())
    return hipErrorInvalidDevice;
  return NEXT(hipSetDevice)(0);
}

hipError_t hipDeviceGetName(char *name, int room, hipDevice_t index)
{
  (void)index;
  return NEXT(hipDeviceGetName)(name, room, 0);
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t which,
                                 int index)
{
  (void)index;
  return NEXT(hipDeviceGetAttribute)(value, which, 0);
}

hipError_t hipDeviceGetPCIBusId(char *out, int room, int index)
{
  snprintf(out, (size_t)room, "0000:%02X:00.0", 10 + index);
  return index < count() ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t index)
{
  (void)index;
  return NEXT(hipDeviceTotalMem)(bytes, 0);
}

/* Dead, but not to be reaped: who traces a process hears of its end first,
 * and this one does not listen. */
static void become_stuck(void)
{
  int ready[2];
  char byte;
  if (pipe(ready) != 0)
    return;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  if (fork() == 0) {
    if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) != 0)
      fputs("cannot be traced\n", stderr);
    close(ready[0]);
    close(ready[1]);
    sleep(STUCK);
    _exit(0);
  }
  close(ready[1]);
  (void)!read(ready[0], &byte, 1);
}

static void hang(void)
{
  if (getenv("DEVICES_STUCK"))
    become_stuck();
  for (;;)
    pause();
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                const char *name)
{
  const char *text = getenv("DEVICES_HANG");
  hipError_t rc = NEXT(hipModuleGetFunction)(function, module, name);
  if (rc == hipSuccess && text && !strcmp(name, text))
    hangs = *function;
  else if (rc == hipSuccess && *function == hangs)
    hangs = NULL;
  return rc;
}

static long long now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (long long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void write_down(long long began)
{
  const char *path = getenv("DEVICES_LOG");
  char line[80];
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (file < 0)
    return;
  int n = snprintf(line, sizeof line, "%ld %lld %lld\n", (long)getppid(), began,
                   now());
  (void)!write(file, line, (size_t)n);
  close(file);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy,
                                 unsigned gz, unsigned bx, unsigned by,
                                 unsigned bz, unsigned lds, hipStream_t stream,
                                 void **args, void **extra)
{
  if (f == hangs)
    hang();
  long long began = now();
  take(1e-6 * number("DEVICES_LAUNCH"));
  write_down(began);
  return NEXT(hipModuleLaunchKernel)(f, gx, gy, gz, bx, by, bz, lds, stream,
                                     args, extra);
}

/* device_code.c - the compiler, and code to try a device with: see device.h. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/device/cache.h"
#include "base/clock.h"
#include "tuner/device/device.h"
#include "tuner/device/hip.h"
#include "tuner/device/message.h"
#include "tuner/device/health.h"
#include "tuner/device/worker.h"

enum {COMPILE_LIMIT = 60}; /* seconds */

/* Reply: error text, version, code. */
static void make_code(const struct arch *a, struct str *reply)
{
  struct rtc r;
  struct err e = {0};
  struct str code = {0}, log = {0}, options = {0}, folder = {0};
  char version[COMPILER_VERSION] = "", key[HASH_TEXT];
  if (!compiler_open(&r, a, &e)) {
    compiler_version(&r, version);
    compiler_options(a, &options);
    cache_folder(&folder);
    cache_key(health_text, options.at, version, key);
    if (!cache_take(folder.at, key, &code) &&
        !compiler_run(&r, a, "health.hip", health_text, &code, &log, &e))
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
                struct str *code, double until, struct err *e)
{
  struct str request = {0}, reply = {0};
  int rc = worker_ask(code_body, (void *)a, &request,
                      clock_limit(until, COMPILE_LIMIT), &reply, e);
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

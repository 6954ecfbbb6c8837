/* against.c - see against.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/against.h"

#include "base/status.h"
#include "tuner/device/cache.h"
#include "tuner/device/compile_worker.h"
#include "tuner/device/device_worker.h"
#include "tuner/device/rival.h"
#include "tuner/device/worker.h"
#include "tuner/session/winner.h"

static struct device_job device_job(const struct task *k,
                                    const struct target *t)
{
  const struct options *r = k->options;
  return (struct device_job){.family = k->family, .problem = &k->problem,
                             .arch = k->arch, .device = t->device,
                             .seed = (uint64_t)r->seed,
                             .precision = r->precision, .hot = r->hot,
                             .timeout = r->timeout, .against = r->against};
}

/* One request to a worker that has the library; *out is the caller's. */
static int ask(const struct task *k, const struct target *t,
               const struct str *request, struct record **out, struct err *e)
{
  struct device_job job = device_job(k, t);
  struct str reply = {0};
  int broken, code = worker_ask(device_worker, &job, request,
                                k->options->timeout, &reply, e);
  *out = NULL;
  if (!code && trial_reply(&reply, &broken, out))
    code = err_set(e, ERR_FAILED, "the device's worker answered rubbish");
  else if (!code && broken)
    code = err_set(e, ERR_FAILED, "%s", record_text(*out, "reason"));
  if (code) {
    record_free(*out);
    *out = NULL;
    err_prefix(e, "--against %s", k->options->against);
  }
  str_free(&reply);
  return code;
}

int against_check(const struct task *k, const struct target *t, struct err *e)
{
  struct config c = {0};
  struct plan plan;
  struct record *answer;
  struct str request = {0};
  space_first(k->space, &c);
  if (family_plan(k->family, &k->problem, &c, &plan, e) ||
      rival_can(k->options->against, k->family, &plan, k->arch, e))
    return e->code;
  open_request(&request);
  int code = ask(k, t, &request, &answer, e);
  record_free(answer);
  str_free(&request);
  return code;
}

/* The request, with the code of the configuration: from the cache. */
static int make_request(const struct task *k, const struct target *t,
                        const struct config *c, struct str *request,
                        struct err *e)
{
  struct str folder = {0}, reply = {0};
  struct compiled compiled;
  cache_folder(&folder);
  struct compile_job job = {k->family, &k->problem, k->arch, t->compiler,
                            folder.at};
  compile_request(c, request);
  int code = worker_ask(compile_worker, &job, request, k->options->timeout,
                        &reply, e);
  if (!code && compile_reply(&reply, &compiled))
    code = err_set(e, ERR_FAILED, "the compiler's worker answered rubbish");
  if (!code && compiled.status != STATUS_OK)
    code = err_set(e, ERR_FAILED, "%s", compiled.text);
  if (!code)
    rival_request(c, compiled.code, compiled.ncode, request);
  str_free(&folder);
  str_free(&reply);
  return code;
}

static void add_rates(const struct task *k, const struct config *c,
                      struct record *r)
{
  struct plan plan;
  const char *unit;
  double theirs = record_number(r, "time_us", 0);
  double ours = record_number(r, "ours_us", 0);
  if (!(theirs > 0 && ours > 0) ||
      family_plan(k->family, &k->problem, c, &plan, NULL))
    return;
  double rate = winner_rate(&plan, theirs, &unit);
  record_set(r, unit, "%.6g", rate);
  record_set(r, "ratio", "%.4f", theirs / ours);
}

int against_run(const struct task *k, const struct target *t,
                const struct record *row, struct record **out, struct err *e)
{
  struct config c = {0};
  struct str request = {0};
  *out = NULL;
  int code = config_parse(k->family, record_text(row, "config"), 0, &c, e);
  if (!code)
    code = make_request(k, t, &c, &request, e);
  if (!code)
    code = ask(k, t, &request, out, e);
  if (!code)
    add_rates(k, &c, *out);
  str_free(&request);
  return code;
}

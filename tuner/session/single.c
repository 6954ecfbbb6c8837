/* single.c - see single.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/single.h"

#include "tuner/device/cache.h"

int single_open(struct single *s, const struct task *k, const struct target *t,
                const char *against, struct err *e)
{
  *s = (struct single){.setup = session_setup(k, t)};
  cache_folder(&s->cache);
  s->compile = session_compile_job(&s->setup, s->cache.at);
  s->device = session_device_job(&s->setup, 0, &s->plain);
  s->device.against = against;
  return compile_plain(s->setup.family, compile_worker, &s->compile,
                       s->setup.timeout, &s->plain, e);
}

void single_close(struct single *s)
{
  str_free(&s->cache);
  str_free(&s->plain);
  *s = (struct single){0};
}

/* compiled points into *reply. */
static int compile(struct single *s, const struct config *c, struct str *reply,
                   struct compiled *compiled, struct err *e)
{
  struct str request = {0};
  compile_request(c, &request);
  int code = worker_ask(compile_worker, &s->compile, &request,
                        s->setup.timeout, reply, e);
  str_free(&request);
  if (!code && compile_reply(reply, compiled))
    code = err_set(e, ERR_FAILED, "the compiler's worker answered rubbish");
  if (!code && compiled->status != STATUS_OK)
    code = err_set(e, ERR_FAILED, "%s", compiled->text);
  return code;
}

static int ask_device(struct single *s, const struct str *request,
                      struct str *reply, struct err *e)
{
  return worker_ask(device_worker, &s->device, request, s->setup.timeout,
                    reply, e);
}

static int rubbish(struct err *e)
{
  return err_set(e, ERR_FAILED, "the device's worker answered rubbish");
}

typedef void make_request(const struct config *c, const void *code, size_t n,
                          struct str *request);

static int explain(struct single *s, const struct config *c,
                   make_request *make, struct explained *out, struct err *e)
{
  struct str request = {0}, built = {0}, reply = {0};
  struct compiled compiled;
  *out = (struct explained){0};
  int code = compile(s, c, &built, &compiled, e);
  if (!code) {
    make(c, compiled.code, compiled.ncode, &request);
    code = ask_device(s, &request, &reply, e);
  }
  if (!code && explain_reply(&reply, out))
    code = rubbish(e);
  if (!code && out->broken)
    code = err_set(e, ERR_FAILED, "%s", record_get(out->record, "reason"));
  str_free(&request);
  str_free(&built);
  str_free(&reply);
  return code;
}

int single_explain(struct single *s, const struct config *c,
                   struct explained *out, struct err *e)
{
  return explain(s, c, explain_request, out, e);
}

int single_explain_against(struct single *s, const struct config *c,
                           struct explained *out, struct err *e)
{
  return explain(s, c, rival_request, out, e);
}

/* A request whose reply is a trial's; *out is the caller's. */
static int ask_trial(struct single *s, const struct str *request,
                     struct record **out, struct err *e)
{
  struct str reply = {0};
  int broken = 0, code = ask_device(s, request, &reply, e);
  *out = NULL;
  if (!code && trial_reply(&reply, &broken, out))
    code = rubbish(e);
  else if (!code && broken)
    code = err_set(e, ERR_FAILED, "%s", record_text(*out, "reason"));
  if (code) {
    record_free(*out);
    *out = NULL;
  }
  str_free(&reply);
  return code;
}

int single_reach(struct single *s, struct err *e)
{
  struct str request = {0};
  struct record *answer;
  open_request(&request);
  int code = ask_trial(s, &request, &answer, e);
  record_free(answer);
  str_free(&request);
  return code;
}

int single_against(struct single *s, const struct config *c,
                   struct record **out, struct err *e)
{
  struct str request = {0}, built = {0};
  struct compiled compiled;
  *out = NULL;
  int code = compile(s, c, &built, &compiled, e);
  if (!code) {
    rival_request(c, compiled.code, compiled.ncode, &request);
    code = ask_trial(s, &request, out, e);
  }
  str_free(&request);
  str_free(&built);
  return code;
}

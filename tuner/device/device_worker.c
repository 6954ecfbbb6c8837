/* device_worker.c - see device_worker.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/device_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/device/message.h"
#include "tuner/device/trial.h"
#include "tuner/device/turn.h"
#include "tuner/device/worker.h"

enum request {
  REQUEST_TRIAL, REQUEST_EXPLAIN, REQUEST_FINALS, REQUEST_HEALTH,
  REQUEST_OPEN, REQUEST_RIVAL,
};

enum {FINALISTS = 16};

/* --- packing, on both sides ---------------------------------------------- */

static void pack_candidate(struct str *s, const struct config *c,
                           const void *code, size_t ncode)
{
  pack_bytes(s, c, sizeof *c);
  pack_bytes(s, code, ncode);
}

static void unpack_candidate(struct unpack *in, struct config *c,
                             struct str *code)
{
  size_t n;
  const void *bytes = unpack_bytes(in, &n);
  if (n == sizeof *c)
    memcpy(c, bytes, n);
  else
    in->bad = 1;
  bytes = unpack_bytes(in, &n);
  str_clear(code);
  str_add_bytes(code, bytes, n);
}

void trial_request(const struct config *c, const void *code, size_t ncode,
                   double best_us, struct str *request)
{
  str_clear(request);
  pack_u64(request, REQUEST_TRIAL);
  pack_f64(request, best_us);
  pack_candidate(request, c, code, ncode);
}

void explain_request(const struct config *c, const void *code, size_t ncode,
                     struct str *request)
{
  str_clear(request);
  pack_u64(request, REQUEST_EXPLAIN);
  pack_f64(request, 0);
  pack_candidate(request, c, code, ncode);
}

void open_request(struct str *request)
{
  str_clear(request);
  pack_u64(request, REQUEST_OPEN);
}

void rival_request(const struct config *c, const void *code, size_t ncode,
                   struct str *request)
{
  str_clear(request);
  pack_u64(request, REQUEST_RIVAL);
  pack_candidate(request, c, code, ncode);
}

void health_request(const struct str *code, struct str *request)
{
  str_clear(request);
  pack_u64(request, REQUEST_HEALTH);
  pack_bytes(request, code->at, code->len);
}

int health_reply(const struct str *reply, struct health_check *out,
                 struct err *e)
{
  struct unpack in = unpack_from(reply);
  const char *why = unpack_text(&in);
  if (why[0])
    return err_set(e, ERR_FAILED, "%s", why);
  *out = (struct health_check){.us = unpack_f64(&in)};
  out->event_us = unpack_f64(&in);
  out->wall_us = unpack_f64(&in);
  return in.bad ? err_set(e, ERR_FAILED, "the device's worker answered "
                          "rubbish") : 0;
}

void finals_begin(struct str *request, double seconds, size_t n)
{
  str_clear(request);
  pack_u64(request, REQUEST_FINALS);
  pack_f64(request, seconds);
  pack_u64(request, n);
}

void finals_add(struct str *request, const struct config *c,
                const void *code, size_t ncode)
{
  pack_candidate(request, c, code, ncode);
}

static int unpack_trial(struct unpack *in, int *broken, struct record **out)
{
  size_t n;
  *broken = unpack_u64(in) != 0;
  const char *line = unpack_bytes(in, &n);
  *out = NULL;
  if (in->bad || record_parse(line, n, out, NULL))
    return -1;
  const char *status = record_get(*out, "status");
  if (*broken || (status && status_parse(status) >= 0))
    return 0;
  record_free(*out);
  *out = NULL;
  return -1;
}

int trial_reply(const struct str *reply, int *broken, struct record **out)
{
  struct unpack in = unpack_from(reply);
  return unpack_trial(&in, broken, out);
}

int explain_reply(const struct str *reply, struct explained *out)
{
  struct unpack in = unpack_from(reply);
  *out = (struct explained){0};
  if (unpack_trial(&in, &out->broken, &out->record))
    return -1;
  size_t n;
  const void *report = unpack_bytes(&in, &n);
  out->modelled = n == sizeof out->report;
  if (out->modelled)
    memcpy(&out->report, report, n);
  const void *rows = unpack_bytes(&in, &n);
  out->nrows = n / sizeof *out->rows;
  out->rows = mem_array(out->nrows + 1, sizeof *out->rows);
  if (out->nrows)
    memcpy(out->rows, rows, out->nrows * sizeof *out->rows);
  const void *events = unpack_bytes(&in, &n);
  out->nevents = n / sizeof *out->events;
  out->events = mem_array(out->nevents + 1, sizeof *out->events);
  if (out->nevents)
    memcpy(out->events, events, out->nevents * sizeof *out->events);
  return 0;
}

void explained_free(struct explained *x)
{
  record_free(x->record);
  free(x->rows);
  free(x->events);
  *x = (struct explained){0};
}

int finals_reply(const struct str *reply, struct timing *out, size_t n,
                 struct record **conditions, struct err *e)
{
  struct unpack in = unpack_from(reply);
  const char *why = unpack_text(&in), *line;
  size_t length;
  *conditions = NULL;
  if (why[0])
    return err_set(e, ERR_FAILED, "%s", why);
  for (size_t i = 0; i < n; i++) {
    out[i].us = unpack_f64(&in);
    out[i].mad_us = unpack_f64(&in);
    out[i].n = (unsigned)unpack_u64(&in);
  }
  line = unpack_bytes(&in, &length);
  if (in.bad || record_parse(line, length, conditions, NULL))
    return err_set(e, ERR_FAILED, "the device's worker answered rubbish");
  return 0;
}

/* --- the worker ---------------------------------------------------------- */

static void pack_record(struct str *reply, const struct record *r)
{
  struct str line = {0};
  record_format(r, &line);
  pack_bytes(reply, line.at, line.len);
  str_free(&line);
}

static void answer_trial(struct str *reply, struct record *r, int broken)
{
  pack_u64(reply, (uint64_t)broken);
  pack_record(reply, r);
}

static void answer_broken(struct str *reply, const struct err *e)
{
  struct record *r = record_new();
  record_set(r, "reason", "%s", e->text);
  answer_trial(reply, r, 1);
  record_free(r);
}

/* kind: what is done with the candidate; nothing for REQUEST_OPEN. */
static void trial(struct bench *b, enum request kind, struct unpack *in,
                  struct str *reply)
{
  struct config c = {0};
  struct str code = {0};
  struct err e = {0};
  struct record *r = record_new();
  double best_us =
      kind == REQUEST_TRIAL || kind == REQUEST_EXPLAIN ? unpack_f64(in) : 0;
  if (kind != REQUEST_OPEN)
    unpack_candidate(in, &c, &code);
  if (in->bad)
    err_set(&e, ERR_FAILED, "the device worker got rubbish");
  else if (kind == REQUEST_OPEN)
    record_set(r, "status", "%s", status_name(STATUS_OK));
  else if (kind == REQUEST_RIVAL)
    trial_rival(b, &c, &code, r, &e);
  else
    trial_run(b, &c, &code, best_us, r, &e);
  if (e.code)
    answer_broken(reply, &e);
  else
    answer_trial(reply, r, 0);
  record_free(r);
  str_free(&code);
}

static void pack_counters(const struct bench *b, struct str *reply)
{
  const struct counters *c = &b->counters;
  pack_bytes(reply, &c->report, c->known ? sizeof c->report : 0);
  pack_bytes(reply, c->rows.at, c->known ? c->rows.len : 0);
  pack_bytes(reply, c->events.at, c->known ? c->events.len : 0);
}

static void finals(struct bench *b, struct unpack *in, struct str *reply)
{
  struct config configs[FINALISTS];
  struct str codes[FINALISTS] = {0};
  struct timing timings[FINALISTS];
  struct record *conditions = record_new();
  struct err e = {0};
  double seconds = unpack_f64(in);
  size_t n = unpack_u64(in);
  if (n > FINALISTS)
    n = FINALISTS;
  for (size_t i = 0; i < n; i++)
    unpack_candidate(in, &configs[i], &codes[i]);
  if (in->bad)
    err_set(&e, ERR_FAILED, "the device worker got rubbish");
  else
    trial_finals(b, configs, codes, n, seconds, timings, conditions, &e);
  pack_text(reply, e.text);
  for (size_t i = 0; i < n && !e.code; i++) {
    pack_f64(reply, timings[i].us);
    pack_f64(reply, timings[i].mad_us);
    pack_u64(reply, timings[i].n);
  }
  if (!e.code)
    pack_record(reply, conditions);
  record_free(conditions);
  for (size_t i = 0; i < n; i++)
    str_free(&codes[i]);
}

static void check_health(const struct bench *b, struct unpack *in,
                         struct str *reply)
{
  struct health_check p = {0};
  struct str code = {0};
  struct err e = {0};
  size_t n;
  const void *bytes = unpack_bytes(in, &n);
  str_add_bytes(&code, bytes, n);
  health_time(&b->hip, &code, b->job->device->cus, &p, &e);
  str_free(&code);
  pack_text(reply, e.text);
  pack_f64(reply, p.us);
  pack_f64(reply, p.event_us);
  pack_f64(reply, p.wall_us);
}

/* why: the device could not be opened. */
static void serve(struct bench *b, const struct err *why, struct unpack *in,
                  struct str *reply)
{
  uint64_t kind = unpack_u64(in);
  if (why->code && (kind == REQUEST_FINALS || kind == REQUEST_HEALTH))
    pack_text(reply, why->text);
  else if (why->code)
    answer_broken(reply, why);
  else if (kind == REQUEST_FINALS)
    finals(b, in, reply);
  else if (kind == REQUEST_HEALTH)
    check_health(b, in, reply);
  else
    trial(b, kind, in, reply);
  if (kind == REQUEST_EXPLAIN || kind == REQUEST_RIVAL)
    pack_counters(b, reply);
}

static void waits(void *user)
{
  worker_waits(*(int *)user);
}

void device_worker(int fd, void *user)
{
  const struct device_job *job = user;
  struct bench b;
  struct err e = {0};
  struct turn turn = turn_open(job->device);
  struct str request = {0}, reply = {0};
  /* There is a worker for each processor already: a simulated device is not
   * to use them all for one launch, unless the user says so. */
  setenv("HIPSIM_THREADS", "1", 0);
  bench_open(&b, user, &e);
  while (message_read(fd, &request)) {
    struct unpack in = unpack_from(&request);
    struct err why = e;
    str_clear(&reply);
    int ours = !turn_take(&turn, waits, &fd, &why);
    serve(&b, &why, &in, &reply);
    if (!message_write(fd, &reply))
      break;
    if (ours)
      turn_give(&turn);
  }
  turn_close(&turn);
}

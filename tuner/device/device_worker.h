/* device_worker.h - candidates on the device: checked, timed, explained.
 *
 * One worker has one device open for its life. A trial runs the candidate on
 * the family's check problem in full and compares every element, then times
 * the real problem, then looks at some elements of the real result.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_device_worker_h
#define tuner_device_worker_h

#include "base/status.h"
#include "db/record.h"
#include "gen/family.h"
#include "tuner/device/device.h"
#include "tuner/device/health.h"
#include "tuner/device/timing.h"

/* What a device worker needs to know; inherited through fork. */
struct device_job {
  struct family *family;
  const struct problem *problem;
  const struct arch *arch;
  const struct device *device;
  uint64_t seed;    /* of the inputs */
  double precision; /* wanted of a median */
  int hot;          /* leave the buffers in the caches */
  const struct str *plain; /* code of the family's own plain kernel */
  double timeout;   /* seconds of a request */
  const char *against; /* a library's product stands beside, or a kernel; NULL:
                          nothing does */
  const char *launch;  /* of that kernel; NULL: it is not launched */
  uint32_t trace; /* events that an explanation holds, where simulated */
};

/* A worker body; user is a struct device_job. */
void device_worker(int fd, void *user);

/* --- requests, and what their replies hold ---------------------------------
 * Readers of replies return 0, or -1 where the reply is rubbish. */

/* One candidate. best_us: the best so far, 0 for none. */
void trial_request(const struct config *c, const void *code, size_t ncode,
                   double best_us, struct str *request);
/* *broken: no candidate's fault, with the text of the error in the record's
 * `reason`. Else the record has status, and where it is ok time_us, mad_us,
 * n; further vgprs, lds, spills, reason, bound... The caller owns it. */
int trial_reply(const struct str *reply, int *broken, struct record **out);

/* The same with the simulator's counters: the reply of a trial, then these. */
void explain_request(const struct config *c, const void *code, size_t ncode,
                     struct str *request);
struct explained {
  int broken;
  struct record *record;
  int modelled; /* 0: there are no counters on this device */
  struct hipsim_report report;
  struct hipsim_instruction *rows; /* explained_free() */
  size_t nrows;
  struct hipsim_event *events; /* what waves did, in the order of issue */
  size_t nevents;
};
int explain_reply(const struct str *reply, struct explained *out);
void explained_free(struct explained *x);

/* The library's product beside the candidate's, in a worker whose job says
 * `against`: the reply is an explanation's, of the library's, with ours_us of
 * the candidate's. To open it shows whether library and device can be had. */
void rival_request(const struct config *c, const void *code, size_t ncode,
                   struct str *request);
void open_request(struct str *request);

/* Is the device well, and how fast is it? code: health_text, compiled. e of the
 * reply: it is not well. */
void health_request(const struct str *code, struct str *request);
int health_reply(const struct str *reply, struct health_check *out,
                 struct err *e);

/* Finalists, timed again in turn in about so many seconds. Add each, send,
 * read `n` timings. */
void finals_begin(struct str *request, double seconds, size_t n);
void finals_add(struct str *request, const struct config *c,
                const void *code, size_t ncode);
/* *conditions is the caller's, NULL after an error: fields of every finalist's
 * row (conditions.h). */
int finals_reply(const struct str *reply, struct timing *out, size_t n,
                 struct record **conditions, struct err *e);

#endif

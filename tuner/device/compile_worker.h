/* compile_worker.h - one candidate from configuration to code object. */
// SPDX-License-Identifier: MIT
#ifndef tuner_compile_worker_h
#define tuner_compile_worker_h

#include "base/status.h"
#include "base/str.h"
#include "arch/arch.h"
#include "gen/family.h"
#include "tuner/device/worker.h"

/* What a compile worker needs to know; inherited through fork. */
struct compile_job {
  struct family *family;
  const struct problem *problem;
  const struct arch *arch;
  const char *compiler; /* its version */
  const char *cache;    /* folder */
};

/* A worker body; user is a struct compile_job. */
void compile_worker(int fd, void *user);

/* The request and the reply. A `broken` reply is no candidate's fault: the
 * template does not render, or there is no compiler. */
struct compiled {
  int broken, cached;
  enum status status; /* ok, compile */
  const char *text;   /* why not; inside the message */
  const void *code;
  size_t ncode;
};

/* The family's own plain kernel, compiled in a worker of its own, which runs
 * `body` with `user`: compile_worker() and a job, or what wraps it. *code
 * stays empty where the family has none. */
int compile_plain(const struct family *f, worker_body *body, void *user,
                  double seconds, struct str *code, struct err *e);

void compile_request(const struct config *c, struct str *request);

/* A worker body for texts that are rendered already; user is a struct
 * compile_job whose problem is not used. The reply is the same. */
void compile_text_worker(int fd, void *user);
void compile_text_request(const struct str *text, struct str *request);

/* 0, or -1 where the reply is rubbish. */
int compile_reply(const struct str *reply, struct compiled *out);

#endif

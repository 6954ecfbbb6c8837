/* compile_worker.h - one candidate from configuration to code object. */
// SPDX-License-Identifier: MIT
#ifndef tuner_compile_worker_h
#define tuner_compile_worker_h

#include "base/status.h"
#include "base/str.h"
#include "db/arch.h"
#include "gen/family.h"

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

void compile_request(const struct config *c, struct str *request);
/* 0, or -1 where the reply is rubbish. */
int compile_reply(const struct str *reply, struct compiled *out);

#endif

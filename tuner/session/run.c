/* run.c - see run.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/run.h"

#include "base/clock.h"

int run_open(struct run *run, const struct task *k, const struct target *t,
             struct session_view view, struct err *e)
{
  const struct options *r = k->options;
  const struct search_ops *search;
  *run = (struct run){0};
  if (search_find(search_list, r->search, &search, e))
    return e->code;
  run->identity = target_identity(t, k);
  if (history_open(&run->history, k->folder.at, run->identity, k->notice,
                   k->user, e))
    return e->code;
  run->session.setup = (struct session_setup){
      .family = k->family, .problem = &k->problem, .arch = k->arch,
      .device = t->device, .team = t->team, .nteam = t->nteam,
      .probe = &t->probe, .compiler = t->compiler, .history = run->history,
      .space = k->space, .search = search, .evals = (size_t)r->evals,
      .jobs = (size_t)r->jobs, .seed = (uint64_t)r->seed,
      .precision = r->precision, .timeout = r->timeout, .retry = r->retry,
      .hot = r->hot,
      .begun = clock_now(), .view = view};
  return 0;
}

void run_close(struct run *run)
{
  history_close(run->history);
  record_free(run->identity);
  *run = (struct run){0};
}

void run_given(struct run *run, const struct config *list, size_t n)
{
  run->session.setup.given = list;
  run->session.setup.ngiven = run->session.setup.evals = n;
}

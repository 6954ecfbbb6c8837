/* loop_control.c - see loop_control.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/loop_control.h"

#include "base/mem.h"
#include "runtimes/sim/timing/dataflow.h"

/* What runs in any case, and what the loads' scalar addresses come from. */
static void begin(struct dataflow *f, uint32_t at)
{
  const struct inst *i = f->steps[at].i;
  if (!i->legal || !inst_op(i))
    return;
  if (i->unit == UNIT_SALU)
    dataflow_run(f, at);
  else if (i->unit == UNIT_BRANCH || i->unit == UNIT_VMEM)
    dataflow_need_scalars(f, at);
  if (i->unit == UNIT_BRANCH)
    f->steps[at].runs = DATAFLOW_ALL;
}

unsigned char *loop_control(const struct main_loop *b)
{
  size_t most = b->last - b->first + 1;
  struct dataflow f = {.code = b->d->kernel->object->code,
                       .makers = 1u << UNIT_VALU};
  unsigned char *runs = mem_array(most, sizeof *runs);
  dataflow_open(&f, most);
  for (uint32_t pc = b->first; pc <= b->last; pc += main_loop_price(b, pc)->words)
    dataflow_add(&f, pc);
  dataflow_link(&f);
  for (uint32_t n = 0; n < f.n; n++)
    begin(&f, n);
  dataflow_trace(&f);
  for (uint32_t n = 0; n < f.n; n++)
    runs[f.steps[n].pc - b->first] = f.steps[n].runs != 0;
  dataflow_close(&f);
  return runs;
}

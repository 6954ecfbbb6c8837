/* scale.c - see scale.h. */
// SPDX-License-Identifier: MIT
#include "tests/rocblas/scale.h"

enum {THREADS = 256};

int scale_run(hipModule_t scalers, const struct gemm_kernel *k,
              const struct problem *p, const struct buffers *b,
              struct err *e)
{
  struct {
    void *d, *c;
    uint32_t stride[4], size[3];
    float beta;
  } args = {b->x[D], b->x[C],
            {p->stride[D][1], p->stride[D][2], p->stride[C][1],
             p->stride[C][2]},
            {p->m, p->n, p->batch}, (float)creal(p->beta)};
  const unsigned all = p->m * p->n * p->batch;
  const unsigned grid[3] = {(all + THREADS - 1) / THREADS, 1, 1};
  if (k->out != 'S')
    return err_set(e, ERR_FAILED, "no kernel is known that scales a D of type "
                   "%c", k->out);
  return kernel_launch(scalers, "Cijk_S", grid, THREADS, &args, sizeof args,
                       e);
}

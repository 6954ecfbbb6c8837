/* program.h - for tests: run a few instruction words as a kernel of one group.
 *
 * program_open() decodes the words (an s_endpgm is added), with an arena and
 * a group of `threads` threads behind them; run with group_run() or
 * wave_step(), then program_close().
 */
// SPDX-License-Identifier: MIT
#ifndef tests_sim_program_h
#define tests_sim_program_h

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtimes/sim/run/dispatch.h"
#include "runtimes/sim/run/exec.h"

enum {ENDPGM = (int)0xbf810000, ENDPGM_GFX12 = (int)0xbfb00000};

struct program {
  struct arena *arena;
  struct object object;
  struct kernel kernel;
  struct dispatch dispatch;
  struct group *group;
};

/* Code in the arena, so that it has a guest address; an s_endpgm is added. */
static inline void program_code(struct arena *a, struct object *o,
                                const uint32_t *words, size_t n)
{
  uint32_t *text = arena_alloc(a, (n + 1) * 4);
  memcpy(text, words, n * 4);
  text[n] = (uint32_t)(o->isa->encoding == ENCODING_GFX12 ? ENDPGM_GFX12
                                                          : ENDPGM);
  o->ncode = n + 1;
  o->text_base = (uint64_t)(uintptr_t)text;
  o->code = calloc(n + 1, sizeof *o->code);
  for (size_t k = 0; k <= n; k++)
    decode(o->isa, text + k, n + 1 - k, &o->code[k]);
  exec_bind(o->code, n + 1);
}

/* The kernel's descriptor as a test wants it before the group is made. */
static inline void program_load_for(struct program *p, const struct isa *isa,
                                    const uint32_t *words, size_t n)
{
  memset(p, 0, sizeof *p);
  p->object.isa = isa;
  p->arena = arena_open((uint64_t)1 << 30);
  assert_non_null(p->arena);
  program_code(p->arena, &p->object, words, n);
  p->kernel.name = (char *)"test";
  p->kernel.object = &p->object;
  p->kernel.vgprs = 8;
  p->kernel.sgprs = 96;
  p->kernel.max_threads = 1024;
  p->dispatch.kernel = &p->kernel;
  p->dispatch.arena = p->arena;
}

static inline void program_load(struct program *p, const uint32_t *words,
                                size_t n)
{
  program_load_for(p, isa_at(0), words, n);
}

static inline void program_start(struct program *p, uint32_t threads)
{
  for (int axis = 0; axis < 3; axis++)
    p->dispatch.grid[axis] = p->dispatch.block[axis] = 1;
  p->dispatch.block[0] = threads;
  p->group = group_new(&p->dispatch, 0);
  assert_non_null(p->group);
}

static inline void program_open(struct program *p, const uint32_t *words,
                                size_t n, uint32_t threads)
{
  program_load(p, words, n);
  program_start(p, threads);
}

static inline void program_close(struct program *p)
{
  group_free(p->group);
  free(p->object.code);
  arena_close(p->arena);
}

/* Where an opcode is in ops.def. */
static inline int opcode_find(const char *name, unsigned *format, unsigned *op)
{
  for (*format = 0; *format < FORMAT_N; ++*format)
    for (*op = 0; *op < 1024; ++*op) {
      const struct op *o = op_find(isa_at(0), *format, *op);
      if (o && !strcmp(o->name, name))
        return 1;
    }
  return 0;
}

#endif

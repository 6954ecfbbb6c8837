/* corpus.h - small kernels on the simulated device, each beside a reference.
 *
 * A topic is two files. TOPIC.hip holds kernels, TOPIC.c a function of the
 * same name for each that does the same on the host, in the plainest way, and
 * a table:
 *
 *   KERNEL(add_one, int, int)           HOST(add_one, int, int)
 *   {                                   {
 *     int i = GLOBAL_ID;                  for (int i = 0; i < n; i++)
 *     if (i < n)                            out[i] = in[i] + 1;
 *       out[i] = in[i] + 1;             }
 *   }
 *                                       TOPIC(example,
 *                                         CASE(add_one, 1000, 1000, 4, 256))
 *
 * corpus.c compiles TOPIC.hip at -O0, -O2 and -O3, launches each kernel and
 * compares `out` with what the host makes of the same input. Both sides start
 * with the same random words in `out` as well, so that a kernel may add to
 * them, and a store where none belongs is found.
 *
 * A new topic is named in corpus.c.
 */
// SPDX-License-Identifier: MIT
#ifndef tests_corpus_corpus_h
#define tests_corpus_corpus_h

#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int64_t i64;

struct shape {
  int grid[3], block[3];
  int lanes; /* of the device's waves */
};

enum fill {
  WORDS,  /* any 32 bits */
  UNIT,   /* floats in [0, 1) */
  DOUBLES, /* doubles in [0, 1) */
  HALVES, /* f16: multiples of 1/64 in [-4, 4) */
  BYTES,  /* words below 256 */
  ZEROS
};

enum compare {
  EXACT,
  FLOAT, /* the words are floats; an error of `within`, relative or absolute */
  DOUBLE
};

/* One kernel: n words of input, `outs` words of output. Unset dimensions of
 * grid and block are 1. */
struct kernel_case {
  const char *name;
  void (*host)(void *out, const void *in, int n, const struct shape *shape);
  int n, outs;
  struct shape shape;
  unsigned lds; /* dynamic, bytes */
  enum fill fill, start; /* of in, of out */
  enum compare compare;
  double within;
  const void *args; /* further arguments, after n, at a multiple of 8 bytes */
  size_t args_bytes;
  const char *fault; /* the launch has to fail with these words */
  const char *or_fault; /* or with these, where nothing is modelled */
};

#define UNUSED __attribute__((unused))
#define HOST(name, O, I)                                                     \
  static void name##_of(O *out, const I *in UNUSED, int n UNUSED,            \
                        const struct shape *s UNUSED);                       \
  static void name(void *out, const void *in, int n, const struct shape *s)  \
  {                                                                          \
    name##_of(out, in, n, s);                                                \
  }                                                                          \
  static void name##_of(O *out, const I *in UNUSED, int n UNUSED,            \
                        const struct shape *s UNUSED)

#define CASE(id, words, out_words, groups, threads, ...)                     \
  { .name = #id, .host = id, .n = words, .outs = out_words,                  \
    .shape.grid[0] = groups, .shape.block[0] = threads, __VA_ARGS__ },

#define TOPIC(topic, ...)                                                    \
  const struct kernel_case corpus_##topic[] = {__VA_ARGS__ {.name = NULL}};

/* The code object of a topic by clang, free() it; NULL: it does not compile. */
char *clang_compile(const char *program, const char *arch, int lanes,
                    const char *level, const char *text, size_t *bytes);

/* f16 from and to bits; rounds to nearest even. */
u16 half_of(double x);
double half_value(u16 bits);

#endif

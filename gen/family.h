/* family.h - a kernel family: its problem, its space, its text.
 *
 * A family is two files, NAME.lua (data and rules) and NAME.hip (the text),
 * and the parts that they include, read once by family_open(). Everything that
 * a family's Lua code does runs with limits on instructions and memory, without
 * access to files or the system, inside one protected call: its errors come
 * back as struct err with the template's file and line.
 *
 * What candidates must give is said by a reference in C, named by
 * `reference = "gemm"`, or by a plain kernel of the family's own:
 *
 *   reference = {
 *     text = [[ HIP, without $ and @ ]],
 *     launch = function (problem, arch) return { ... } end,  -- as `launch`
 *     bound = function (problem, arch)  -- how far an element may be off it
 *       return { absolute = 0, relative = 1e-6 }
 *     end,
 *   },
 *
 * It runs on the check problem, and once on the real one where by its time on
 * the check problem that takes less than five seconds, over buffers like the
 * candidate's.
 * `figures` and `plots` are figure.h's, `serves` is trace.h's.
 *
 * Sequence: family_open -> family_problem (values or defaults) -> space.h to
 * choose a configuration -> family_plan, family_render -> family_close.
 *
 * Ownership: names, meanings, reasons and string values belong to the family
 * and live until family_close(). Not thread-safe: one family, one thread.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_family_h
#define gen_family_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/value.h"

enum {
  FAMILY_KEYS = 32,     /* problem keys */
  FAMILY_TUNABLES = 32, /* tunables */
  FAMILY_VALUES = 64,   /* values of one tunable */
  FAMILY_BUFFERS = 16,
  FAMILY_LAUNCHES = 4,
  FAMILY_ARGS = 32,
};

struct family;

/* One problem key: legal values are a list, or a range of integers, or any
 * number (kind VALUE_NUM with no list). */
struct key {
  const char *name, *meaning;
  struct value standard; /* the default */
  size_t nvalues;        /* 0: a range or a number */
  const struct value *values;
  long long min, max; /* the range of a VALUE_INT key without a list */
  /* Left out of a problem's text where it has its default: the key came when
   * problems without it had been stored. */
  int quiet;
};

struct tunable {
  const char *name, *meaning;
  size_t nvalues;
  const struct value *values; /* integers or strings */
  double weight; /* of a difference in it (tuner/search/gauss.h); 0: not said */
};

/* One problem: a value for every key, in the order of the keys. */
struct problem {
  size_t n;
  struct value values[FAMILY_KEYS];
};

/* One configuration: for every tunable the index of its value. */
struct config {
  uint8_t at[FAMILY_TUNABLES];
};

enum buffer_role {BUFFER_IN, BUFFER_OUT, BUFFER_INOUT, BUFFER_SCRATCH};
enum element { /* ORDER ELEMENT */
  ELEMENT_F32, ELEMENT_F16, ELEMENT_I32, ELEMENT_I8, ELEMENT_BF16, ELEMENT_F64,
  /* 8-bit floats: OCP's, and those whose one zero has no sign. */
  ELEMENT_FP8, ELEMENT_BF8, ELEMENT_FP8_FNUZ, ELEMENT_BF8_FNUZ,
  /* Blocks of quantised numbers, of inputs only; an element is a block. */
  ELEMENT_Q8_0, ELEMENT_Q4_0, ELEMENT_Q4_1, ELEMENT_Q4_K, ELEMENT_Q6_K,
  ELEMENT_N
};

/* How rows are dealt out to groups: tuner/reference/routing.h. */
enum routing {ROUTING_ZIPF, ROUTING_SAME, ROUTING_N}; /* ORDER ROUTING */

struct buffer {
  char name[32];
  enum buffer_role role;
  enum element type;
  size_t elements;
  double low, high; /* uniform distribution of inputs; of blocks: of scales */
  int planes; /* blocks are taken apart: field by field, of all blocks */
  /* In planes: rows of a panel, of which each piece of each field follow one
   * another (tuner/reference/quant.h), and blocks of a row; 0: block after block. */
  size_t panel, row;
  /* Its address is a multiple of so many bytes, and where these are fewer than
   * BUFFER_ALIGN, of no more when it is tried. */
  unsigned align;
  /* Kernels get a list of so many addresses instead of one, so many elements
   * apart; 0: they get the address. */
  size_t pointers, stride;
  /* Of an input of i32: where the rows of each group begin, when so many rows,
   * `used` of each token, go to elements - 1 groups; 0: other numbers. */
  size_t routed, used;
  int shuffled; /* an input of i32: 0, 1 ... in a random order */
  enum routing routing;
};

enum {BUFFER_ALIGN = 16}; /* of a buffer that says nothing else */

const char *role_name(enum buffer_role role); /* in, out, inout, scratch */
const char *element_name(enum element type);  /* f32, ... */

enum arg_kind {ARG_BUFFER, ARG_I32, ARG_I64, ARG_F32};

struct arg {
  enum arg_kind kind;
  int buffer;   /* ARG_BUFFER: index into plan.buffers */
  long long i;  /* ARG_I32, ARG_I64 */
  double d;     /* ARG_F32 */
};

struct launch {
  char kernel[64];
  unsigned grid[3];  /* workgroups */
  unsigned block[3]; /* threads */
  unsigned lds;      /* bytes of dynamic LDS */
  size_t nargs;
  struct arg args[FAMILY_ARGS];
};

/* What a cost's bytes load: HBM, LDS, or caches too, which have no one peak. */
enum memory {MEMORY_HBM, MEMORY_LDS, MEMORY_CACHE, MEMORY_N};

/* All that running a configuration on a problem takes. */
struct plan {
  size_t nbuffers, nlaunches;
  struct buffer buffers[FAMILY_BUFFERS];
  struct launch launches[FAMILY_LAUNCHES]; /* run in this order */
  double flops, bytes, exchanges; /* of the problem, from cost; 0: not said */
  enum memory memory; /* whose bytes these are */
  char peak[32]; /* the arch fact that bounds the flops, a clock and CU, or "" */
};

/* Where the lines of rendered text came from: each from a line (from 1; 0:
 * made by the engine) of one of the family's files, by number. */
struct origin {
  unsigned file, line;
};
struct linemap {
  size_t n;
  struct origin *at; /* linemap_free() */
};

/* Is the value of key k written in a problem's text? */
int key_shown(const struct key *k, const struct value *v);

/* Open a family by name ("gemm": folder/gemm.lua where `folder` is given and
 * holds it, else the copy embedded in the program) or by path ("./mine.lua").
 * Fails with ERR_USAGE and the nearest known name, or ERR_FAILED with
 * file:line of what is wrong in it. */
int family_open(struct family **out, const char *name, const char *folder,
                struct err *e);
void family_close(struct family *f);

const char *family_name(const struct family *f);
const char *family_meaning(const struct family *f); /* one sentence */
const char *family_hash(const struct family *f); /* of its files, hex */
/* The name of its reference; NULL where it has a plain kernel of its own
 * instead, of which family_plain() appends the text. */
const char *family_reference(const struct family *f);
void family_plain(const struct family *f, struct str *text);
/* What the compiler is to call the rendered text ("gemm.gen.hip"), so that
 * family_map_log() finds its positions. */
const char *family_file(const struct family *f);

size_t family_keys(const struct family *f, const struct key **keys);
size_t family_tunables(const struct family *f, const struct tunable **list);

/* Facts of the arch, under the names that rules and templates use as
 * `arch.NAME`: integers and strings. Copied. Must come before anything that
 * takes a problem. The string fact `name` is the arch's own name. */
int family_set_arch(struct family *f, const struct pair *facts, size_t n,
                    struct err *e);

/* Fill p from name=text pairs; keys that are not named get their default.
 * Unknown names and illegal values are ERR_USAGE with a suggestion. The
 * family may complete or refuse the combination (its `complete` function). */
int family_problem(struct family *f, const char *const *names,
                   const char *const *texts, size_t n, struct problem *p,
                   struct err *e);

/* Append a phrase: the name of another family that is made for this problem,
 * and what it is made for. Nothing is appended where there is none. */
int family_elsewhere(struct family *f, const struct problem *p,
                     struct str *out, struct err *e);

/* A smaller problem of the same kind, on which cfg is run in full and every
 * element is compared: the family's `check` function. */
int family_check_problem(struct family *f, const struct problem *p,
                         const struct config *c, struct problem *small,
                         struct err *e);

int family_plan(struct family *f, const struct problem *p,
                const struct config *c, struct plan *out, struct err *e);

/* The plan as a comment: buffers, then launches as HIP writes them, on lines of
 * `width`, each of which begins with " * ". */
void plan_text(const struct plan *p, size_t width, struct str *out);

/* How the family's plain kernel is run: the buffers of `plan`, which is a
 * candidate's for this problem, and the plain kernel's launches. */
int family_plain_plan(struct family *f, const struct problem *p,
                      const struct plan *plan, struct plan *out,
                      struct err *e);

/* How far an element may be off what the plain kernel gives: so much, and so
 * much of its size. */
struct bound {
  double absolute, relative;
};
int family_plain_bound(struct family *f, const struct problem *p,
                       struct bound *out, struct err *e);

/* Render to text (appended to *text), which stands on its own: a head comment
 * with family, problem, configuration, the command that makes it, LDS bytes,
 * threads, buffers and launches, then the kernel. map may be NULL. */
int family_render(struct family *f, const struct problem *p,
                  const struct config *c, struct str *text,
                  struct linemap *map, struct err *e);
void linemap_free(struct linemap *map);

/* Rewrite the positions "family_file(f):LINE:COL:" of a compiler log, or
 * NVIDIA's "(LINE):", with or without a path in front, to
 * "templates/gemm.hip:LINE:". Columns go: they count in the rendered line.
 * Lines of the engine's own keep their position. */
void family_map_log(const struct family *f, const struct linemap *map,
                    const char *log, struct str *out);

/* name=value,name=value: how a configuration is written everywhere. */
void config_format(const struct family *f, const struct config *c,
                   struct str *out);
/* Parse that form. With `partial`, tunables left out keep what *c holds. */
int config_parse(const struct family *f, const char *text, int partial,
                 struct config *c, struct err *e);
/* Parse what may have been written before the family had all of its tunables: those
 * that the text lacks have their first value, which leaves the kernel as it was. */
int config_parse_older(const struct family *f, const char *text,
                       struct config *c, struct err *e);
/* Is it one of the n? */
int config_among(const struct config *list, size_t n, const struct config *c);

#endif

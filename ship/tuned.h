/* tuned.h - find and launch kernels that tune has chosen.
 *
 * NAME
 *   tuned_open, tuned_find, tuned_load, tuned_launch, tuned_close;
 *   tuned_check_weights, tuned_check_offsets
 *
 * SYNOPSIS
 *   #include <hip/hip_runtime_api.h>
 *   #include <tuned.h>                      cc app.c -ltuned -lamdhip64
 *
 *   struct tuned_hip hip = TUNED_HIP;
 *   tuned *t;
 *   struct tuned_found f;
 *   const struct tuned_key keys[] = {
 *     TUNED_WHOLE("m", 4096), TUNED_WHOLE("n", 512), TUNED_WHOLE("k", 4096),
 *     TUNED_WORD("layout", "tn"), TUNED_NUMBER("alpha", 1),
 *   };
 *   void *const buffers[] = { a, b, c };
 *
 *   if (tuned_open(&t, "gemm.pack", "gfx906", &hip, NULL)) ...
 *   if (tuned_find(t, "gemm", keys, 5, TUNED_FITTED, &f)) ...
 *   if (tuned_load(t, &f)) ...              once for each kernel
 *   if (tuned_launch(t, &f, buffers, 3, scratch, stream)) ...
 *   tuned_close(t);
 *
 * DESCRIPTION
 *   A pack is one file, made by `tune pack`: the winners of tuned problems with
 *   their compiled kernels, for one or more architectures.
 *
 *   tuned_open() maps a pack for the architecture of the current HIP device
 *   ("gfx906"; what follows a colon is left out of account). It takes the
 *   application's own HIP as four functions, so the library links none.
 *   Where HIP has several devices, open the pack once on each.
 *
 *   tuned_find() looks a problem up. A problem is given by its keys, in any
 *   order; those left out have the values that `tune help FAMILY` shows. The
 *   answer is EXACT where this problem was tuned. If not, and TUNED_FITTED is
 *   asked for, it is FITTED, by this rule:
 *
 *     1. Only kernels of the same class are considered: the same words, and the
 *        same numbers 0; and of those only ones whose text is right for the
 *        problem (lengths that are multiples of what it loads at once, ...).
 *     2. Of these, the eight that were tuned for the nearest problems, and what
 *        else was timed on these problems: nearest by the logarithms of the
 *        quotients of the lengths that the cost counts, by how many of these
 *        are the same, and a little by how often 2 divides them.
 *     3. Of these, the least time: what is estimated for the problem, from the
 *        rounds of workgroups on the card's compute units, the steps of each,
 *        what a step computes and loads, and the bytes of the whole, times what
 *        such estimates have wrong of the kernel, and of near problems, by the
 *        times on these. Near problems count more; a kernel that was timed on
 *        few of them, or far away, counts as slower.
 *
 *   The loss to expect of a fitted answer is what this rule loses when a winner
 *   of the class is left out and looked up, by the kernel's time there where it
 *   is known, or by the same estimate: the 90th percentile among those about as
 *   far away.
 *
 *   tuned_load() puts the kernels of an answer on the device, once; later
 *   calls return at once. It allocates, and may take milliseconds.
 *
 *   tuned_launch() starts the kernels of an answer that was loaded, in order,
 *   in a stream, without waiting. `buffers` are device pointers in the order
 *   of tuned_buffer(); `scratch` is memory of f.scratch bytes, aligned to 256,
 *   for this launch alone until it has ended (may be NULL where that is 0).
 *
 *   tuned_close() unloads the kernels: all that was launched must have ended.
 *
 *   Kernels get addresses without sizes, and trust what lies there. What comes from
 *   outside can be looked at on the host before it goes to the device:
 *
 *   tuned_check_weights() looks at the bytes of `rows` rows of k numbers each, as a
 *   file has them, of a type of ggml's (q8_0, q4_0, q4_1, q4_K, q6_K) or of f16, as
 *   scales of GPTQ and AWQ are: k must be a multiple of the type's block, `size` be
 *   the bytes of so many rows, and every scale and minimum, or every f16, be finite.
 *
 *   tuned_check_offsets() looks at the offsets of groups, offsets[0] to
 *   offsets[groups]: none may be below 0, above `rows`, the rows (or columns) of
 *   activations, or below the one before it.
 *
 *   Both need no pack, read each byte once and keep nothing.
 *
 * RETURN VALUE
 *   0, or a code of enum tuned_code. tuned_reason() has a sentence for each.
 *   HIP's own errors are returned as TUNED_HIP_ERROR plus HIP's code.
 *   Nothing is ever printed, and the process never ended.
 *
 * THREADS, FORKS, MEMORY
 *   An open pack may be used by any number of threads at once, tuned_close()
 *   aside. tuned_find() and tuned_launch() allocate nothing, take no lock and
 *   touch no file. An answer stays good until tuned_close().
 *
 *   A forked child may find with the parent's pack, and close it, but not
 *   load or launch (TUNED_FORKED): HIP does not outlive a fork. It may open
 *   the pack again. Packs may be opened any number of times, and the library
 *   be unloaded when all are closed.
 *
 *   An open pack's file must not be changed in place, which ends programs
 *   that have it mapped; replaced by rename, as tune does it, it may be.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TUNED_H
#define TUNED_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tuned_code {
  TUNED_OK = 0,
  TUNED_NONE,       /* no kernel of the pack fits the problem */
  TUNED_NO_FILE,    /* the pack cannot be opened or mapped */
  TUNED_FOREIGN,    /* the file is no pack */
  TUNED_NEWER,      /* a pack of a later version of the format */
  TUNED_CUT,        /* the file is shorter or longer than the pack */
  TUNED_DAMAGED,    /* a checksum or the structure is wrong */
  TUNED_NO_ARCH,    /* the pack has no kernels for this architecture */
  TUNED_NO_FAMILY,  /* none of this kernel family */
  TUNED_BAD_KEY,    /* a key that the family has not, given twice, or illegal */
  TUNED_NO_MEMORY,
  TUNED_NO_HIP,     /* the pack was opened without HIP's functions */
  TUNED_FORKED,     /* opened by another process */
  TUNED_NOT_LOADED, /* tuned_load() comes first */
  TUNED_BAD_BUFFER, /* not as many buffers as the kernels take, or a NULL */
  TUNED_BAD_WEIGHTS, /* cut off, of another size, or with scales not finite */
  TUNED_BAD_OFFSETS, /* they fall, or are outside of the activations */
  TUNED_OLDER,       /* a pack of an earlier version of the format */
  TUNED_HIP_ERROR = 1000
};

/* The application's HIP. */
struct tuned_hip {
  int (*load)(void **module, const void *image);          /* hipModuleLoadData */
  int (*unload)(void *module);                            /* hipModuleUnload */
  int (*function)(void **f, void *module, const char *);  /* ...GetFunction */
  int (*launch)(void *f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                unsigned block_x, unsigned block_y, unsigned block_z,
                unsigned lds, void *stream, void **args, void **extra);
};

#define TUNED_HIP \
  { (int (*)(void **, const void *))hipModuleLoadData, \
    (int (*)(void *))hipModuleUnload, \
    (int (*)(void **, void *, const char *))hipModuleGetFunction, \
    (int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, \
             unsigned, unsigned, void *, void **, void **)) \
        hipModuleLaunchKernel }

enum tuned_kind {TUNED_KIND_WHOLE, TUNED_KIND_NUMBER, TUNED_KIND_WORD};

struct tuned_key {
  const char *name;
  enum tuned_kind kind;
  long long whole;
  double number; /* a whole number will do */
  const char *word;
};

#define TUNED_WHOLE(name, value) {name, TUNED_KIND_WHOLE, value, 0, NULL}
#define TUNED_NUMBER(name, value) {name, TUNED_KIND_NUMBER, 0, value, NULL}
#define TUNED_WORD(name, value) {name, TUNED_KIND_WORD, 0, 0, value}

enum tuned_how {TUNED_EXACT, TUNED_FITTED};

enum {TUNED_KEYS = 32};

struct tuned_found {
  enum tuned_how how;
  int modelled;       /* 1: tuned on a simulated card, 0: on a real one */
  int stale;          /* 1: tuned before the kernel's text changed */
  float loss;         /* to expect, of the time; 0: exact; negative: unknown */
  double us;          /* the time when tuned; fitted: estimated */
  size_t scratch;     /* bytes that a launch needs */
  unsigned nbuffers;  /* that a launch takes */
  const char *config; /* name=value,... */
  unsigned winner;    /* from here on the library's own */
  long long keys[TUNED_KEYS];
};

typedef struct tuned tuned;

/* Where it fails, a sentence goes to why[256], which may be NULL. */
int tuned_open(tuned **out, const char *path, const char *arch,
               const struct tuned_hip *hip, char *why);
void tuned_close(tuned *t); /* NULL is nothing */

/* `most`: TUNED_EXACT, or TUNED_FITTED to take fitted answers as well. */
int tuned_find(const tuned *t, const char *family,
               const struct tuned_key *keys, size_t nkeys, enum tuned_how most,
               struct tuned_found *out);

int tuned_load(tuned *t, const struct tuned_found *f);
int tuned_loaded(const tuned *t, const struct tuned_found *f); /* 1 or 0 */
int tuned_launch(const tuned *t, const struct tuned_found *f,
                 void *const *buffers, size_t nbuffers, void *scratch,
                 void *stream);

/* Name and bytes of buffer i of an answer; NULL past the last. */
const char *tuned_buffer(const tuned *t, const struct tuned_found *f,
                         unsigned i, size_t *bytes);

/* Where they refuse, a sentence that says what is wrong, where, and what to do goes to
 * why[256], which may be NULL. */
int tuned_check_weights(const char *type, long long rows, long long k,
                        const void *bytes, size_t size, char *why);
int tuned_check_offsets(const int *offsets, size_t groups, long long rows,
                        char *why);

/* Compute units of the card that the pack's kernels were tuned for. */
unsigned tuned_cus(const tuned *t);

const char *tuned_reason(int code);
const char *tuned_version(void);

#ifdef __cplusplus
}
#endif

#endif

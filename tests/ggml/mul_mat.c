/* mul_mat.c - one product by a backend of libggml, on the simulated card.
 *
 *     mul_mat LIBGGML BACKEND TYPE M K N
 *
 * The suite `llama` runs it by Debian sid's loader and C library, which both
 * libraries need, with libhipsim before the real HIP: what the product took is in
 * HIPSIM_LOG; printed is what bounds its last kernel, and how sure that kernel's
 * time is. TYPE is the number of a type of ggml's, of the M x K weights; they are all
 * zero, as only times are asked for, and no workgroup is executed but those that the
 * times need.
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtimes/sim/hipsim.h"

/* Of ggml.h, in which these are opaque but for the first. */
struct memory {
  size_t bytes;
  void *at;
  bool no_data;
};
struct context;
struct tensor;
struct graph;
struct backend;

enum {F32 = 0, OBJECTS = 16};

static void *find(void *library, const char *name)
{
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "mul_mat: libggml has no %s\n", name);
    exit(1);
  }
  return symbol;
}

static struct backend *open_backend(void *ggml, const char *path)
{
  void *(*load)(const char *) = find(ggml, "ggml_backend_load");
  void *(*get)(void *, size_t) = find(ggml, "ggml_backend_reg_dev_get");
  size_t (*count)(void *) = find(ggml, "ggml_backend_reg_dev_count");
  struct backend *(*init)(void *, const char *) =
      find(ggml, "ggml_backend_dev_init");
  void *registered = load(path);
  return registered && count(registered) ? init(get(registered, 0), NULL)
                                         : NULL;
}

static struct context *new_context(void *ggml)
{
  struct context *(*init)(struct memory) = find(ggml, "ggml_init");
  size_t (*tensor)(void) = find(ggml, "ggml_tensor_overhead");
  size_t (*graph)(void) = find(ggml, "ggml_graph_overhead");
  return init((struct memory){OBJECTS * tensor() + graph(), NULL, true});
}

static int multiply(void *ggml, struct backend *backend, int type,
                    const int64_t *size)
{
  struct tensor *(*matrix)(struct context *, int, int64_t, int64_t) =
      find(ggml, "ggml_new_tensor_2d");
  struct tensor *(*mul_mat)(struct context *, struct tensor *,
                            struct tensor *) = find(ggml, "ggml_mul_mat");
  struct graph *(*new_graph)(struct context *) = find(ggml, "ggml_new_graph");
  void (*expand)(struct graph *, struct tensor *) =
      find(ggml, "ggml_build_forward_expand");
  void *(*alloc)(struct context *, struct backend *) =
      find(ggml, "ggml_backend_alloc_ctx_tensors");
  int (*compute)(struct backend *, struct graph *) =
      find(ggml, "ggml_backend_graph_compute");
  struct context *c = new_context(ggml);
  struct tensor *weights = matrix(c, type, size[1], size[0]);
  struct tensor *product = mul_mat(c, weights, matrix(c, F32, size[1], size[2]));
  struct graph *graph = new_graph(c);
  expand(graph, product);
  if (!alloc(c, backend)) {
    fprintf(stderr, "mul_mat: no memory on the device\n");
    return 1;
  }
  return compute(backend, graph);
}

static int print_last(void)
{
  struct hipsim_report r = {.size = sizeof r};
  int (*report)(struct hipsim_report *) =
      (int (*)(struct hipsim_report *))dlsym(RTLD_DEFAULT, "hipsimReport");
  if (report(&r))
    return 1;
  printf("%s\t%g\t%s\n", r.bound, r.error_80, r.kernel);
  return 0;
}

int main(int argc, char **argv)
{
  int64_t size[3];
  if (argc != 7) {
    fprintf(stderr, "usage: mul_mat LIBGGML BACKEND TYPE M K N\n");
    return 2;
  }
  for (int i = 0; i < 3; i++)
    size[i] = strtoll(argv[4 + i], NULL, 10);
  int (*set_mode)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "hipsimSetMode");
  void *ggml = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (!ggml || !set_mode || set_mode(HIPSIM_SAMPLED)) {
    fprintf(stderr, "mul_mat: %s\n", ggml ? "not on libhipsim" : dlerror());
    return 1;
  }
  struct backend *backend = open_backend(ggml, argv[2]);
  if (!backend) {
    fprintf(stderr, "mul_mat: %s has no device\n", argv[2]);
    return 1;
  }
  int code = multiply(ggml, backend, (int)strtol(argv[3], NULL, 10), size);
  return code ? code : print_last();
}

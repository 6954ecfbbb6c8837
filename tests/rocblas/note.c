/* note.c - kernels and their arguments, from the metadata notes. */
// SPDX-License-Identifier: MIT
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "runtimes/sim/load/pack.h"
#include "tests/rocblas/kernel.h"

enum {NOTE_METADATA = 32};

static char *copy_text(struct pack_text text)
{
  char *copy = mem_alloc(text.len + 1);
  memcpy(copy, text.at, text.len);
  return copy;
}

static int argument_field(struct pack *p, struct pack_text key, void *to)
{
  struct argument *a = to;
  struct pack_text text;
  uint64_t number;
  if (pack_is(key, ".name") && pack_string(p, &text) &&
      text.len < sizeof a->name) {
    memcpy(a->name, text.at, text.len);
    return 1;
  }
  uint32_t *field = pack_is(key, ".offset") ? &a->offset
                    : pack_is(key, ".size") ? &a->size
                                            : NULL;
  if (!field)
    return pack_skip(p);
  if (!pack_uint(p, &number) || number > UINT32_MAX)
    return 0;
  *field = (uint32_t)number;
  return 1;
}

static int read_arguments(struct pack *p, struct gemm_kernel *k)
{
  uint32_t n;
  if (!pack_array(p, &n) || n > KERNEL_ARGS)
    return 0;
  for (k->nargs = 0; k->nargs < n; k->nargs++)
    if (!pack_fields(p, argument_field, &k->args[k->nargs]))
      return 0;
  return 1;
}

static int kernel_field(struct pack *p, struct pack_text key, void *to)
{
  struct gemm_kernel *k = to;
  struct pack_text text;
  uint64_t number;
  if (pack_is(key, ".args"))
    return read_arguments(p, k);
  if (pack_is(key, ".name") && !k->name && pack_string(p, &text)) {
    k->name = copy_text(text);
    return 1;
  }
  if (pack_is(key, ".kernarg_segment_size") && pack_uint(p, &number)) {
    k->kernarg = (uint32_t)number;
    return 1;
  }
  return pack_skip(p);
}

static int note_field(struct pack *p, struct pack_text key, void *to)
{
  struct kernel_list *list = to;
  uint32_t n;
  if (!pack_is(key, "amdhsa.kernels"))
    return pack_skip(p);
  if (!pack_array(p, &n))
    return 0;
  while (n--) {
    struct gemm_kernel k = {0};
    if (!pack_fields(p, kernel_field, &k) || !k.name)
      return 0;
    if (strncmp(k.name, "Cijk_A", 6)) { /* not a product */
      free(k.name);
      continue;
    }
    list->at = mem_resize(list->at, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] = k;
  }
  return 1;
}

static int read_section(struct kernel_list *list, Elf_Data *data)
{
  GElf_Nhdr h;
  size_t name, text, at = 0;
  while (data && (at = gelf_getnote(data, at, &h, &name, &text))) {
    const uint8_t *bytes = (const uint8_t *)data->d_buf;
    struct pack p = {bytes + text, bytes + text + h.n_descsz};
    if (h.n_type == NOTE_METADATA && !pack_fields(&p, note_field, list))
      return 0;
  }
  return 1;
}

static int read_object(struct kernel_list *list, const struct str *bytes)
{
  elf_version(EV_CURRENT);
  Elf *elf = elf_memory((char *)(uintptr_t)str_text(bytes), bytes->len);
  int good = elf && elf_kind(elf) == ELF_K_ELF;
  for (Elf_Scn *s = NULL; good && (s = elf_nextscn(elf, s));) {
    GElf_Shdr h;
    if (gelf_getshdr(s, &h) && h.sh_type == SHT_NOTE)
      good = read_section(list, elf_getdata(s, NULL));
  }
  elf_end(elf);
  return good;
}

int kernels_read(struct kernel_list *out, const char *path, struct err *e)
{
  struct str bytes = {0};
  size_t first = out->n;
  if (file_read(path, (size_t)1 << 30, &bytes, e))
    return e->code;
  int good = read_object(out, &bytes);
  str_free(&bytes);
  if (!good)
    return err_set(e, ERR_FAILED, "no code object, or its notes are damaged");
  for (size_t k = first; k < out->n; k++)
    if (kernel_parse(&out->at[k], e))
      return e->code;
  return 0;
}

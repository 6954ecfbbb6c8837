/* object_metadata.c - the metadata note of a code object (LLVM: User Guide for
 * AMDGPU Backend, "Code Object Metadata"). */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/load/object_part.h"
#include "runtimes/sim/load/pack.h"

enum {NOTE_METADATA = 32};

static void copy_text(struct pack_text text, char *out, size_t room)
{
  size_t n = text.len < room - 1 ? text.len : room - 1;
  memcpy(out, text.at, n);
  out[n] = 0;
}

/* --- arguments ------------------------------------------------------------ */

static int arg_field(struct pack *p, struct pack_text key, void *to)
{
  struct kernel_arg *arg = to;
  struct pack_text text;
  uint64_t value;
  if (pack_is(key, ".value_kind") && pack_string(p, &text)) {
    copy_text(text, arg->kind, sizeof arg->kind);
    return 1;
  }
  int offset = pack_is(key, ".offset");
  if (!(offset || pack_is(key, ".size")) || !pack_uint(p, &value))
    return pack_skip(p);
  *(offset ? &arg->offset : &arg->size) = (uint32_t)value;
  return value <= UINT32_MAX;
}

static int read_args(struct pack *p, struct kernel *k)
{
  uint32_t n;
  if (!pack_array(p, &n))
    return 0;
  while (n--) {
    struct kernel_arg arg = {0};
    if (!pack_fields(p, arg_field, &arg))
      return 0;
    k->args = mem_resize(k->args, (k->nargs + 1) * sizeof *k->args);
    k->args[k->nargs++] = arg;
  }
  return 1;
}

/* --- kernels -------------------------------------------------------------- */

static const struct {
  const char *key;
  size_t at;
} numbers[] = {
    {".max_flat_workgroup_size", offsetof(struct kernel, max_threads)},
    {".kernarg_segment_size", offsetof(struct kernel, kernarg_size)},
    {".vgpr_spill_count", offsetof(struct kernel, spilled_vgprs)},
    {".sgpr_spill_count", offsetof(struct kernel, spilled_sgprs)},
};

static int read_number(struct pack *p, struct pack_text key, struct kernel *k)
{
  uint64_t value;
  for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
    if (pack_is(key, numbers[n].key) && pack_uint(p, &value)) {
      uint32_t number = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
      memcpy((char *)k + numbers[n].at, &number, sizeof number);
      return 1;
    }
  return pack_skip(p);
}

/* A number an axis; more are none of it. */
static int read_cluster(struct pack *p, struct kernel *k)
{
  uint32_t n;
  uint64_t value;
  if (!pack_array(p, &n))
    return 0;
  for (uint32_t axis = 0; axis < n; axis++) {
    if (!pack_uint(p, &value))
      return 0;
    if (axis < 3)
      k->cluster[axis] = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
  }
  return 1;
}

/* The kernel whose descriptor a kernel's map names; *p stays where it is. */
static struct kernel *find_kernel(struct object *o, struct pack p,
                                  uint32_t fields)
{
  struct pack_text key, text;
  while (fields-- && pack_string(&p, &key)) {
    if (!pack_is(key, ".symbol")) {
      if (!pack_skip(&p))
        return NULL;
      continue;
    }
    if (!pack_string(&p, &text) || text.len < 3)
      return NULL;
    text.len -= 3; /* ".kd" */
    for (size_t n = 0; n < o->nkernels; n++)
      if (pack_is(text, o->kernels[n].name))
        return &o->kernels[n];
  }
  return NULL;
}

static int kernel_field(struct pack *p, struct pack_text key, void *to)
{
  struct kernel *k = to;
  if (pack_is(key, ".args"))
    return read_args(p, k);
  return pack_is(key, ".cluster_dims") ? read_cluster(p, k)
                                       : read_number(p, key, k);
}

static int read_kernel(struct object *o, struct pack *p)
{
  uint32_t fields;
  struct pack inside = *p;
  if (!pack_map(&inside, &fields))
    return 0;
  struct kernel *k = find_kernel(o, inside, fields);
  if (!k || k->nargs) /* of nothing that is here, or said twice */
    return pack_skip(p);
  return pack_fields(p, kernel_field, k);
}

static int note_field(struct pack *p, struct pack_text key, void *to)
{
  uint32_t kernels;
  if (!pack_is(key, "amdhsa.kernels"))
    return pack_skip(p);
  if (!pack_array(p, &kernels))
    return 0;
  while (kernels--)
    if (!read_kernel(to, p))
      return 0;
  return 1;
}

static int read_notes(struct object *o, Elf_Data *data)
{
  GElf_Nhdr h;
  size_t name, desc, at = 0;
  while ((at = gelf_getnote(data, at, &h, &name, &desc))) {
    const uint8_t *bytes = (const uint8_t *)data->d_buf;
    struct pack p = {bytes + desc, bytes + desc + h.n_descsz};
    if (h.n_type == NOTE_METADATA && h.n_namesz == 7 &&
        !memcmp(bytes + name, "AMDGPU", 7) &&
        !pack_fields(&p, note_field, o))
      return 0;
  }
  return 1;
}

/* Arguments lie inside the kernarg segment, whose size the runtime trusts. */
static int check_args(const struct kernel *k)
{
  for (size_t n = 0; n < k->nargs; n++)
    if ((uint64_t)k->args[n].offset + k->args[n].size > k->kernarg_size)
      return 0;
  return k->kernarg_size <= 1 << 20;
}

int object_metadata(struct object *o, Elf *elf, struct err *e)
{
  for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
    GElf_Shdr h;
    if (!gelf_getshdr(scn, &h) || h.sh_type != SHT_NOTE)
      continue;
    Elf_Data *data = elf_getdata(scn, NULL);
    if (data && data->d_buf && !read_notes(o, data))
      return err_set(e, ERR_FAILED,
                     "the code object is damaged: its metadata note");
  }
  for (size_t n = 0; n < o->nkernels; n++)
    if (!check_args(&o->kernels[n]))
      return err_set(e, ERR_FAILED,
                     "the code object is damaged: the arguments of kernel "
                     "%.200s", o->kernels[n].name);
  return 0;
}

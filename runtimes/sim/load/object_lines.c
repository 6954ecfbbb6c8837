/* object_lines.c - a code object's line numbers, where it was compiled with
 * them. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/load/object_part.h"

static void keep(struct bytes *to, Elf_Scn *section)
{
  const Elf_Data *data = elf_rawdata(section, NULL);
  if (to->at || !data || !data->d_buf || !data->d_size)
    return;
  to->at = mem_alloc(data->d_size);
  to->n = data->d_size;
  memcpy(to->at, data->d_buf, to->n);
}

void object_lines(struct object *o, Elf *elf)
{
  const struct {
    const char *name;
    struct bytes *to;
  } sections[] = {{".debug_line", &o->lines.line},
                  {".debug_line_str", &o->lines.line_str},
                  {".debug_str", &o->lines.str}};
  Elf_Scn *section = NULL;
  size_t names;
  if (elf_getshdrstrndx(elf, &names))
    return;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr h;
    const char *name = gelf_getshdr(section, &h)
                           ? elf_strptr(elf, names, h.sh_name) : NULL;
    for (size_t n = 0; name && n < sizeof sections / sizeof *sections; n++)
      if (!strcmp(name, sections[n].name))
        keep(sections[n].to, section);
  }
}

int object_line(const struct object *o, uint64_t address, struct source_line *out)
{
  return lines_find(&o->lines, address - (uintptr_t)o->image + o->base, out);
}

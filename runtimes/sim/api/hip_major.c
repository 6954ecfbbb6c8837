/* hip_major.c - which major version of HIP the program was made for.
 *
 * Versions 6 and 7 count some enumerations differently than 5. No call says
 * what its caller was compiled for, but the loader knows: by the names of the
 * libraries that the program's files need, or by the library that stands in
 * for the real one, or behind it.
 */
// SPDX-License-Identifier: MIT
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "runtimes/sim/api/hip.h"

enum {FIRST = 5, LAST = 9};

/* The N of libamdhip64.so.N at the end of a path; 0: it is another file. */
static int major_of(const char *path)
{
  static const char library[] = "libamdhip64.so.";
  const char *name = strrchr(path, '/');
  name = name ? name + 1 : path;
  if (strncmp(name, library, sizeof library - 1))
    return 0;
  int n = name[sizeof library - 1] - '0';
  return n >= FIRST && n <= LAST ? n : 0;
}

/* glibc has made the addresses in the section absolute, but for the vDSO's. */
static const char *strings_of(const struct dl_phdr_info *file,
                              const ElfW(Dyn) *at)
{
  while (at->d_tag != DT_NULL && at->d_tag != DT_STRTAB)
    at++;
  if (at->d_tag == DT_NULL || at->d_un.d_ptr < file->dlpi_addr)
    return NULL;
  return (const char *)at->d_un.d_ptr;
}

static int search(const struct dl_phdr_info *file, const ElfW(Dyn) *at)
{
  const char *strings = strings_of(file, at);
  int found = 0;
  for (; strings && !found && at->d_tag != DT_NULL; at++)
    if (at->d_tag == DT_NEEDED || at->d_tag == DT_SONAME)
      found = major_of(strings + at->d_un.d_val);
  return found;
}

static int visit(struct dl_phdr_info *file, size_t size, void *out)
{
  int found = major_of(file->dlpi_name);
  (void)size;
  for (unsigned n = 0; n < file->dlpi_phnum && !found; n++)
    if (file->dlpi_phdr[n].p_type == PT_DYNAMIC)
      found = search(file, (const ElfW(Dyn) *)(file->dlpi_addr +
                                               file->dlpi_phdr[n].p_vaddr));
  *(int *)out = found;
  return found; /* the first ends the search */
}

int hip_major(struct runtime *r)
{
  if (!r->major) /* a program may load what tells it later */
    dl_iterate_phdr(visit, &r->major);
  return r->major ? r->major : HIP_VERSION_MAJOR;
}

/* --- memory types ---------------------------------------------------------- */

/* The header's numbers are those of one version, that which this was built
 * with; from 6 on managed memory has a number of its own. */
enum {MANAGED = 3, NONE = 99};

static const struct {
  hipMemoryType type;
  unsigned char before, since; /* version 6 */
} numbers[] = {
    {hipMemoryTypeHost, 0, 1},
    {hipMemoryTypeDevice, 1, 2},
    {hipMemoryTypeArray, 2, 10},
    {hipMemoryTypeUnified, 3, 11},
};

enum {TYPES = sizeof numbers / sizeof *numbers};

unsigned hip_memory_number(struct runtime *r, hipMemoryType type, int managed)
{
  int since = hip_major(r) >= 6;
  if (since && managed)
    return MANAGED;
  for (int i = 0; i < TYPES; i++)
    if (numbers[i].type == type)
      return since ? numbers[i].since : numbers[i].before;
  return NONE;
}

hipMemoryType hip_memory_type(struct runtime *r, unsigned number)
{
  int since = hip_major(r) >= 6;
  if (since && number == MANAGED)
    return hipMemoryTypeUnified;
  for (int i = 0; i < TYPES; i++)
    if (number == (since ? numbers[i].since : numbers[i].before))
      return numbers[i].type;
  return (hipMemoryType)NONE;
}

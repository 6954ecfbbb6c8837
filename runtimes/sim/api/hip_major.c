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

enum { FIRST = 5, LAST = 9 };

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

/* By version 5's numbers, which are the header's here: those of 6 and later,
 * where managed memory has a number of its own. */
enum { MANAGED = 3 };
static const uint8_t later[] = {
  [hipMemoryTypeHost] = 1,
  [hipMemoryTypeDevice] = 2,
  [hipMemoryTypeArray] = 10,
  [hipMemoryTypeUnified] = 11,
};

unsigned hip_memory_number(struct runtime *r, hipMemoryType type, int managed)
{
  if (hip_major(r) < 6)
    return type;
  return managed ? MANAGED : later[type];
}

hipMemoryType hip_memory_type(struct runtime *r, unsigned number)
{
  unsigned type = 0;
  if (hip_major(r) < 6)
    return (hipMemoryType)number;
  if (number == MANAGED)
    return hipMemoryTypeUnified;
  while (type < sizeof later && later[type] != number)
    type++;
  return (hipMemoryType)type; /* none that there is, where it is none */
}

/* names.c - see names.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/tool/names.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {FIRST = 5, LAST = 7, PATH = 4096};

/* --- what the program's files need ---------------------------------------- */

/* Its loader, from the ELF file's headers; "": it is a script, say, or needs
 * none. */
static void loader_of(const char *program, char loader[PATH])
{
  Elf64_Ehdr h;
  Elf64_Phdr p;
  int fd = open(program, O_RDONLY | O_CLOEXEC);
  *loader = 0;
  if (fd < 0)
    return;
  int known = pread(fd, &h, sizeof h, 0) == sizeof h &&
              !memcmp(h.e_ident, ELFMAG, SELFMAG) &&
              h.e_ident[EI_CLASS] == ELFCLASS64;
  for (unsigned n = 0; known && n < h.e_phnum && !*loader; n++)
    if (pread(fd, &p, sizeof p, (off_t)(h.e_phoff + n * sizeof p)) ==
            sizeof p &&
        p.p_type == PT_INTERP && p.p_filesz < PATH &&
        pread(fd, loader, p.p_filesz, (off_t)p.p_offset) ==
            (ssize_t)p.p_filesz)
      loader[p.p_filesz] = 0;
  close(fd);
}

static FILE *ask(const char *loader, const char *program, pid_t *child)
{
  int ends[2];
  if (pipe(ends))
    return NULL;
  *child = fork();
  if (!*child) {
    dup2(ends[1], 1);
    dup2(open("/dev/null", O_WRONLY), 2);
    close(ends[0]), close(ends[1]);
    execl(loader, loader, "--list", program, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  FILE *f = *child > 0 ? fdopen(ends[0], "r") : NULL;
  if (!f)
    close(ends[0]);
  return f;
}

enum answer {UNKNOWN, FOUND, MISSING};

static void read_answers(FILE *f, enum answer out[LAST + 1])
{
  static const char name[] = "libamdhip64.so.";
  char line[PATH];
  while (fgets(line, sizeof line, f)) {
    const char *at = strstr(line, name);
    unsigned n = at ? (unsigned)(at[sizeof name - 1] - '0') : 0;
    if (n >= FIRST && n <= LAST && out[n] == UNKNOWN)
      out[n] = strstr(line, "not found") ? MISSING : FOUND;
  }
}

static void ask_loader(const char *program, enum answer out[LAST + 1])
{
  char loader[PATH];
  pid_t child;
  loader_of(program, loader);
  FILE *f = *loader ? ask(loader, program, &child) : NULL;
  if (!f)
    return;
  read_answers(f, out);
  fclose(f);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
}

/* --- what it may load while it runs --------------------------------------- */

/* In a process of its own, which then ends with what was loaded. */
static enum answer try_loading(const char *name)
{
  int status;
  pid_t child = fork();
  if (!child)
    _exit(!dlopen(name, RTLD_LAZY | RTLD_LOCAL));
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return MISSING;
  return WIFEXITED(status) && !WEXITSTATUS(status) ? FOUND : MISSING;
}

int names_link(const char *program, const char *library, const char *folder,
               struct err *e)
{
  enum answer answers[LAST + 1] = {UNKNOWN};
  int made = 0;
  ask_loader(program, answers);
  for (int n = FIRST; n <= LAST; n++) {
    char name[32], path[PATH];
    snprintf(name, sizeof name, "libamdhip64.so.%d", n);
    if (answers[n] == FOUND ||
        (answers[n] == UNKNOWN && try_loading(name) == FOUND))
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (symlink(library, path)) {
      err_set(e, ERR_FAILED, "%s: %s", path, strerror(errno));
      return -1;
    }
    made++;
  }
  return made;
}

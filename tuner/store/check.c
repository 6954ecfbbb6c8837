/* check.c - see check.h. */
// SPDX-License-Identifier: MIT
#include "tuner/store/check.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/mem.h"
#include "db/journal.h"
#include "db/table.h"
#include "tuner/session/stored.h"
#include "db/provenance.h"

struct checking {
  const struct check_request *q;
  struct check_count *count;
  const struct store_file *file;
  struct family *family; /* of the file; NULL where it is not known */
  uint64_t *hashes;      /* of records, or of a night's problems */
  size_t n, room;
  size_t heads, ends, misplaced;
};

static void find(struct checking *c, const char *what, const char *where,
                 const char *why, const char *to_do)
{
  const struct finding f = {what, where, why, to_do};
  c->count->wrong++;
  if (c->q->found)
    c->q->found(c->q->user, &f);
}

/* A notice of the store begins with the file and its line. */
static void find_damage(void *user, const char *text)
{
  struct checking *c = user;
  size_t n = strlen(c->file->path);
  int own = !strncmp(text, c->file->path, n);
  size_t to = own ? n + strcspn(text + n, " ") : 0;
  char *where = own ? strndup(text, to) : mem_copy(c->file->path);
  size_t end = own ? strlen(where) : 0;
  if (end && where[end - 1] == ':')
    where[end - 1] = 0;
  find(c, "damaged", where, text + to + (own && text[to] == ' '),
       c->file->kind == FILE_TABLE
           ? "restore the file from a copy (`tune db merge COPY`), or tune what "
             "is missing again; the next winner makes the file sound"
           : "restore the file from a copy (`tune db merge COPY`); `tune db "
             "prune` takes damaged lines out");
  free(where);
}

/* --- tables -------------------------------------------------------------- */

static void open_family(struct checking *c, const char *arch,
                        const char *name)
{
  const struct arch *a = arch_find(arch);
  const struct pair *facts;
  c->family = NULL;
  if (!a || family_open(&c->family, name, c->q->templates, NULL))
    return;
  size_t n = arch_facts(a, &facts);
  if (family_set_arch(c->family, facts, n, NULL)) {
    family_close(c->family);
    c->family = NULL;
  }
}

static void check_stale(struct checking *c, const struct record *row)
{
  struct stored s;
  struct str brief = {0}, to_do = {0};
  stored_read(c->family, row, &s);
  if (s.stale) {
    stored_brief(c->family, &s, &brief);
    for (char *at = str_text(&brief)[0] ? brief.at : NULL; at && *at; at++)
      *at = *at == ',' ? ' ' : *at;
    str_addf(&to_do, "tune it again: `tune %s --arch %s` with %s",
             record_text(row, "family"), record_text(row, "arch"),
             brief.len ? brief.at : "no other key");
    find(c, "stale", record_text(row, "problem"),
         s.fits ? "the templates make other kernels of this configuration now"
                : "the family has not this problem or configuration any more",
         to_do.at);
  }
  str_free(&brief);
  str_free(&to_do);
}

static void check_twice(struct checking *c, const struct record *a,
                        const struct record *b)
{
  struct str why = {0};
  int same = !provenance_compare(a, b);
  if (same) {
    str_addf(&why, "two rows were made alike, on %s and %s",
             record_text(a, "date"), record_text(b, "date"));
  } else {
    str_add(&why, "two rows were made with different things: ");
    provenance_differs(a, b, &why);
  }
  find(c, "duplicate", record_text(a, "problem"), why.at,
       same ? "`tune db prune` keeps the newer"
            : "a look-up takes the newer; tuning it again replaces both");
  str_free(&why);
}

static int check_table(struct checking *c, struct err *e)
{
  struct table *t;
  int code = table_load_file(&t, c->file->path, find_damage, c, e);
  if (code)
    return code;
  size_t n = table_size(t);
  const struct record *first = n ? table_row(t, 0) : NULL;
  if (first)
    open_family(c, record_text(first, "arch"), record_text(first, "family"));
  if (first && !c->family)
    find(c, "stale", c->file->path, "no template and architecture of this name "
         "is known, so its rows cannot be judged", "name the folder of its "
         "family with --templates");
  for (size_t i = 0; i < n; i++) {
    if (c->family)
      check_stale(c, table_row(t, i));
    if (i && !question_compare(table_row(t, i - 1), table_row(t, i)))
      check_twice(c, table_row(t, i - 1), table_row(t, i));
  }
  if (first && !c->file->alone &&
      (strcmp(record_text(first, "arch"), c->file->folder) != 0 ||
       strcmp(record_text(first, "family"), c->file->name) != 0))
    find(c, "misplaced", c->file->path, "its rows are of another architecture "
         "or family than its name says", "move it, or merge it by its name");
  c->count->tables++;
  c->count->rows += n;
  table_free(t);
  return 0;
}

/* --- journals and nights -------------------------------------------------- */

static void add_hash(struct checking *c, uint64_t hash)
{
  if (c->n == c->room) {
    c->room = c->room ? 2 * c->room : 1024;
    c->hashes = mem_resize(c->hashes, c->room * sizeof *c->hashes);
  }
  c->hashes[c->n++] = hash;
}

static int by_number(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static size_t twice(struct checking *c)
{
  size_t n = 0;
  if (c->n)
    qsort(c->hashes, c->n, sizeof *c->hashes, by_number);
  for (size_t i = 1; i < c->n; i++)
    n += c->hashes[i] == c->hashes[i - 1];
  return n;
}

static int is_kind(const struct record *r, const char *kind)
{
  return !strcmp(record_text(r, "kind"), kind);
}

static void take_result(struct checking *c, const struct record *r)
{
  add_hash(c, record_hash(r));
  c->count->records++;
  c->misplaced += !c->file->alone &&
                  (strcmp(record_text(r, "arch"), c->file->folder) != 0 ||
                   strcmp(record_text(r, "family"), c->file->name) != 0);
  c->count->earlier += c->family && strcmp(record_text(r, "template"),
                                           family_hash(c->family)) != 0;
}

/* Of two records of a problem the last counts: a night that was gone on with
 * may have both, so this is nothing wrong. */
static void take_of_night(struct checking *c, const struct record *r)
{
  c->heads += is_kind(r, "night");
  c->ends += is_kind(r, "end");
  c->count->problems += is_kind(r, "problem");
  c->misplaced += is_kind(r, "night") && !c->file->alone &&
                  strcmp(record_text(r, "sweep"), c->file->folder) != 0;
}

static void take(void *user, struct record *r)
{
  struct checking *c = user;
  if (c->file->kind == FILE_NIGHT)
    take_of_night(c, r);
  else
    take_result(c, r);
  record_free(r);
}

static void find_misplaced(struct checking *c)
{
  struct str why = {0};
  str_addf(&why, "%zu records are of another architecture, family or sweep than "
           "the file's name says", c->misplaced);
  if (c->misplaced)
    find(c, "misplaced", c->file->path, why.at, "move the file to where it "
         "belongs: nobody finds them here");
  str_free(&why);
}

static void find_twice(struct checking *c)
{
  struct str why = {0};
  size_t n = twice(c);
  str_addf(&why, "%zu records stand in it twice, byte by byte: files were "
           "joined by hand", n);
  if (n)
    find(c, "duplicate", c->file->path, why.at, "`tune db prune` keeps one of "
         "each; `tune db merge` joins files without");
  str_free(&why);
}

static int check_records(struct checking *c, struct err *e)
{
  const struct journal_reader reader = {c, take, find_damage};
  c->n = c->heads = c->ends = c->misplaced = 0;
  if (c->file->kind == FILE_JOURNAL)
    open_family(c, c->file->folder, c->file->name);
  if (journal_read(c->file->path, &reader, e) < 0)
    return e->code;
  find_misplaced(c);
  if (c->file->kind == FILE_JOURNAL) {
    find_twice(c);
    c->count->journals++;
    return 0;
  }
  if (!c->heads)
    find(c, "damaged", c->file->path, "it has no head, which says of what sweep "
         "and when it is", "restore the file from a copy, or remove it");
  c->count->nights++;
  c->count->open += !c->ends;
  return 0;
}

int check_files(const struct check_request *q, const struct store_files *files,
                struct check_count *out, struct err *e)
{
  struct checking c = {.q = q, .count = out};
  int code = 0;
  for (size_t i = 0; i < files->n && !code; i++) {
    c.file = &files->list[i];
    c.family = NULL;
    code = c.file->kind == FILE_TABLE ? check_table(&c, e)
                                      : check_records(&c, e);
    if (c.family)
      family_close(c.family);
  }
  free(c.hashes);
  return code;
}

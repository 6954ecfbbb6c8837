/* report_page.c - the page, put together: see page.h. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "gen/source.h"
#include "tuner/report/page.h"

/* Made by the build: the files of page/, and d3.min.js where it was found. */
extern const struct embedded page_files[];

static const struct embedded *find(const char *name)
{
  const struct embedded *f = page_files;
  while (f->name && strcmp(f->name, name) != 0)
    f++;
  return f->name ? f : NULL;
}

static void add_file(const char *name, struct str *out)
{
  const struct embedded *f = find(name);
  if (f)
    str_add_bytes(out, f->bytes, f->size);
}

/* Scripts share one scope; each uses what stands before it. */
static void add_scripts(struct str *out)
{
  static const char *const names[] = {"data.js", "parts.js", "table.js",
                                      "charts.js", "parallel.js", "main.js"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    add_file(names[i], out);
}

/* page.html has lines "@style", "@library", "@data", "@script". */
static void fill(const char *line, size_t n, const struct str *data,
                 struct str *out)
{
  if (n > 1 && !strncmp(line, "@style", n))
    add_file("page.css", out);
  else if (n > 1 && !strncmp(line, "@library", n))
    add_file("d3.min.js", out);
  else if (n > 1 && !strncmp(line, "@data", n))
    str_add_bytes(out, data->at, data->len);
  else if (n > 1 && !strncmp(line, "@script", n))
    add_scripts(out);
  else
    str_add_bytes(out, line, n);
  str_add(out, "\n");
}

int report_page(struct report *r, struct str *out, struct err *e)
{
  const struct embedded *html = find("page.html");
  const struct report_request *q = &r->asked;
  struct candidates c;
  struct str data = {0};
  if (!html || !find("d3.min.js"))
    return err_set(e, ERR_FAILED, "--format html: this tune was built without "
                   "D3, which draws the page; apt-get install node-d3, then "
                   "build again. The other formats need none");
  int code = candidates_read(&c, &r->nights, q->store, q->notice, q->user, e);
  if (!code) {
    candidates_weigh(&c);
    page_data(r, &c, &data);
    const char *at = html->bytes, *end = html->bytes + html->size;
    for (size_t n; at < end; at += n + 1) {
      n = strcspn(at, "\n");
      fill(at, n, &data, out);
    }
  }
  candidates_free(&c);
  str_free(&data);
  return code;
}

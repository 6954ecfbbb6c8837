/* card_amdgpu.c - a card by the files of the driver amdgpu.
 *
 * In SYS/bus/pci/devices/BUS_ID: hwmon/hwmonN (docs.kernel.org, gpu/amdgpu/
 * thermal.html: hertz, microwatts, thousandths of a degree), gpu_metrics,
 * pp_dpm_sclk and pp_dpm_mclk ("1: 1000Mhz *"), vbios_version, fw_version/. A
 * value is taken from hwmon where that has it, which has documented units, then
 * from gpu_metrics, then from pp_dpm_*; throttling only gpu_metrics tells.
 */
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/mem.h"
#include "tuner/conditions/gpu_metrics.h"

enum {TEXT_MAX = 4096, LINE_MAX_SHOWN = 64};

struct places {
  struct str card, hwmon; /* folders; hwmon "" where there is none */
};

/* --- files ---------------------------------------------------------------- */

/* The contents, or "" where they cannot be had. out is appended to. */
static void take(const struct str *folder, const char *name, struct str *out)
{
  struct str path = {0};
  if (!folder->len)
    return;
  str_addf(&path, "%s/%s", folder->at, name);
  size_t before = out->len;
  if (file_read(path.at, TEXT_MAX, out, NULL) && out->len > before)
    out->at[out->len = before] = 0;
  str_free(&path);
}

/* The first line without what is not printable. */
static void take_line(const struct str *folder, const char *name,
                      struct str *out)
{
  struct str text = {0};
  take(folder, name, &text);
  size_t n = strcspn(str_text(&text), "\n");
  for (size_t i = 0; i < n && i < LINE_MAX_SHOWN; i++)
    if (isprint((unsigned char)text.at[i]))
      str_add_bytes(out, &text.at[i], 1);
  str_free(&text);
}

/* A number alone in a file; NAN where there is none. */
static double number(const struct str *folder, const char *name)
{
  struct str text = {0};
  char *end;
  take(folder, name, &text);
  double v = strtod(str_text(&text), &end);
  int alone = end != str_text(&text) && (*end == '\n' || !*end);
  str_free(&text);
  return alone ? v : NAN;
}

/* --- where they are ------------------------------------------------------- */

static const char *sys(void)
{
  const char *given = getenv("TUNE_SYSFS");
  return given && *given ? given : "/sys";
}

/* A bus id is part of a path: hexadecimal numbers, colons and a dot. */
static int plain(const char *bus_id)
{
  return *bus_id && strspn(bus_id, "0123456789abcdefABCDEF:.") ==
                        strlen(bus_id) && !strstr(bus_id, "..");
}

static void find_hwmon(struct places *p)
{
  struct str folder = {0};
  struct dirent *entry;
  str_addf(&folder, "%s/hwmon", p->card.at);
  DIR *dir = opendir(folder.at);
  while (dir && !p->hwmon.len && (entry = readdir(dir)))
    if (!strncmp(entry->d_name, "hwmon", 5))
      str_addf(&p->hwmon, "%s/%s", folder.at, entry->d_name);
  if (dir)
    closedir(dir);
  str_free(&folder);
}

static void find_card(const char *bus_id, struct str *out)
{
  str_addf(out, "%s/bus/pci/devices/", sys());
  for (const char *at = bus_id; *at; at++)
    str_addf(out, "%c", tolower((unsigned char)*at));
}

/* --- versions ------------------------------------------------------------- */

/* The driver has a version where AMD packages it; else it is the kernel's. */
static void find_driver(struct card *c)
{
  struct str folder = {0}, version = {0};
  struct utsname host;
  str_addf(&folder, "%s/module/amdgpu", sys());
  take_line(&folder, "version", &version);
  if (version.len)
    str_addf(&c->driver, "amdgpu %s", version.at);
  else if (!uname(&host))
    str_addf(&c->driver, "amdgpu of Linux %s", host.release);
  str_free(&folder);
  str_free(&version);
}

/* Of those in fw_version/ the ones that decide how fast kernels run: the power
 * manager's, the compute engine's and the one for its power states. */
static void find_firmware(struct card *c, const struct places *p)
{
  static const char *const parts[] = {"smc", "mec", "rlc"};
  struct str version = {0};
  take_line(&p->card, "vbios_version", &version);
  if (version.len)
    str_addf(&c->firmware, "vbios %s", version.at);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char file[64];
    snprintf(file, sizeof file, "fw_version/%s_fw_version", parts[i]);
    str_clear(&version);
    take_line(&p->card, file, &version);
    if (version.len)
      str_addf(&c->firmware, "%s%s %s", c->firmware.len ? ", " : "", parts[i],
               version.at);
  }
  str_free(&version);
}

/* --- a reading ------------------------------------------------------------ */

/* "1: 1000Mhz *" of the state that is on. */
static double starred(const struct str *folder, const char *name)
{
  struct str text = {0};
  double mhz = 0;
  take(folder, name, &text);
  for (const char *at = str_text(&text); *at; at += strcspn(at, "\n")) {
    at += strspn(at, "\n");
    size_t n = strcspn(at, "\n");
    const char *colon = memchr(at, ':', n);
    if (colon && memchr(at, '*', n))
      mhz = strtod(colon + 1, NULL);
  }
  str_free(&text);
  return card_mhz(mhz);
}

static int labelled(const struct str *hwmon, int i, const char *label)
{
  char name[32];
  struct str text = {0};
  snprintf(name, sizeof name, "temp%d_label", i);
  take_line(hwmon, name, &text);
  int same = !strcmp(str_text(&text), label);
  str_free(&text);
  return same;
}

static double degrees(const struct str *hwmon, int i)
{
  char name[32];
  snprintf(name, sizeof name, "temp%d_input", i);
  return card_celsius(number(hwmon, name) / 1000);
}

/* The hottest place of the die, where it has a sensor there: temp1 is that of
 * its edge. */
static double hottest(const struct str *hwmon)
{
  double c = labelled(hwmon, 2, "junction") ? degrees(hwmon, 2) : 0;
  return c > 0 ? c : degrees(hwmon, 1);
}

static double power(const struct str *hwmon)
{
  double w = card_watts(number(hwmon, "power1_average") / 1e6);
  return w > 0 ? w : card_watts(number(hwmon, "power1_input") / 1e6);
}

static void prefer(double better, double *to)
{
  *to = better > 0 ? better : *to;
}

static void amdgpu_read(struct card *c, struct reading *out)
{
  const struct places *p = c->state;
  struct str metrics = {0};
  take(&p->card, "gpu_metrics", &metrics);
  gpu_metrics_parse(str_text(&metrics), metrics.len, out);
  str_free(&metrics);
  prefer(card_mhz(number(&p->hwmon, "freq1_input") / 1e6), &out->sclk_mhz);
  prefer(card_mhz(number(&p->hwmon, "freq2_input") / 1e6), &out->mclk_mhz);
  prefer(power(&p->hwmon), &out->power_w);
  prefer(hottest(&p->hwmon), &out->temp_c);
  if (!(out->sclk_mhz > 0))
    out->sclk_mhz = starred(&p->card, "pp_dpm_sclk");
  if (!(out->mclk_mhz > 0))
    out->mclk_mhz = starred(&p->card, "pp_dpm_mclk");
}

/* --- opening -------------------------------------------------------------- */

static void amdgpu_close(struct card *c)
{
  struct places *p = c->state;
  str_free(&p->card);
  str_free(&p->hwmon);
  free(p);
}

/* Another driver's card has none of these files. */
static int is_amdgpu(const struct places *p)
{
  static const char *const files[] = {"gpu_metrics", "pp_dpm_sclk",
                                      "vbios_version"};
  int found = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files && !found; i++) {
    struct str path = {0};
    str_addf(&path, "%s/%s", p->card.at, files[i]);
    found = file_exists(path.at);
    str_free(&path);
  }
  return found;
}

static int amdgpu_open(struct card *c, const char *bus_id, struct err *e)
{
  if (!plain(bus_id))
    return err_set(e, ERR_FAILED, "'%s' is no PCI bus id", bus_id);
  struct places *p = c->state = mem_alloc(sizeof *p);
  find_card(bus_id, &p->card);
  if (!is_amdgpu(p)) {
    err_set(e, ERR_FAILED, "%s has no files of this driver", p->card.at);
    amdgpu_close(c);
    return ERR_FAILED;
  }
  find_hwmon(p);
  find_driver(c);
  find_firmware(c, p);
  return 0;
}

const struct card_source card_amdgpu = {"amdgpu", amdgpu_open, amdgpu_read,
                                        amdgpu_close};

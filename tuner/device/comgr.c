/* comgr.c - see comgr.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/comgr.h"

#include <dlfcn.h>
#include <string.h>

#include "base/rocm.h"

static const char *const names[] = {"libamd_comgr.so.3", "libamd_comgr.so.2",
                                    NULL};

static const struct {
  const char *name;
  size_t offset; /* of the pointer in struct comgr */
} symbols[] = {
    {"amd_comgr_get_isa_count", offsetof(struct comgr, isa_count)},
    {"amd_comgr_get_isa_name", offsetof(struct comgr, isa_name)},
    {"amd_comgr_create_disassembly_info", offsetof(struct comgr, create)},
    {"amd_comgr_disassemble_instruction", offsetof(struct comgr, disassemble)},
};

int comgr_open(struct comgr *c, const void *beside, struct err *e)
{
  struct err why = {0};
  void *library = beside ? rocm_open_beside(beside, names, &why)
                         : rocm_open(names, &why);
  if (!library)
    return err_set(e, ERR_FAILED, "cannot load amd_comgr: %s; it comes with "
                   "hiprtc: %s", why.text, ROCM_INSTALL);
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
    void *at = dlsym(library, symbols[i].name);
    if (!at)
      return err_set(e, ERR_FAILED, "amd_comgr is older than ROCm 5 and has "
                     "no %s", symbols[i].name);
    memcpy((char *)c + symbols[i].offset, &at, sizeof at);
  }
  return 0;
}

void comgr_targets(const struct comgr *c, struct str *out)
{
  size_t n = 0;
  c->isa_count(&n);
  for (size_t i = 0; i < n; i++) {
    const char *isa; /* "amdgcn-amd-amdhsa--gfx906" */
    if (c->isa_name(i, &isa) == AMD_COMGR_STATUS_SUCCESS && strstr(isa, "--"))
      str_addf(out, "%s%s", out->len ? " " : "", strstr(isa, "--") + 2);
  }
}

/* decode.c - the decoder against LLVM's disassembler.
 *
 * What llvm-mc makes of a sweep over all opcodes, and of random dwords, must
 * be what decode() makes of them: the mnemonic, the length, and the registers
 * that the operands name. For every architecture whose code is executed; of
 * those that LLVM 15 does not know, where LLVM 22 is.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <cmocka.h>

#include "base/rng.h"
#include "base/str.h"
#include "runtimes/sim/run/wave.h"
#include "runtimes/sim/run/exec.h"
#include "tests/sim/llvm.h"

/* --- registers as a sorted list of "v3" and "s4:7" ------------------------ */

struct names {
  char at[16][16];
  int n;
};

static void add_name(struct names *l, char kind, unsigned first, unsigned width)
{
  if (!width || l->n == 16)
    return;
  snprintf(l->at[l->n++], sizeof *l->at, width > 1 ? "%c%u:%u" : "%c%u", kind,
           first, first + width - 1);
}

static int by_text(const void *a, const void *b)
{
  return strcmp(a, b);
}

static void sort_names(struct names *l)
{
  qsort(l->at, (size_t)l->n, sizeof *l->at, by_text);
}

/* Every v1, s1, v[1:2], s[1:2] of a disassembled line. */
static void names_of_text(const char *text, struct names *l)
{
  l->n = 0;
  for (const char *p = text; *p; p++) {
    unsigned a, b;
    if ((*p != 'v' && *p != 's' && *p != 'a') || (p > text && (isalnum(p[-1]) ||
                                                  p[-1] == '_')))
      continue;
    if (sscanf(p + 1, "[%u:%u]", &a, &b) == 2)
      add_name(l, *p, a, b - a + 1);
    else if (isdigit(p[1]) && sscanf(p + 1, "%u", &a) == 1)
      add_name(l, *p, a, 1);
  }
  sort_names(l);
}

/* Codes beyond have names of their own. */
static unsigned sgprs_of(const struct inst *i)
{
  return isa_at(i->isa)->encoding == ENCODING_GFX12 ? 106 : 102;
}

static void add_code(const struct inst *i, struct names *l, unsigned code,
                     unsigned width)
{
  if (code >= CODE_AGPR)
    add_name(l, 'a', code - CODE_AGPR, width);
  else if (code >= CODE_VGPR)
    add_name(l, 'v', code - CODE_VGPR, width);
  else if (code < sgprs_of(i))
    add_name(l, 's', code, width);
}

static int writes_memory_only(const struct inst *i)
{
  return strstr(inst_name(i), "_atomic_") && !(i->flags & INST_GLC);
}

static void names_of_buffer(const struct inst *i, const struct op *o,
                            struct names *l)
{
  unsigned address = !!(i->flags & INST_OFFEN) + !!(i->flags & INST_IDXEN);
  if (!o->src[1] && !(i->flags & INST_LDS))
    return; /* buffer_wbinvl1 */
  if (!(i->flags & INST_LDS))
    add_code(i, l, i->src[1], o->src[1]);
  add_code(i, l, i->src[0], address);
  add_code(i, l, i->srsrc, 4);
  add_code(i, l, i->src[2], 1);
}

static void names_of_flat(const struct inst *i, const struct op *o,
                          struct names *l)
{
  int saddr = !!(i->flags & INST_SADDR);
  unsigned address = o->src[0];
  if (i->format == SCRATCH)
    address = !!(i->flags & INST_VADDR);
  else if (saddr && address)
    address = 1;
  if (!writes_memory_only(i) && !(i->flags & INST_LDS))
    add_code(i, l, CODE_VGPR + i->dst, o->dst);
  add_code(i, l, i->src[0], address);
  add_code(i, l, i->src[1], o->src[1]);
  if (saddr)
    add_code(i, l, i->src[2], i->format == SCRATCH ? 1 : 2);
}

static void names_of_scalar(const struct inst *i, const struct op *o,
                            struct names *l)
{
  add_code(i, l, i->dst, o->dst);
  add_code(i, l, i->format == SMEM ? i->srsrc : i->src[0], o->src[0]);
  if (i->format != SMEM)
    add_code(i, l, i->src[1], o->src[1]);
  else if ((o->src[0] || strstr(o->name, "_pc_rel")) && i->flags & INST_SOFFSET)
    add_code(i, l, i->src[2], 1);
}

static int is_scaled(const struct inst *i)
{
  const char *name = inst_name(i);
  return i->words == 4 && (!strncmp(name, "v_wmma_", 7) || !strncmp(name, "v_mfma_", 7));
}

static void names_of_vector(const struct inst *i, const struct op *o,
                            struct names *l)
{
  if (i->format == VOPC)
    add_code(i, l, i->sdst, isa_at(i->isa)->lanes / 32);
  else if (o->dst & OP_SCALAR)
    add_code(i, l, i->dst, o->dst & OP_WIDTH);
  else
    add_code(i, l, CODE_VGPR + i->dst, o->dst & OP_WIDTH);
  if (o->dst & OP_CARRY)
    add_code(i, l, i->sdst, isa_at(i->isa)->lanes / 32);
  for (int n = 0; n < 3; n++)
    add_code(i, l, i->src[n], inst_source_width(i, n));
  if (is_scaled(i)) {
    add_code(i, l, i->srsrc, i->flags & INST_SCALE16 ? 2 : 1);
    add_code(i, l, i->sdst, i->flags & INST_SCALE16 ? 2 : 1);
  }
}

static void names_of_tensor(const struct inst *i, const struct op *o,
                            struct names *l)
{
  add_code(i, l, i->src[0], o->src[0]);
  add_code(i, l, i->src[1], o->src[1]);
  add_code(i, l, i->src[2], o->src[2]);
  add_code(i, l, i->srsrc, o->src[2]);
}

static void names_of_inst(const struct inst *i, struct names *l)
{
  const struct op *o = inst_op(i);
  l->n = 0;
  if (i->format <= SMEM)
    names_of_scalar(i, o, l);
  else if (i->format == TENSOR)
    names_of_tensor(i, o, l);
  else if (i->format < DS)
    names_of_vector(i, o, l);
  else if (i->format == DS) {
    add_code(i, l, CODE_VGPR + i->dst, o->dst);
    for (int n = 0; n < 3; n++)
      add_code(i, l, i->src[n], o->src[n]);
  } else if (i->format <= SCRATCH)
    names_of_flat(i, o, l);
  else
    names_of_buffer(i, o, l);
  sort_names(l);
}

/* Those of a dual instruction's other half, too. */
static void names_of_second(const struct inst *i, struct names *l)
{
  if (inst_op(i))
    names_of_vector(i, inst_op(i), l);
  sort_names(l);
}

/* --- comparing ------------------------------------------------------------ */

/* Mnemonics without what only says which encoding it is. */
static void strip_suffix(char *name)
{
  static const char *const suffixes[] = {"_dpp", "_sdwa", "_e32", "_e64"};
  for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
    size_t n = strlen(name), m = strlen(suffixes[k]);
    if (n > m && !strcmp(name + n - m, suffixes[k]))
      name[n - m] = 0;
  }
}

/* "v_wmma_scale16_f32_16x16x128_f8f6f4" is the opcode without "_scale16", with two
 * dwords before it. */
static void strip_scale(char *name)
{
  char *scale = strlen(name) > 6 && !strncmp(name + 6, "_scale", 6) ? name + 6 : NULL;
  char *rest = scale ? strchr(scale + 1, '_') : NULL;
  if (rest)
    memmove(scale, rest, strlen(rest) + 1);
}

static int same_names(const struct names *a, const struct names *b)
{
  if (a->n != b->n)
    return 0;
  for (int n = 0; n < a->n; n++)
    if (strcmp(a->at[n], b->at[n]))
      return 0;
  return 1;
}

/* Out of scope: graphics, and what LLVM calls the dword 0. */
static int out_of_scope(const char *name)
{
  return !strncmp(name, "v_interp", 8) || !strncmp(name, "image_", 6) ||
         !strcmp(name, "exp") || !strcmp(name, "v_illegal");
}

static void print_names(const struct names *l)
{
  for (int n = 0; n < l->n; n++)
    fprintf(stderr, " %s", l->at[n]);
}

/* A matrix in SGPRs or a number for A: LLVM prints what its own assembler does
 * not take. */
static int odd_matrix(const char *line)
{
  const char *at = strstr(line, "mfma");
  if (!at && !(at = strstr(line, "smfmac")))
    return 0;
  struct names l;
  names_of_text(at + strcspn(at, " "), &l);
  for (int n = 0; n < l.n; n++)
    if (l.at[n][0] == 's')
      return 1;
  return l.n < 3 || strstr(at, "ttmp") || strstr(at, "vcc") ||
         strstr(at, "exec") || strstr(at, "m0") || strstr(at, "flat_scratch") ||
         strstr(at, "src_") || strstr(at, "0x");
}

/* LLVM 22 takes the bit nv of FLAT atomics for gfx90a's, which makes AGPRs of the
 * data, on architectures before, too. */
static int odd_atomic(const struct isa *isa, const char *line)
{
  return isa->agprs != AGPRS_UNIFIED && strstr(line, "flat_atomic") &&
         strstr(line, " a");
}

static int has_format(const char *line, char matrix, char n)
{
  char text[] = "matrix_?_fmt:?";
  text[7] = matrix;
  text[13] = n;
  return strstr(line, text) != NULL;
}

/* Words that LLVM says itself it cannot print; v254 in SDWA, which it takes for
 * its LDS operand; buffer accesses with a status dword (tfe), which LLVM 22
 * counts among the data and LLVM 15 does not; mix instructions of GFX12, which it
 * prints back in GFX9's words; matrices in formats that there are not. */
static int no_answer(const struct isa *isa, const char *line)
{
  if (isa->encoding == ENCODING_GFX12 && strstr(line, "v_fma_mix"))
    return 1;
  for (char n = '5'; n <= '7'; n++)
    if (has_format(line, 'a', n) || has_format(line, 'b', n))
      return 1;
  return strstr(line, "/*invalid") || strstr(line, "/*Invalid") ||
         strstr(line, "src_lds_direct") || strstr(line, " tfe") ||
         odd_matrix(line) || odd_atomic(isa, line);
}

/* One line: "name operands ; encoding: [0x01,...]". 1: differs. */
static int compare_line(const struct isa *isa, char *line)
{
  char *encoding = strstr(line, "; encoding: [");
  char name[64];
  const char *start = line + strspn(line, " \t");
  if (!encoding || !strchr(encoding, ']') || /* where LLVM crashed */
      sscanf(start, "%63s", name) != 1 || no_answer(isa, line))
    return 0;
  uint8_t bytes[20] = {0};
  unsigned n = 0;
  for (char *p = encoding + 13; n < sizeof bytes && *p != ']'; p++, n++)
    bytes[n] = (uint8_t)strtoul(p, &p, 16), p -= *p == ']';
  *encoding = 0;
  uint32_t words[5];
  memcpy(words, bytes, sizeof words);
  strip_suffix(name);
  strip_scale(name);
  if (out_of_scope(name) || n > sizeof words)
    return 0;
  struct inst i, second;
  struct names ours, theirs;
  int length = decode(isa, words, 5, &i);
  names_of_text(start + strcspn(start, " "), &theirs);
  ours.n = 0;
  if (inst_op(&i))
    names_of_inst(&i, &ours);
  int dual = decode_second(isa, words, 5, &second) > 0;
  if (dual)
    names_of_second(&second, &ours);
  char *other = strstr(start, " :: ");
  int same_other = dual == (other != NULL) &&
                   (!dual || !strncmp(other + 4, inst_name(&second),
                                      strlen(inst_name(&second))));
  if (!strcmp(inst_name(&i), name) && length == (int)n / 4 && same_other &&
      same_names(&ours, &theirs))
    return 0;
  fprintf(stderr, "%08x %08x: %s, %d dwords,", words[0], words[1],
          inst_name(&i), length);
  print_names(&ours);
  fprintf(stderr, "; LLVM: %u bytes, %s\n", n, start);
  return 1;
}

static int compare(const struct isa *isa, const char *input, int *lines)
{
  char *text = llvm_mc_for(isa->name, "-disassemble -show-encoding", input);
  if (!text)
    skip();
  int wrong = 0;
  *lines = 0;
  for (char *save, *line = strtok_r(text, "\n", &save); line;
       line = strtok_r(NULL, "\n", &save)) {
    if (strstr(line, "encoding:"))
      ++*lines;
    wrong += compare_line(isa, line);
  }
  free(text);
  return wrong;
}

static void add_words(struct str *s, const uint32_t *w, int words)
{
  for (int n = 0; n < 4 * words; n++)
    str_addf(s, "0x%02x,", w[n / 4] >> 8 * (n % 4) & 0xff);
  str_add(s, "\n");
}

/* --- every opcode --------------------------------------------------------- */

/* An instruction of the opcode with a register number of its own in each
 * operand field that the opcode uses, zero in the others, as LLVM wants. */
enum {D = 32, A = 64, B = 80, C = 48, S = 20};

static int field(unsigned width, int value)
{
  return width ? value : 0;
}

static void encode(const struct isa *isa, unsigned format, unsigned op,
                   const struct op *o, uint32_t w[2])
{
  uint32_t d = field(o->dst & OP_WIDTH, D), a = field(o->src[0], A);
  uint32_t b = field(o->src[1], B), c = field(o->src[2], C);
  uint32_t v = a ? 256 + A : 0;
  switch (format) {
  case SOP2: w[0] = 0x80000000 | op << 23 | d << 16 | b << 8 | a; break;
  case SOPK: w[0] = 0xb0000000 | op << 23 | d << 16 | 0x1801, w[1] = 7; break;
  case SOP1: w[0] = 0xbe800000 | d << 16 | op << 8 | a; break;
  case SOPC: w[0] = 0xbf000000 | op << 16 | (b ? b : 3) << 8 | a; break;
  case SOPP: w[0] = 0xbf800000 | op << 16; break;
  case SMEM:
    w[0] = 0xc0000000 | op << 18 | (a && d ? 1 << 17 : 0) | d << 6 | a >> 1;
    w[1] = a && d ? 8 : 0;
    break;
  case VOP1: w[0] = 0x7e000000 | d << 17 | op << 9 | v; break;
  case VOP2: w[0] = op << 25 | d << 17 | b << 9 | v, w[1] = 0x1234; break;
  case VOPC: w[0] = 0x7c000000 | op << 17 | b << 9 | v; break;
  case VOP3:
    w[0] = 0xd0000000 | op << 16 | (o->dst & OP_CARRY ? S << 8 : 0) | d;
    w[1] = v | (b ? 256 + B : 0) << 9 |
           (o->src[2] == OP_MASK ? C : c ? 256 + C : 0) << 18;
    if (!strcmp(o->name, "v_readlane_b32") ||
        !strcmp(o->name, "v_writelane_b32"))
      w[1] = (d && op == 0x289 ? v : A) | S << 9;
    break;
  case VOP3P:
    w[0] = 0xd3800000 | op << 16 | 1 << 14 | d;
    w[1] = v | (256 + B) << 9 | (c ? 256 + C : 0) << 18 | 3u << 27;
    break;
  case DS: w[0] = 0xd8000000 | op << 17, w[1] = d << 24 | c << 16 | b << 8 | a;
    if (!strncmp(o->name, "ds_gws", 6) || !strcmp(o->name, "ds_ordered_count"))
      w[0] |= 1 << 16;
    break;
  case FLAT: case GLOBAL: case SCRATCH:
    w[0] = 0xdc000000 | op << 18 | (op >= 0x40) << 16 |
           (format == GLOBAL ? 2u : format == SCRATCH) << 14;
    if (format == SCRATCH && isa->own_scratch)
      w[0] |= 1 << 13; /* with an address in a VGPR */
    w[1] = d << 24 | (format == FLAT ? 0 : 0x7fu) << 16 | b << 8 | a;
    break;
  case MUBUF:
    w[0] = 0xe0000000 | op << 18 | (b ? 1 << 12 : 0);
    w[1] = b ? 12u << 24 | 4 << 16 | b << 8 | A : 0;
    if (op == 0x3d) /* buffer_store_lds_dword */
      w[0] |= 1 << 16, w[1] = 12u << 24 | 4 << 16;
    break;
  default:
    w[0] = 0xe8000000 | 4 << 23 | 4 << 19 | op << 15 | 1 << 12;
    w[1] = 12u << 24 | 4 << 16 | b << 8 | A;
  }
}

/* The same in GFX12's encodings. Whatever is not a VGPR is at the same place. */
static void encode12(unsigned format, unsigned op, const struct op *o,
                     uint32_t w[4])
{
  uint32_t d = field(o->dst & OP_WIDTH, D), a = field(o->src[0], A);
  uint32_t b = field(o->src[1], B), c = field(o->src[2], C);
  uint32_t v = a ? 256 + A : 0, none = 0x7c;
  uint32_t returns = strstr(o->name, "_atomic_") ? 1 << 20 : 0;
  switch (format) {
  case SOP2: w[0] = 0x80000000 | op << 23 | d << 16 | b << 8 | a; break;
  case SOPK: w[0] = 0xb0000000 | op << 23 | d << 16 | 0x1801, w[1] = 7; break;
  case SOP1: w[0] = 0xbe800000 | d << 16 | op << 8 | a; break;
  case SOPC: w[0] = 0xbf000000 | op << 16 | b << 8 | a; break;
  case SOPP: w[0] = 0xbf800000 | op << 16; break;
  case SMEM: w[0] = 0xf4000000 | op << 13 | d << 6 | a >> 1; w[1] = none << 25 | 8;
    break;
  case VOP1: w[0] = 0x7e000000 | d << 17 | op << 9 | v; break;
  case VOP2: w[0] = op << 25 | d << 17 | b << 9 | v; w[1] = 0x1234; break;
  case VOPC: w[0] = 0x7c000000 | op << 17 | b << 9 | v; break;
  case VOP3:
    w[0] = 0xd4000000 | op << 16 | (o->dst & OP_CARRY ? S << 8 : 0) |
           (strstr(o->name, "v_cmpx_") ? 126 : d);
    w[1] = v | (b ? 256 + B : 0) << 9 |
           (o->src[2] == OP_MASK32 ? C : c ? 256 + C : 0) << 18;
    if (b && (strstr(o->name, "v_readlane") || strstr(o->name, "v_permlane")))
      w[1] = v | B << 9 | c << 18;
    if (strstr(o->name, "_var_b32"))
      w[1] = v | (256 + B) << 9;
    if (strstr(o->name, "v_writelane"))
      w[1] = A | B << 9;
    break;
  case VOP3P:
    w[0] = 0xcc000000 | op << 16 | 1 << 14 | d;
    w[1] = v | (256 + B) << 9 | (c ? 256 + C : 0) << 18 | 3u << 27;
    break;
  case TENSOR:
    w[0] = 0xd0710001 | op << 14, w[1] = none << 24;
    w[2] = A | B << 8 | C << 16 | (uint32_t)S << 24;
    break;
  case DS: w[0] = 0xd8000000 | op << 18, w[1] = d << 24 | c << 16 | b << 8 | a;
    break;
  case FLAT: case GLOBAL: case SCRATCH:
    w[0] = (format == FLAT ? 0xec000000 : format == GLOBAL ? 0xee000000
                                                           : 0xed000000) |
           op << 14 | none;
    w[1] = d | b << 23 | returns | (format == SCRATCH ? 1 << 17 : 0);
    w[2] = a;
    break;
  case MUBUF:
    w[0] = 0xc4000000 | op << 14 | 12;
    w[1] = b | 4 << 9 | 1 << 30, w[2] = A;
    break;
  default: /* VOPD: beside v_dual_mov_b32; doubles come first, and what has a
              constant is in two dwords */
    if (op == 1 || op == 2) {
      w[0] = 0xc8000000 | 8 << 22 | op << 17 | 257;
      w[1] = 3u << 24 | d >> 1 << 17 | b << 9 | v, w[2] = 0x1234;
      break;
    }
    w[0] = 0xcf000000 | (op < 32 ? 8 << 18 | op << 12 | 257
                                 : op << 18 | 8 << 12 | v);
    w[1] = op < 32 ? v : 257 | b << 16 | c << 24;
    w[2] = op < 32 ? 3 | b << 8 | c << 16 | d << 24 : d | 3u << 24;
  }
}

static void test_every_opcode(void **state)
{
  const struct isa *isa = *state;
  if (!llvm_mc_program(isa->name))
    skip();
  struct str input = {0};
  int opcodes = 0, lines;
  for (unsigned format = 0; format < FORMAT_N; format++)
    for (unsigned op = 0; op < 1024; op++) {
      const struct op *o = op_find(isa, format, op);
      uint32_t w[4] = {0};
      struct inst i;
      if (!o || out_of_scope(o->name))
        continue;
      if (isa->encoding == ENCODING_GFX12)
        encode12(format, op, o, w);
      else
        encode(isa, format, op, o, w);
      add_words(&input, w, decode(isa, w, 4, &i));
      opcodes++;
    }
  int wrong = compare(isa, str_text(&input), &lines);
  str_free(&input);
  print_message("%d opcodes, LLVM disassembled %d\n", opcodes, lines);
  assert_int_equal(wrong, 0);
  assert_int_equal(lines, opcodes);
}

static int known_name(const struct isa *isa, const char *name)
{
  for (unsigned format = 0; format < FORMAT_N; format++)
    for (unsigned op = 0; op < 1024; op++) {
      const struct op *o = op_find(isa, format, op);
      if (o && !strcmp(o->name, name))
        return 1;
    }
  return 0;
}

/* Names in what LLVM printed that no table has. *prefixes: how often it printed what
 * comes before a product with scales, and is a part of that here. */
static int unknown(const struct isa *isa, char *text, int *prefixes)
{
  int found = 0;
  *prefixes = 0;
  for (char *save, *line = strtok_r(text, "\n", &save); line;
       line = strtok_r(NULL, "\n", &save)) {
    char name[64];
    if (!strstr(line, "; encoding: [") || sscanf(line, "%63s", name) != 1)
      continue;
    strip_suffix(name);
    int prefix = !strcmp(name, "v_mfma_ld_scale_b32");
    *prefixes += prefix;
    if (prefix || out_of_scope(name) || known_name(isa, name))
      continue;
    fprintf(stderr, "no opcode here: %s\n", line);
    found++;
  }
  return found;
}

/* Opcodes that no table has, in each field of an encoding, LLVM has not either. */
static void test_no_other_opcode(void **state)
{
  const struct isa *isa = *state;
  static const struct op forms[] = {
      {.name = "", .dst = 1, .src = {1, 1, 1}},
      {.name = "", .dst = 1, .src = {1, 1, 0}},
      {.name = "", .dst = 0, .src = {1, 1, 0}},
      {.name = "", .dst = 1, .src = {1, 0, 0}},
      {.name = ""},
  };
  struct str input = {0};
  int asked = 0, prefixes;
  if (!llvm_mc_program(isa->name))
    skip();
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
    for (unsigned format = 0; format < FORMAT_N; format++)
      for (unsigned op = 0; op < 1024; op++) {
        uint32_t w[4] = {0};
        struct inst i;
        if (op_find(isa, format, op))
          continue;
        if (isa->encoding == ENCODING_GFX12)
          encode12(format, op, &forms[form], w);
        else
          encode(isa, format, op, &forms[form], w);
        decode(isa, w, 4, &i);
        if (i.format != format || i.op != op)
          continue; /* the field is not so wide */
        add_words(&input, w, isa->encoding == ENCODING_GFX12 ? 4 : 2);
        asked++;
      }
  char *text = llvm_mc_for(isa->name, "-disassemble -show-encoding",
                           str_text(&input));
  int found = unknown(isa, text, &prefixes);
  const struct op *scaled = op_find(isa, VOP3P, 0x2d);
  print_message("%d words of no opcode\n", asked);
  free(text);
  str_free(&input);
  assert_int_equal(found, 0);
  assert_int_equal(prefixes > 0, scaled && scaled->matrix);
  assert_true(asked > 5000);
}

/* --- random dwords -------------------------------------------------------- */

/* The first bits of the encodings, so that random words hit them all. */
static const uint32_t prefixes[][2] = {
    {0x00000000, 0x7fffffff}, {0x7c000000, 0x03ffffff},
    {0x80000000, 0x3fffffff}, {0xb0000000, 0x0fffffff},
    {0xbe800000, 0x007fffff}, {0xbf000000, 0x00ffffff},
    {0xc0000000, 0x03ffffff}, {0xd0000000, 0x03ffffff},
    {0xd3800000, 0x007fffff}, {0xd8000000, 0x03ffffff},
    {0xdc000000, 0x03ffffff}, {0xe0000000, 0x03ffffff},
    {0xe8000000, 0x03ffffff}, {0x000000f9, 0x7ffffe00},
    {0x000000fa, 0x7ffffe00}, {0x000000ff, 0x7ffffe00},
};

static const uint32_t prefixes12[][2] = {
    {0x00000000, 0x7fffffff}, {0x7c000000, 0x03ffffff},
    {0x80000000, 0x3fffffff}, {0xb0000000, 0x0fffffff},
    {0xbe800000, 0x007fffff}, {0xbf000000, 0x00ffffff},
    {0xf4000000, 0x03ffffff}, {0xd4000000, 0x03ffffff},
    {0xcc000000, 0x007fffff}, {0xc8000000, 0x03ffffff},
    {0xcf000000, 0x00ffffff}, {0xd8000000, 0x03ffffff},
    {0xec000000, 0x03ffffff}, {0xc4000000, 0x03ffffff},
    {0xd0710001, 0x00004000}, {0x000000fa, 0x7ffffe00},
};

/* Operand codes with dwords of their own behind the instruction: DPP, literals. */
static const uint32_t longer12[] = {0xfa, 0xe9, 0xea, 0xfe, 0xff};

/* What chance alone meets too seldom: sources that make an instruction longer, VGPRs
 * for matrices, and the two dwords before a product with scales. */
static void aim12(struct rng *rng, uint32_t w[5])
{
  uint32_t code = longer12[rng_next(rng) % 5];
  int vop3 = w[0] >> 26 == 0x35 || w[0] >> 24 == 0xcc;
  switch (rng_next(rng) % 8) {
  case 0:
    if (w[0] < 0x80000000 || w[0] >> 24 == 0xc8)
      w[0] = (w[0] & ~0x1ffu) | code;
    else if (vop3)
      w[1] = (w[1] & ~0x1ffu) | code;
    break;
  case 1:
    if (vop3)
      w[0] |= 0x4000, w[1] |= 0x1c020100;
    break;
  case 2:
    if (vop3) {
      w[0] = (w[0] & 0xffff) | (rng_next(rng) & 1 ? 0xcc350000 : 0xcc3a0000);
      w[1] |= 0x04020100;
      w[2] = (w[2] & 0xffff) | (rng_next(rng) & 1 ? 0xcc330000 : 0xcc884000);
      w[3] |= 0x1c020100;
    }
  }
}

static int has_scales(const struct isa *isa)
{
  const struct op *o = op_find(isa, VOP3P, 0x2d);
  return o && o->matrix == OP_SCALED;
}

/* Likewise GFX9's products with scales. */
static void aim9(struct rng *rng, uint32_t w[5])
{
  if (rng_next(rng) % 16)
    return;
  w[0] = (w[0] & 0xffff) | 0xd3ac0000;
  w[1] |= 0x20100;
  w[2] = (w[2] & 0xffff) | (rng_next(rng) & 1 ? 0xd3ad0800 : 0xd3ae0800);
  w[3] |= 0x4020100;
}

/* The words of one that begins with the n-th of them; `sparse`: with few bits set
 * behind the first. */
static void random_words(const struct isa *isa, struct rng *rng, int n, int sparse,
                         uint32_t w[5])
{
  int gfx12 = isa->encoding == ENCODING_GFX12;
  const uint32_t *p = gfx12 ? prefixes12[n % 16] : prefixes[n % 16];
  w[0] = p[0] | ((uint32_t)rng_next(rng) & p[1]);
  for (int k = 1; k < 5; k++) {
    w[k] = (uint32_t)rng_next(rng);
    if (sparse)
      w[k] &= (uint32_t)(rng_next(rng) & rng_next(rng));
  }
  if (gfx12)
    aim12(rng, w);
  else if (has_scales(isa))
    aim9(rng, w);
}

static unsigned input_words(const struct isa *isa)
{
  return isa->encoding == ENCODING_GFX12 || has_scales(isa) ? 4 : 2;
}

/* Top bits of selections whose other values mean nothing. */
#define SDWA_RESERVED (1u << 10 | 1u << 12 | 1u << 18 | 1u << 26)

/* A short run of its own: LLVM 15 crashes on some words that are no
 * instructions, and takes the rest of its input with it. */
static int compare_random(const struct isa *isa, struct rng *rng, int *lines)
{
  enum {BATCH = 400};
  struct str input = {0};
  for (int n = 0; n < BATCH; n++) {
    uint32_t w[5];
    random_words(isa, rng, n, n & 64, w); /* fields are zero in real code */
    if (isa->encoding == ENCODING_GFX9 && (w[0] & 0x1ff) == 0xf9 && w[0] < 0x80000000)
      w[1] &= ~SDWA_RESERVED;
    add_words(&input, w, (int)input_words(isa));
  }
  int wrong = compare(isa, str_text(&input), lines);
  str_free(&input);
  return wrong;
}

static void test_random_words(void **state)
{
  const struct isa *isa = *state;
  if (!llvm_mc_program(isa->name))
    skip();
  struct rng rng;
  int wrong = 0, all = 0, lines;
  rng_seed(&rng, 906);
  for (int batch = 0; batch < 100; batch++) {
    wrong += compare_random(isa, &rng, &lines);
    all += lines;
  }
  print_message("LLVM disassembled %d instructions\n", all);
  assert_int_equal(wrong, 0);
  assert_true(all > 15000);
}

/* What begins with a mark is refused where another name follows, of what comes
 * behind it. */
#define MARK "0x34,0x12,0x80,0xbf,\n" /* s_nop */
#define PADS "0,0,0x80,0xbf,0,0,0x80,0xbf,0,0,0x80,0xbf,0,0,0x80,0xbf,\n"

static int is_named(const char *line, const struct inst *i)
{
  char name[64];
  if (!line || sscanf(line, "%63s", name) != 1)
    return 0;
  strip_suffix(name);
  strip_scale(name);
  return !strcmp(name, inst_name(i));
}

/* Of n words that are instructions here: those that LLVM refuses. */
static int count_refused(const struct isa *isa, const struct inst *all, int n,
                         const char *input)
{
  char *text = llvm_mc_for(isa->name, "-disassemble", input);
  int at = 0, refused = 0;
  for (char *save, *line = strtok_r(text, "\n", &save); line;
       line = strtok_r(NULL, "\n", &save)) {
    if (!strstr(line, "s_nop 0x1234") || at == n)
      continue;
    line = strtok_r(NULL, "\n", &save);
    refused += !is_named(line, &all[at++]);
  }
  free(text);
  return at == n ? refused : 0; /* it crashed */
}

/* What LLVM 22 refuses is refused. LLVM 15 refuses one word in a hundred more. */
static void test_refused(void **state)
{
  enum {BATCH = 400};
  const struct isa *isa = *state;
  static struct inst legal[BATCH];
  struct rng rng;
  int all = 0, refused = 0;
  const char *program = llvm_mc_program(isa->name);
  if (!program)
    skip();
  rng_seed(&rng, 31);
  for (int batch = 0; batch < 60; batch++) {
    struct str input = {0};
    int count = 0;
    for (int n = 0; n < BATCH; n++) {
      uint32_t w[5];
      random_words(isa, &rng, n, 1, w);
      if (decode(isa, w, input_words(isa), &legal[count]) && legal[count].legal &&
          !out_of_scope(inst_name(&legal[count]))) {
        str_add(&input, MARK);
        add_words(&input, w, legal[count++].words);
        str_add(&input, PADS);
      }
    }
    refused += count_refused(isa, legal, count, str_text(&input));
    all += count;
    str_free(&input);
  }
  print_message("LLVM refuses %d of %d words\n", refused, all);
  assert_true(refused * 50 < all && all > 5000);
  assert_true(!refused || strstr(program, "llvm-mc-15"));
}

/* Words that LLVM 22 took or refused, so that it is asked where there is none. */
static void test_recorded(void **state)
{
  static const struct {
    const char *arch;
    uint32_t words[4];
    int taken;
  } rows[] = {
#include "tests/sim/decode_words.def"
  };
  const struct isa *isa = *state;
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    struct inst i;
    if (strcmp(rows[n].arch, isa->name))
      continue;
    decode(isa, rows[n].words, 4, &i);
    if (i.legal != rows[n].taken)
      fail_msg("%s %08x %08x %08x (%s) is %slegal", isa->name, rows[n].words[0],
               rows[n].words[1], rows[n].words[2], inst_name(&i),
               i.legal ? "" : "not ");
  }
}

/* Anything must decode to something, without reading past the end. */
static void test_any_words(void **state)
{
  const struct isa *isa = *state;
  struct rng rng;
  rng_seed(&rng, 1);
  for (int n = 0; n < 200000; n++) {
    uint32_t *exact = malloc(4);
    *exact = (uint32_t)rng_next(&rng);
    struct inst i;
    int words = decode(isa, exact, 1, &i);
    assert_in_range(words, 0, 1);
    if (i.legal)
      assert_true(i.vgprs <= 256);
    free(exact);
  }
}

/* --- every opcode is executed, or is one of these ------------------------- */

static const char *const not_executed[] = {
    "s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join", /* unused */
    "s_rfe", "s_rfe_restore", /* privileged */
    "s_setkill", "s_endpgm_ordered_ps_done", "v_interp", /* graphics */
    "v_screen_partition_4se", "ds_ordered_count",
    "ds_gws", /* global wave sync, which needs the driver's set-up */
    "_src2_", /* LDS with an address in LDS: no compiler emits them */
    "buffer_store_lds_dword",
};

static int excused(const struct isa *isa, const struct op *o)
{
  const char *name = o->name;
  if (isa->encoding == ENCODING_GFX12)
    return o->way == WAY_NONE;
  if (strstr(name, "_mfma_") || strstr(name, "_smfmac_"))
    return !isa->matrix_sums;
  for (size_t n = 0; n < sizeof not_executed / sizeof *not_executed; n++)
    if (strstr(name, not_executed[n]))
      return 1;
  return 0;
}

static void test_coverage(void **state)
{
  const struct isa *isa = *state;
  int all = 0, executed = 0;
  for (unsigned format = 0; format < FORMAT_N; format++)
    for (unsigned op = 0; op < 1024; op++) {
      const struct op *o = op_find(isa, format, op);
      struct inst i = {.isa = isa->index, .format = (uint8_t)format, .op = (uint16_t)op,
                       .words = 1, .legal = 1};
      if (!o)
        continue;
      all++;
      exec_bind(&i, 1);
      executed += i.exec != NULL;
      if (!!i.exec == excused(isa, o))
        fail_msg("%s is %s", o->name, i.exec ? "executed after all"
                                                  : "not executed");
    }
  print_message("%d of %d opcodes are executed\n", executed, all);
}

int main(void)
{
  static const struct {
    const char *name;
    CMUnitTestFunction run;
  } kinds[] = {{"every opcode", test_every_opcode},
               {"no other opcode", test_no_other_opcode},
               {"random words", test_random_words},
               {"refused words", test_refused},
               {"recorded words", test_recorded},
               {"any words", test_any_words},
               {"coverage", test_coverage}};
  enum {KINDS = sizeof kinds / sizeof *kinds};
  struct CMUnitTest tests[ISAS * KINDS] = {0};
  char names[ISAS * KINDS][40];
  for (unsigned n = 0; n < ISAS * KINDS; n++) {
    const struct isa *isa = isa_at(n / KINDS);
    snprintf(names[n], sizeof names[n], "%s, %s", isa->name,
             kinds[n % KINDS].name);
    tests[n] = (struct CMUnitTest){.name = names[n],
                                   .test_func = kinds[n % KINDS].run,
                                   .initial_state = (void *)(uintptr_t)isa};
  }
  return _cmocka_run_group_tests("decode", tests, ISAS * KINDS, NULL, NULL);
}

-- matrix.lua - instructions of the matrix cores, and how a product uses them.
-- SPDX-License-Identifier: MIT
--
-- An instruction adds the product of `shape` rows of A and as many columns of B,
-- each K long, to `shape` x `shape` sums. Lane l has of row l % shape, or of that
-- column, the elements of part l // shape of the K, one after the other: the
-- bytes of an operand. Of the sums it has column l % shape, and of that fours of
-- rows; of doubles every fourth row.

local operand <const> = include "parts/operand.lua"
local types <const> = include "parts/types.lua"
local matrix <const> = {}

-- Element type, bytes of an operand, the capability that it takes, the type of
-- the operand, and the builtins for the shapes of 16 and, where there is one, 32.
local list <const> = {
  { "f32", 4, "mfma", "float", "f32_16x16x4f32", "f32_32x32x2f32" },
  { "f16", 8, "mfma", "vec<_Float16, 4>", "f32_16x16x16f16", "f32_32x32x8f16" },
  { "f16", 16, "mfma_16_bytes", "vec<_Float16, 8>", "f32_16x16x32_f16", "f32_32x32x16_f16" },
  { "bf16", 4, "mfma_4_bytes", "vec<short, 2>", "f32_16x16x8bf16", "f32_32x32x4bf16" },
  { "bf16", 8, "mfma_bf16_1k", "vec<short, 4>", "f32_16x16x16bf16_1k", "f32_32x32x8bf16_1k" },
  { "bf16", 16, "mfma_16_bytes", "vec<__bf16, 8>", "f32_16x16x32_bf16", "f32_32x32x16_bf16" },
  { "i8", 4, "mfma_4_bytes", "int", "i32_16x16x16i8", "i32_32x32x8i8" },
  { "i8", 8, "mfma_8_bytes", "long", "i32_16x16x32_i8", "i32_32x32x16_i8" },
  { "i8", 16, "mfma_16_bytes", "vec<int, 4>", "i32_16x16x64_i8", "i32_32x32x32_i8" },
  { "f64", 8, "mfma_f64", "double", "f64_16x16x4f64" },
  { "fp8", 8, "mfma_8_bytes", "long", "f32_16x16x32_fp8_fp8", "f32_32x32x16_fp8_fp8" },
  { "bf8", 8, "mfma_8_bytes", "long", "f32_16x16x32_bf8_bf8", "f32_32x32x16_bf8_bf8" },
}

-- The row of the type and so many bytes, or nil.
local function row_of(dtype, bytes)
  for _, row in ipairs(list) do
    if row[1] == dtype and row[2] == bytes then return row end
  end
end

local function builtin(row, cfg) return row[cfg.shape == 16 and 5 or 6] end

-- Has the arch an instruction for the type, of this shape and with so many bytes of
-- an operand?
function matrix.exists(cfg, problem, arch)
  local row <const> = row_of(problem.dtype, cfg.operand)
  return row ~= nil and arch[row[3]] == 1 and builtin(row, cfg) ~= nil
end

-- Has it any for the type?
function matrix.multiplies(dtype, arch)
  for _, row in ipairs(list) do
    if row[1] == dtype and arch[row[3]] == 1 then return true end
  end
  return false
end

-- Bytes of an element.
function matrix.size(problem) return types.of(problem).bits // 8 end

-- Of k, bytes that the lanes of a row read from LDS at a time: every lane `read`
-- bytes, which are operands of one instruction or of several.
function matrix.step(cfg, arch) return arch.wave // cfg.shape * cfg.read end

-- Bytes of a row of an operand's tile in LDS, and how many there are. An operand
-- that runs along k in memory has rows of that, the other has one for each k.
function matrix.row(x, cfg, problem)
  local along <const> = x.turned(problem) and cfg.tile_k or cfg[x.tile]
  return along * matrix.size(problem)
end
function matrix.rows(x, cfg, problem)
  return x.turned(problem) and cfg[x.tile] or cfg.tile_k
end

local pads <const> = { none = 0, xor = 0, pad16 = 16, pad32 = 32 }
function matrix.stride(x, cfg, problem)
  return matrix.row(x, cfg, problem) + pads[cfg.swizzle]
end

-- An XOR moves the chunks of 16 bytes of a row by bits of the row's number, so
-- that rows which lie in the same banks do not. Of short rows several lie side by
-- side in the banks: those move alike.
local chunk <const> = 16
function matrix.xor(x, cfg, problem, arch)
  local chunks <const> = matrix.row(x, cfg, problem) // chunk
  local widest <const> = arch.lds_banks * arch.lds_bank_bytes // chunk
  local beside <const> = math.max(8 // math.max(chunks, 1), 1) -- rows
  local shift = 0
  while 1 << shift < beside do shift = shift + 1 end
  return { shift = shift, mask = math.max(math.min(chunks, widest), 1) - 1 }
end

-- The numbers of an operand.
function matrix.numbers(x, cfg, problem, arch)
  local row <const>, rows <const> = matrix.row(x, cfg, problem), matrix.rows(x, cfg, problem)
  local threads <const> = cfg.waves_m * cfg.waves_n * arch.wave
  local width <const> = cfg["width_" .. x.name]
  return {
    names = x, name = x.name, turned = x.turned(problem),
    row = row, rows = rows, stride = matrix.stride(x, cfg, problem),
    width = width,           -- bytes of a load from memory
    vectors = row // width,  -- of a row
    loads = rows * row // (threads * width), -- of a thread
    xor = cfg.swizzle == "xor" and matrix.xor(x, cfg, problem, arch) or nil,
    blocks = cfg[x.tile] // cfg["waves_" .. x.edge] // cfg.shape, -- of a wave
  }
end

-- What the text calls things.
function matrix.text(cfg, problem)
  local row <const> = row_of(problem.dtype, cfg.operand)
  return {
    operand = row[4],
    builtin = "__builtin_amdgcn_mfma_" .. builtin(row, cfg),
    size = matrix.size(problem),
    each = cfg.operand // matrix.size(problem), -- elements of an operand
    packs = cfg.read // cfg.operand, -- operands of a read
    sums = cfg.shape * cfg.shape // 64, -- of a lane
    row = types.sums(problem) == "f64" and "group + r * 4" or -- of sum r
          cfg.shape == 32 and "group * 4 + r / 4 * 8 + r % 4" or "group * 4 + r",
  }
end

return matrix

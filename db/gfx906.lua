-- gfx906.lua - the sweep whose winners are shipped for gfx906, in db/gfx906:
--
--   tune sweep db/gfx906.lua --db build/tables
--   cp build/tables/gfx906/*.table db/gfx906
--
-- What the store has is not tuned again: the same command goes on after an
-- interruption, and after a change of the templates times anew what that
-- changed. Run it once more when it has come to its end: the winners of near
-- problems are then timed on each, by which packs choose kernels for sizes that
-- are not here. The default problem of every family, then the products that language
-- models do (rows of a weight and its width, tokens before them), powers of two,
-- and sizes that no tile divides.
-- SPDX-License-Identifier: MIT

local function squares(layout, sizes, dtype)
  local list <const> = {}
  for i, n in ipairs(sizes) do
    list[i] = gemm { m = n, n = n, k = n, layout = layout, dtype = dtype }
  end
  return list
end

local models <const> = { -- rows and width of weights that many models have
  { n = 4096, k = 4096 }, { n = 4096, k = 14336 }, { n = 14336, k = 4096 },
  { n = 5120, k = 5120 }, { n = 11008, k = 4096 }, { n = 4096, k = 11008 },
}

-- Q K^T and P V of f16 heads, each of as many tokens, one head's matrices after another's
local function attention(heads, tokens, width)
  local part <const>, square <const> = tokens * width, tokens * tokens
  return {
    gemm { m = tokens, n = tokens, k = width, layout = "nt", dtype = "f16", batch = heads,
           stride_a = part, stride_b = part },
    gemm { m = tokens, n = width, k = tokens, layout = "nn", dtype = "f16", batch = heads,
           stride_a = square, stride_b = part },
  }
end

local quantised <const> = { "q8_0", "q4_0", "q4_1", "q4_K", "q6_K" }
local weights <const> = { -- as ggml says it: rows and width
  { m = 4096, k = 4096 }, { m = 4096, k = 14336 }, { m = 14336, k = 4096 },
}

return {
  arch = "gfx906",
  device = "sim",
  evals = 24,
  unchanged = "near",
  problems = {
    lds {}, dot {}, lane {}, gload {}, qdq {}, kv {}, gemm {},

    -- language models
    gemm { m = { 1, 8, 32, 128, 512 }, layout = "nt",
      { { n = 3584, k = 18944 }, { n = 4096, k = 11008 },
        { n = 5120, k = 13824 }, { n = 5120, k = 27648 },
        { n = 6144, k = 4096 }, { n = 7168, k = 5120 },
        { n = 10240, k = 8192 }, { n = 15360, k = 5120 },
        { n = 27648, k = 5120 }, { n = 37888, k = 3584 } } },
    gemm { m = { 1, 8, 32, 128, 512, 2048 }, layout = "nt",
      { { n = 768, k = 2048 }, { n = 1024, k = 4096 }, { n = 2048, k = 768 },
        { n = 4608, k = 3584 }, { n = 8192, k = 8192 } } },
    gemm { n = 4096, k = 4096, layout = "nt",
      m = { 1, 2, 3, 4, 5, 8, 16, 17, 24, 32, 48, 64, 128, 256, 512, 1024, 1500, 2048 } },
    gemm { n = 4096, k = 14336, layout = "nt",
      m = { 1, 2, 3, 4, 5, 8, 16, 32, 64, 100, 128, 256, 512 } },
    gemm { n = 14336, k = 4096, layout = "nt",
      m = { 1, 2, 3, 4, 5, 8, 16, 32, 64, 128, 256, 512, 700 } },
    gemm { m = { 1, 8, 32, 128 }, layout = "nt",
      { { n = 8192, k = 28672 }, { n = 28672, k = 4096 } } },
    gemm { m = { 1, 8, 32, 128, 300, 512, 2048 }, n = 5120, k = 5120, layout = "nt" },
    gemm { m = { 1, 8, 17, 32, 33, 128, 512 }, n = 11008, k = 4096, layout = "nt" },
    gemm { m = { 1, 8, 32, 128, 512, 2048 }, n = 2880, k = 2880, layout = "nt" },
    gemm { m = { 1, 8 }, layout = "nt",
      { { n = 128256, k = 4096 }, { n = 151936, k = 5120 } } },
    gemm { m = { 1, 8, 32 }, n = 57344, k = 8192, layout = "nt" },
    gemm { m = { 8, 32, 128 }, n = 55296, k = 5120, layout = "nt" },
    gemm { m = 7, n = 151936, k = 896, layout = "nt" },
    gemm { m = { 17, 33 }, n = 4096, k = 11008, layout = "nt" },
    gemm { m = 513, n = 3584, k = 3584, layout = "nt" },
    gemm { m = { 64, 256 }, layout = "nt",
      { { n = 2880, k = 2880 }, { n = 4608, k = 3584 }, { n = 5120, k = 13824 },
        { n = 5120, k = 27648 }, { n = 7168, k = 5120 }, { n = 8192, k = 8192 },
        { n = 27648, k = 5120 } } },
    gemm { m = { 4, 16, 64 }, layout = "nt",
      { { n = 768, k = 2048 }, { n = 1024, k = 4096 }, { n = 2048, k = 768 } } },

    -- the same in types that they are run in, and few rows by the family for them
    gemm { dtype = { "f16", "bf16", "i8" }, m = { 32, 128, 512, 2048 }, layout = "nt",
      models },
    gemm { dtype = "i4", m = { 32, 64, 128, 256, 512 }, layout = "nt",
      { { n = 4096, k = 4096 }, { n = 4096, k = 14336 }, { n = 14336, k = 4096 },
        { n = 5120, k = 5120 }, { n = 11008, k = 4096 }, { n = 4096, k = 11008 } } },
    gemm { dtype = { "i4", "i8" }, m = { 32, 64, 128, 256, 512 }, layout = "nt",
      { { n = 1024, k = 4096 }, { n = 2880, k = 2880 }, { n = 3584, k = 18944 },
        { n = 5120, k = 13824 }, { n = 8192, k = 8192 }, { n = 13824, k = 5120 } } },
    gemm { dtype = "i8", m = { 64, 256 }, layout = "nt", models },
    attention({ 8, 32 }, 256, 64), attention({ 8, 32 }, 256, 128),
    attention({ 8, 16, 32 }, 512, 64), attention({ 8, 16, 32 }, 512, 128),
    attention({ 8, 16, 32 }, 1024, 64), attention({ 8, 16, 32 }, 1024, 128),
    attention({ 8, 16, 32 }, 2048, 64), attention({ 8, 16, 32 }, 2048, 128),
    skinny { dtype = { "f32", "f16", "bf16", "i8" }, m = { 1, 2, 4, 8, 16, 32 },
      layout = "nt", models },

    -- ggml's types, for one token, a few and many
    mmvq { dtype = quantised, x = "q8_1", n = { 1, 4 }, weights }, -- f32: docs/quant.md
    mmq { dtype = quantised, n = { 32, 512 }, weights },
    mmvq { dtype = quantised, x = "q8_1", m = 4096, m2 = 1024, m3 = 1024, k = 4096 }, -- q, k, v
    mmq { dtype = { "q4_0", "q8_0", "q4_K" }, x = "q8_1", m = 768, n = 4096, k = 2048,
      groups = 128 }, -- experts

    -- GPTQ and AWQ, for one token; for many, W is unpacked once
    w4a16 { dtype = { "gptq", "awq" }, weights },
    dequant4 { dtype = { "gptq", "awq" }, { { m = 4096, k = 4096 }, { m = 4096, k = 14336 } } },

    -- powers of two
    squares("nn", { 64, 128 }),
    squares("nt", { 128, 256, 512, 1024, 2048, 4096 }),
    squares("tn", { 128, 256, 512, 1024, 2048, 4096 }),
    squares("tt", { 128, 256, 512, 1024, 2048, 4096 }),
    squares("nn", { 256, 512, 768, 1024, 1536, 2048, 4096 }, "f16"),
    squares("nt", { 256, 384, 512, 640, 768, 1024, 1536, 2048, 4096 }, "f16"),
    squares("tn", { 256, 512, 768, 1024, 1536, 2048, 4096 }, "f16"),
    gemm { layout = { "nn", "tn" }, dtype = "f16", m = { 256, 4096 },
      { { n = 1024, k = 1024 }, { n = 4096, k = 1024 }, { n = 1024, k = 4096 } } },
    gemm { layout = { "nn", "tn" }, dtype = "f16", m = 1024,
      { { n = 4096, k = 1024 }, { n = 1024, k = 4096 }, { n = 4096, k = 4096 } } },
    gemm { layout = { "nn", "tn" }, dtype = "f16", m = { 256, 2048 }, n = 4096, k = 4096 },
    gemm { layout = { "nn", "tn" }, dtype = "f16", m = 512,
      { { n = 512, k = 2048 }, { n = 1024, k = 1024 }, { n = 2048, k = 512 },
        { n = 4096, k = 1024 } } },
    gemm { layout = { "nn", "tn" }, dtype = "f16", m = 2048,
      { { n = 512, k = 2048 }, { n = 1024, k = 1024 }, { n = 2048, k = 512 } } },
    gemm { m = { 256, 512, 1024, 2048, 4096 },
      { { n = 256, k = 1024 }, { n = 1024, k = 256 }, { n = 1024, k = 1024 },
        { n = 4096, k = 1024 } } },
    gemm { m = { 256, 512, 1024, 4096 },
      { { n = 256, k = 4096 }, { n = 512, k = 2048 }, { n = 4096, k = 256 },
        { n = 4096, k = 512 } } },
    gemm { m = { 256, 512, 1024, 2048 },
      { { n = 256, k = 512 }, { n = 512, k = 512 }, { n = 2048, k = 1024 } } },
    gemm { m = { 256, 512, 1024 },
      { { n = 2048, k = 4096 }, { n = 4096, k = 2048 },
        { n = 4096, k = 4096 } } },
    gemm { m = { 256, 1024, 2048 },
      { { n = 256, k = 256 }, { n = 512, k = 4096 }, { n = 2048, k = 2048 } } },
    gemm { m = { 256, 512, 2048 }, n = 512, k = 256 },
    gemm { m = { 256, 1024, 4096 }, n = 1024, k = 4096 },
    gemm { m = { 256, 2048, 4096 }, n = 2048, k = 256 },
    gemm { m = { 512, 1024, 2048 }, n = 512, k = 1024 },
    gemm { m = { 256, 512 }, n = 1024, k = 512 },
    gemm { m = { 512, 1024, 4096 }, n = 1024, k = 2048 },
    gemm { m = { 1024, 2048 }, n = 256, k = 2048 },
    gemm { m = { 256, 512 }, n = 2048, k = 512 },
    gemm { m = 4096, n = 256, k = 256 },
    gemm { layout = { "tn", "tt" }, { { m = 256, n = 256, k = 1024 },
      { m = 256, n = 1024, k = 1024 }, { m = 512, n = 512, k = 2048 },
      { m = 512, n = 1024, k = 512 }, { m = 1024, n = 1024, k = 512 },
      { m = 1024, n = 512, k = 1024 }, { m = 1024, n = 1024, k = 4096 },
      { m = 4096, n = 4096, k = 1024 }, { m = 2048, n = 4096, k = 4096 } } },
    gemm { layout = { "nn", "tn" }, dtype = "f16", { { m = 512, n = 512, k = 1024 },
      { m = 512, n = 1024, k = 512 }, { m = 1024, n = 512, k = 1024 },
      { m = 1024, n = 1024, k = 512 }, { m = 256, n = 512, k = 512 },
      { m = 4096, n = 4096, k = 2048 }, { m = 4096, n = 2048, k = 4096 } } },
    gemm { m = 128, n = 128, k = 8192 },

    -- between them, and what no tile divides
    squares("nn", { 48, 80, 96, 100, 112, 160, 192, 200, 224, 250, 288, 300, 320, 333, 350,
      384, 400, 448, 500, 600, 640, 700, 768, 800, 900, 1000, 1200, 1500, 1536, 3000, 3072 }),
    squares("nt", { 192, 320, 384, 640, 768, 1536, 3072 }),
    squares("tn", { 192, 320, 384, 448, 640, 768, 896, 1280, 1536, 3072 }),
    squares("tt", { 160, 192, 320, 384, 448, 640, 768, 896, 1280, 1536, 3072 }),
    squares("nn", { 384, 448, 640, 896, 1280 }, "f16"),
    squares("nt", { 448, 896, 1280 }, "f16"),
    squares("tn", { 384, 448, 640, 896, 1280 }, "f16"),
    gemm { m = 77, { { n = 640, k = 768 }, { n = 768, k = 768 }, { n = 1280, k = 768 } } },
    gemm { m = 250, n = 1000, k = 750 },
    gemm { m = 333, n = 777, k = 555 },
    gemm { m = 500, n = 2000, k = 1001 },
    gemm { m = 640, n = 4095, k = 1280 },
    gemm { m = 777, n = 1555, k = 2047 },
    gemm { m = 1023, n = 1025, k = 511 },
    gemm { m = 1234, n = 2345, k = 567 },
    gemm { m = 2000, n = 500, k = 3000 },
    gemm { m = 2049, n = 1023, k = 129 },
    gemm { m = 3001, n = 999, k = 257 },
    gemm { m = 4095, n = 640, k = 321 },
    gemm { m = 4096, n = 320, k = 640 },
  },
}

-- tiny_gguf.lua - a language model of random f16 weights, as a GGUF file.
--
--   lua5.4 tiny_gguf.lua FILE
--
-- What llama.cpp calls `llama`: two layers, 256 wide, a vocabulary of 512 tokens
-- without texts. It says nothing of sense, but multiplies as a real one does.
-- The format: GGUF 3, ggml/docs/gguf.md.
-- SPDX-License-Identifier: MIT

local WIDTH <const>, INNER <const>, VOCABULARY <const>, LAYERS <const> = 256, 512, 512, 2
local HEADS <const>, ALIGNMENT <const> = 4, 32

local F32 <const>, F16 <const> = 0, 1 -- ggml_type

-- --- values ----------------------------------------------------------------

local function text(s) return string.pack("<s8", s) end
local function u32(n) return string.pack("<I4I4", 4, n) end
local function f32(x) return string.pack("<I4f", 6, x) end
local function word(s) return string.pack("<I4", 8) .. text(s) end

local pairs_of_keys <const> = {
  { "general.architecture", word "llama" },
  { "general.name", word "random" },
  { "general.file_type", u32(1) }, -- mostly f16
  { "llama.context_length", u32(512) },
  { "llama.embedding_length", u32(WIDTH) },
  { "llama.block_count", u32(LAYERS) },
  { "llama.feed_forward_length", u32(INNER) },
  { "llama.attention.head_count", u32(HEADS) },
  { "llama.attention.head_count_kv", u32(HEADS) },
  { "llama.attention.layer_norm_rms_epsilon", f32(1e-5) },
  { "llama.rope.dimension_count", u32(WIDTH // HEADS) },
  { "llama.vocab_size", u32(VOCABULARY) },
  { "tokenizer.ggml.model", word "no_vocab" },
}

-- --- tensors: name, length of a row, rows, type -----------------------------

local tensors <const> = {
  { "token_embd.weight", WIDTH, VOCABULARY, F16 },
  { "output_norm.weight", WIDTH, 1, F32 },
  { "output.weight", WIDTH, VOCABULARY, F16 },
}
for layer = 0, LAYERS - 1 do
  for _, t in ipairs {
    { "attn_norm", WIDTH, 1, F32 },
    { "attn_q", WIDTH, WIDTH, F16 },
    { "attn_k", WIDTH, WIDTH, F16 },
    { "attn_v", WIDTH, WIDTH, F16 },
    { "attn_output", WIDTH, WIDTH, F16 },
    { "ffn_norm", WIDTH, 1, F32 },
    { "ffn_gate", WIDTH, INNER, F16 },
    { "ffn_up", WIDTH, INNER, F16 },
    { "ffn_down", INNER, WIDTH, F16 },
  } do
    t[1] = ("blk.%d.%s.weight"):format(layer, t[1])
    tensors[#tensors + 1] = t
  end
end

-- Halves between 2^-6 and 2^-4, of either sign; the scales of norms are 1.
local seed = 29
local function half()
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  local bits <const> = seed >> 12
  return (bits & 0x8000) | 0x2400 + (bits & 0x7ff)
end

local function data(t)
  local out <const> = {}
  for i = 1, t[2] * t[3] do
    out[i] = t[4] == F32 and string.pack("<f", 1) or string.pack("<I2", half())
  end
  return table.concat(out)
end

local function padded(s) return s .. ("\0"):rep(-#s % ALIGNMENT) end

-- --- the file ---------------------------------------------------------------

local head <const> = { string.pack("<c4I4I8I8", "GGUF", 3, #tensors, #pairs_of_keys) }
local body <const> = {}
local offset = 0
for _, pair in ipairs(pairs_of_keys) do
  head[#head + 1] = text(pair[1]) .. pair[2]
end
for _, t in ipairs(tensors) do
  local dimensions <const> = t[3] == 1 and string.pack("<I4I8", 1, t[2])
                             or string.pack("<I4I8I8", 2, t[2], t[3])
  head[#head + 1] = text(t[1]) .. dimensions .. string.pack("<I4I8", t[4], offset)
  body[#body + 1] = padded(data(t))
  offset = offset + #body[#body]
end

local file <const> = assert(io.open(arg[1], "wb"))
assert(file:write(padded(table.concat(head)), table.concat(body)))
assert(file:close())
